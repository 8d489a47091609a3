import {formatCount} from '../interface/format-count.ts';
import type {InstalledAbility} from '../interface/records.ts';
import {stateWord} from '../interface/state-word.ts';
import {examples, type DefineCommand} from './command.ts';
import {dryRunOption} from './dry-run.ts';
import {findInstalled} from './find-installed.ts';
import {requireNamesOption, wordsHelp} from './input/read-words.ts';
import {lookUpAbilityIds} from './installed-ability-ids.ts';
import {failureStatus} from './item-outcome.ts';
import {readList} from './read-list.ts';
import {
	capitalize,
	removeRecords,
	type Removal,
	type RemovalOptions,
} from './removal.ts';

/** As much as is named in a question; more phrases are counted. */
const namedLength = 80;

/** The state of the only record, or how many are in each; empty if the service does not show all. */
const stateDetail = (records: readonly InstalledAbility[]): string => {
	if (records.some(({isEnabled}) => isEnabled === undefined)) {
		return '';
	}

	const counts = [true, false].map(state => [stateWord(state), records.filter(({isEnabled}) => isEnabled === state).length] as const);
	return counts.filter(([, count]) => count > 0).map(([word, count]) => records.length === 1 ? word : `${formatCount(count)} ${word}`).join(', ');
};

/** The phrases of the only record, or how many there are; empty if the service does not show all, `undefined` if there are none. */
const phraseDetail = (records: readonly InstalledAbility[]): string | undefined => {
	if (records.some(({raw}) => !Object.hasOwn(raw, 'trigger_words'))) {
		return '';
	}

	const phrases = records.flatMap(({triggerPhrases}) => triggerPhrases);
	const named = phrases.map(phrase => `“${phrase}”`).join(', ');
	return phrases.length === 0 ? undefined : (records.length === 1 && named.length <= namedLength ? named : formatCount(phrases.length));
};

/** What installing again does not bring back. Some services keep the ties to agents. */
const lossText = (records: readonly InstalledAbility[], mayHaveUsers: boolean): string => {
	const isOne = records.length === 1;
	const [its, it] = isOne ? ['its', 'it'] : ['their', 'them'];
	const lost = [[isOne ? 'state' : 'states', stateDetail(records)], ['trigger phrases', phraseDetail(records)]]
		.filter(([, detail]) => detail !== undefined)
		.map(([noun, detail]) => `${its} ${noun}${detail === '' ? '' : ` (${detail})`}`);
	const ties = mayHaveUsers ? `, on some services also ${its} ties to agents` : '';
	return `${capitalize(lost.join(' and '))} ${isOne && lost.length === 1 ? 'is' : 'are'} lost${ties}; installing ${it} again switches ${it} on.`;
};

const uninstallation: Removal<'installed'> = {
	resource: 'installed',
	verb: 'uninstall',
	doing: 'Uninstalling',
	doneWord: 'uninstalled',
	consequence: (records, mayHaveUsers) => `${lossText(records, mayHaveUsers)} ${records.length === 1 ? 'The ability itself stays.' : 'The abilities themselves stay.'}`,
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
	.option(...requireNamesOption)
	.option(...dryRunOption)
	.addHelpText('after', examples(
		['switchboard uninstall pantry', 'says what is lost and asks for confirmation'],
		['switchboard uninstall 4 deskmusic --yes', 'for scripts; nothing is changed unless all are found'],
		['switchboard uninstall pantry --dry-run', 'show what would change, and change nothing'],
	))
	.action(run(async (context, words: readonly string[], options: RemovalOptions) => removeRecords(context, words, options, uninstallation)));
