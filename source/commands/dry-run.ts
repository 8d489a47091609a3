import type {Context} from './context.ts';
import {refuseReadOnly} from './with-service.ts';

export type DryRunOption = {readonly dryRun?: boolean};

type ChangeOptions = DryRunOption & {readonly yes?: boolean};

/** The option of every command that changes something. */
export const dryRunOption = ['--dry-run', 'look up and check everything, print what would change, and change nothing'] as const;

/**
The context of a command that makes changes, with its `--yes`; call it first. In a dry run its client is read-only: nothing is sent, whatever the
command does.

@throws SwitchboardError `read-only` if `--read-only` is given, unless it is a dry run.
*/
export const startChange = (context: Context, options: ChangeOptions): Context => {
	const {dryRun: isDryRun = false, yes: isSure = false} = options;
	if (isDryRun) {
		return {
			...context, isDryRun, isSure, options: {...context.options, isReadOnly: true},
		};
	}

	refuseReadOnly(context);
	return {...context, isSure};
};

/** The same for a command that changes files of this machine alone, which `--read-only` does not forbid. */
export const startLocalChange = (context: Context, options: DryRunOption): Context => options.dryRun ? startChange(context, options) : context;

/** Says after the output of a dry run that it was one. */
export const noteDryRun = ({isDryRun, note}: Context): void => {
	if (isDryRun) {
		note('Nothing was changed: this was a dry run.');
	}
};
