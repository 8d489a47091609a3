import type {Context} from './context.ts';

/** Says so where a profile becomes the current one, and the shell's own choice of another one goes on being used. */
export const warnOfProfileVariable = ({env, note}: Context, currentName: string): void => {
	const name = env['SWITCHBOARD_PROFILE']?.trim() ?? '';
	if (name !== '' && name !== currentName) {
		note(`SWITCHBOARD_PROFILE is set, so commands in this shell still use “${name}”.`);
	}
};
