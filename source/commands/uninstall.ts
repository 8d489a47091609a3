import {examples, type DefineCommand} from './command.ts';
import {dryRunOption} from './dry-run.ts';
import {findInstalled} from './find-installed.ts';
import {wordsHelp} from './input/read-words.ts';
import {lookUpAbilityIds} from './installed-ability-ids.ts';
import {failureStatus} from './item-outcome.ts';
import {readList} from './read-list.ts';
import {removeRecords, type Removal, type RemovalOptions} from './removal.ts';

const uninstallation: Removal<'installed'> = {
	resource: 'installed',
	verb: 'uninstall',
	doing: 'Uninstalling',
	doneWord: 'uninstalled',
	consequence: count => count === 1 ? 'The ability itself stays.' : 'The abilities themselves stay.',
	idField: 'installed_cap_id',
	toJson(outcome) {
		if ('result' in outcome) {
			return {installed: !outcome.result, changed: outcome.result};
		}

		return failureStatus(outcome) === 'not known'
			? {installed: outcome.seen === undefined ? null : true, changed: null}
			: {installed: true, changed: false};
	},
	find: async (context, service, words) => findInstalled(context, service, await readList(context, service, 'installed'), words),
	async findAbilityIds(context, service, records) {
		const abilityIdOf = await lookUpAbilityIds(context, service, records);
		return records.map(record => abilityIdOf(record));
	},
	remove: async (client, installed, signal) => client.uninstallAbility(installed, signal),
};

export const defineUninstall: DefineCommand = (parent, run) => parent
	.command('uninstall')
	.description('uninstall abilities; the abilities themselves stay')
	.argument('<installed...>', wordsHelp)
	.option('--yes', 'skip the confirmation')
	.option(...dryRunOption)
	.addHelpText('after', examples(
		['switchboard uninstall pantry', 'asks for confirmation'],
		['switchboard uninstall 4 deskmusic --yes', 'for scripts; nothing is changed unless all are found'],
		['switchboard uninstall pantry --dry-run', 'show what would change, and change nothing'],
	))
	.action(run(async (context, words: readonly string[], options: RemovalOptions) => removeRecords(context, words, options, uninstallation)));
