import {later, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {dryRunOption, wrongValue} from './options.ts';

/** More would be hours of work. */
const maximumCount = 1000;

function readCount(text: string): number {
	const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
	if (count < 1 || count > maximumCount) {
		throw wrongValue('[count]', text, `a number from 1 to ${maximumCount}`);
	}

	return count;
}

export const defineUndo: DefineCommand = (parent, run) =>
	parent
		.command('undo')
		.description('undo the last changes from this machine, by a command or on the screens')
		.argument('[count]', 'how many commands or key presses to undo, the last one first (default: 1)')
		.option('--yes', 'skip the confirmation, unless somebody changed the same thing since')
		.option(...dryRunOption)
		.addHelpText(
			'after',
			`
It restores states, trigger phrases, edited fields of agents and abilities, and
uninstalled or deleted abilities; a deleted ability gets a new id. Installed or
uploaded abilities stay.
If somebody has changed the same field since, it says so and asks, even with
--yes; if it cannot ask, that change fails and the others are undone.`,
		)
		.examples(
			['switchboard undo', 'shows what would change and asks for confirmation'],
			['switchboard undo 3 --yes', 'the last three, for scripts'],
			['switchboard undo --dry-run', 'only shows it'],
		)
		.exitCodes(
			['0', 'done, or nothing to undo'],
			['2', 'somebody changed it since, or it cannot be undone'],
			['6', 'some of several failed; the others are done'],
		)
		.action(
			run(
				later(async () => {
					const {undo} = await import('./history/revert.ts');
					return async (context: Context, word?: string) => undo(context, word === undefined ? 1 : readCount(word));
				}),
			),
		);
