import {later, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import type {UndoRange} from './history/revert.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {dryRunOption, parseMoment, pastMoments, wrongValue} from './options.ts';

/** More would be hours of work. */
const maximumCount = 1000;

function readCount(text: string): number {
	const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
	if (count < 1 || count > maximumCount) {
		throw wrongValue('[count]', text, `a number from 1 to ${maximumCount}`);
	}

	return count;
}

/** @throws SwitchboardError `usage` */
function checkRange(word: string | undefined, {since, by, force = false}: Omit<UndoRange, 'count'>): void {
	if (since !== undefined && word !== undefined) {
		throw new SwitchboardError('usage', 'A count and --since cannot be used together.');
	}

	if (since === undefined && (by !== undefined || force)) {
		throw new SwitchboardError('usage', `${by === undefined ? '--force' : '--by'} needs --since.`);
	}

	if (by?.trim() === '') {
		throw wrongValue('--by', '', 'the name of a person or of a key');
	}
}

export const defineUndo: DefineCommand = (parent, run) =>
	parent
		.command('undo')
		.description('undo the last changes from this machine, by a command or on the screens')
		.argument('[count]', 'how many commands or key presses to undo, the last one first (default: 1)')
		.option('--since <time>', `all changes since then: ${pastMoments}`, parseMoment('--since', 'past'))
		.option('--by <name>', 'with --since: those of this person, or with this key, by the history')
		.option('--force', 'with --since: also what somebody has changed again since')
		.option('--yes', 'skip the confirmation, unless somebody changed the same thing since')
		.option(...dryRunOption)
		.notes(`
It restores states, trigger phrases, edited fields of agents and abilities, and
uninstalled or deleted abilities; a deleted ability gets a new id. Installed or
uploaded abilities stay.
If somebody has changed the same field since, it says so and asks, even with
--yes; if it cannot ask, that change fails and the others are undone. With
--since such a change is left out, unless you add --force.`)
		.examples(
			['switchboard undo', 'shows what would change and asks for confirmation'],
			['switchboard undo 3 --yes', 'the last three, for scripts'],
			['switchboard undo --dry-run', 'only shows it'],
			["switchboard undo --since 'yesterday 22:00' --by ben", 'what ben did last night'],
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
					return async (context: Context, word: string | undefined, options: Omit<UndoRange, 'count'>) => {
						checkRange(word, options);
						await undo(context, {...options, count: word === undefined ? 1 : readCount(word)});
					};
				}),
			),
		);
