import {mkdirSync, path, writeFileSync} from '../helpers/node.ts';
import {toSwitchboardError} from '../../source/interface/errors.ts';
import {readState, type ReadStateOptions} from '../../source/state/read-state.ts';
import type {State} from '../../source/state/state.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

/** A folder with an ability and a prompt, which the examples name. */
export function stateFolder(): string {
	const folder = temporaryFolder();
	mkdirSync(path.join(folder, 'lamplighter'));
	writeFileSync(path.join(folder, 'lamplighter', 'main.py'), '');
	writeFileSync(path.join(folder, 'hearth.md'), 'You look after a house.\n');
	return folder;
}

const folderOfExamples = stateFolder();

/** Reads a text as the file `home.yaml`. */
export async function read(text: string, options: Partial<ReadStateOptions> = {}): Promise<State> {
	return readState(text, {label: 'home.yaml', folder: folderOfExamples, isOutsideAllowed: false, arePathsAllowed: true, ...options});
}

/** The lines of the error, without the last one, which says that nothing was done. */
export async function problemsOf(text: string, options: Partial<ReadStateOptions> = {}): Promise<readonly string[]> {
	try {
		await read(text, options);
		return [];
	} catch (error) {
		const {kind, message} = toSwitchboardError(error);
		const lines = message.split('\n');
		return kind === 'usage' && lines.at(-1) === 'Nothing was done.' ? lines.slice(0, -1) : [kind, ...lines];
	}
}

/** A state without places, to compare. */
export function withoutPlaces(state: State): unknown {
	return JSON.parse(JSON.stringify(state, (key, value: unknown) => (key === 'place' || key === 'sourcePlace' ? undefined : value)));
}
