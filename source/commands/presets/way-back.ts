import {rawName, type InstalledAbility} from '../../interface/records.ts';
import {shellWord} from '../../settings/sign-in-hint.ts';
import type {Context} from '../context.ts';
import type {StepOutcome} from '../state/step-outcome.ts';

/** The name, unless a command would take it for an id, an option or standard input. */
const wordFor = (record: InstalledAbility): string => /^-|^\d/.test(rawName(record)) ? String(record.id) : shellWord(record.name);

/** The options that lead to the same service. */
const targetWords = ({options: {profile, baseUrl}}: Context): readonly string[] => [
	...(profile === undefined ? [] : ['--profile', shellWord(profile)]),
	...(baseUrl === undefined ? [] : ['--base-url', shellWord(baseUrl)]),
];

/** The commands that take back what was switched, one a line; none for what was not known to be on or off before. */
export const wayBack = (context: Context, outcomes: readonly StepOutcome[]): readonly string[] => {
	const switched = outcomes.filter(outcome => 'result' in outcome)
		.map(({item}) => item.kind === 'switch' ? item.record : undefined)
		.filter(record => record !== undefined);
	const commandFor = (verb: string, wasEnabled: boolean): readonly string[] => {
		const words = switched.filter(({isEnabled}) => isEnabled === wasEnabled).map(record => wordFor(record));
		return words.length === 0 ? [] : [['switchboard', verb, ...words, ...targetWords(context)].join(' ')];
	};

	return [...commandFor('enable', true), ...commandFor('disable', false)];
};
