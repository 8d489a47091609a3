import type {State} from '../../state/state.ts';
import type {Context} from '../context.ts';
import {readStateFile} from '../input/read-text.ts';

export type StateOptions = {
	readonly prune?: boolean;
	readonly allowOutside?: boolean;
};

export const stateArgument = ['<state-file>', 'the state file, or “-” for standard input'] as const;

export const pruneOption = ['--prune', 'also switch off every installed ability that the file does not name'] as const;

export const allowOutsideOption = ['--allow-outside', 'allow paths that leave the folder of the file'] as const;

/** What follows the examples in the help. */
export const formatHelp = '\nThe format of the file: switchboard help state';

/** Reads the state file that a command is given. What standard input takes to come is not counted. */
export const readStateArgument = async (context: Context, file: string, {allowOutside = false}: StateOptions): Promise<State> => {
	// Other commands need no YAML library.
	const {readState} = await import('../../state/read-state.ts');
	const {text, label, folder} = await context.waitFor(async () => readStateFile(context, file));
	return readState(text, {
		label, folder, isOutsideAllowed: allowOutside, arePathsAllowed: context.session === undefined,
	});
};
