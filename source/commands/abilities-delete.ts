import {examples, type DefineCommand} from './command.ts';
import {dryRunOption} from './dry-run.ts';
import {readAndFindAll} from './find-records.ts';
import {requireNamesOption, wordsHelp} from './input/read-words.ts';
import {failureStatus} from './item-outcome.ts';
import {removeRecords, type Removal, type RemovalOptions} from './removal.ts';

const deletion: Removal<'abilities'> = {
	resource: 'abilities',
	verb: 'delete',
	doing: 'Deleting',
	doneWord: 'deleted',
	consequence: () => 'This cannot be undone.',
	idField: 'capability_id',
	toJson: outcome => ({deleted: 'result' in outcome ? outcome.result : (failureStatus(outcome) === 'not known' ? null : false)}),
	find: async (context, service, words) => readAndFindAll(context, service, words, {resource: 'abilities'}),
	findAbilityIds: async (_context, _service, abilities) => abilities.map(({id}) => id),
	remove: async (client, ability, signal) => client.deleteAbility(ability, signal),
};

export const defineDeleteAbilities: DefineCommand = (parent, run) => parent
	.command('delete')
	.description('delete abilities and uninstall them')
	.argument('<ability...>', wordsHelp)
	.option('--yes', 'skip the confirmation')
	.option(...requireNamesOption)
	.option(...dryRunOption)
	.addHelpText('after', examples(
		['switchboard abilities delete pantry', 'asks for confirmation'],
		['switchboard abilities delete 8 deskmusic --yes', 'for scripts'],
	))
	.action(run(async (context, words: readonly string[], options: RemovalOptions) => removeRecords(context, words, options, deletion)));
