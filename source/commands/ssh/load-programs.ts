import type {SessionPrograms} from '../../ssh/run-session.ts';

/** Loads what those who come over SSH can run, before the first of them waits for it. */
export const loadPrograms = async (): Promise<SessionPrograms> => {
	const [{runRemoteUi, warmUp}, {runRemoteCommand}] = await Promise.all([import('../../tui/remote-ui.tsx'), import('./run-remote-command.ts')]);
	await warmUp();
	return {openUi: runRemoteUi, runCommand: runRemoteCommand};
};
