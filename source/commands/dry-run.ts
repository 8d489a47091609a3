import type {Context} from './context.ts';
import {refuseReadOnly} from './with-service.ts';

export type DryRunOption = {readonly dryRun?: boolean};

/** The option of every command that changes something. */
export const dryRunOption = ['--dry-run', 'look up and check everything, print what would be, change nothing'] as const;

/**
The context of a command that makes changes; call it first. In a dry run its client is read-only: nothing is sent, whatever the
command does.

@throws SwitchboardError `read-only` if `--read-only` is given, unless it is a dry run.
*/
export const startChange = (context: Context, {dryRun: isDryRun = false}: DryRunOption): Context => {
	if (isDryRun) {
		return {...context, isDryRun, options: {...context.options, isReadOnly: true}};
	}

	refuseReadOnly(context);
	return context;
};

/** Says after the output of a dry run that it was one. */
export const noteDryRun = ({isDryRun, note}: Context): void => {
	if (isDryRun) {
		note('Nothing was changed: this was a dry run.');
	}
};
