import {categoryMeanings, isCategory} from '../../../interface/categories.ts';
import {type SwitchboardError} from '../../../interface/errors.ts';
import {type Ability, type InstalledAbility} from '../../../interface/records.ts';
import {type Tone} from '../../theme.ts';
import {age, clock} from '../../widgets/age.ts';
import {type ListedField} from '../../widgets/field-list-lines.ts';
import {unknownFields} from './unknown-fields.ts';

/** Whether it is installed and its state, as the screen shows them. */
export type ShownState = {readonly text: string; readonly tone: Tone};

export type ShownAbility = {
	/** `undefined` where what is installed belongs to no ability that the service lists. */
	readonly ability: Ability | undefined;
	readonly installed: InstalledAbility | undefined;
	readonly state: ShownState;
	/** Why it could not be read alone. */
	readonly error: SwitchboardError | undefined;
	/** Milliseconds since the epoch. */
	readonly now: number;
};

const categoryText = (category: string): string => isCategory(category) ? `${category}: ${categoryMeanings[category]}` : category;

const timeText = (changedAt: number | undefined, now: number): string => {
	if (changedAt === undefined) {
		return '';
	}

	const ago = age(changedAt, now);
	return `${clock(changedAt, 0)}, ${ago === 'now' ? 'just now' : `${ago} ago`}`;
};

const versionsText = ({versions}: Ability): string => versions
	.map(({version, isEnabled}) => `${version || '–'}${isEnabled === true ? ' (in use)' : ''}`)
	.join(', ');

const phrasesText = (phrases: readonly string[]): string => phrases.join(', ');

const commonFields = (record: Ability | InstalledAbility, now: number): readonly ListedField[] => [
	{label: 'Category', text: categoryText(record.category)},
	{label: 'Phrases', text: phrasesText(record.triggerPhrases)},
	...('description' in record ? [{label: 'Description', text: record.description.trim()}] : []),
	{label: 'Changed', text: timeText(record.changedAt, now)},
];

const headed = (heading: string, fields: readonly ListedField[]): readonly ListedField[] => fields.length === 0 ? [] : [{heading}, ...fields];

const unknownOfAbility = ({raw, triggerPhrases, changedAt, versions}: Ability): readonly ListedField[] => unknownFields(raw, {
	id: true,
	capability_id: true,
	name: true,
	category: true,
	description: true,
	is_installed: true,
	trigger_words: triggerPhrases.length > 0,
	last_updated: changedAt !== undefined,
	capability_versions: versions.length > 0,
});

const unknownOfInstalled = ({raw, triggerPhrases, changedAt}: InstalledAbility): readonly ListedField[] => unknownFields(raw, {
	id: true,
	installed_cap_id: true,
	capability_id: true,
	name: true,
	category: true,
	enabled: true,
	trigger_words: triggerPhrases.length > 0,
	last_updated: changedAt !== undefined,
});

/** Of the installed record only what differs from the ability itself. */
const installedFields = (installed: InstalledAbility, ability: Ability): readonly ListedField[] => [
	{label: 'Id', text: String(installed.id)},
	...(phrasesText(installed.triggerPhrases) === phrasesText(ability.triggerPhrases) ? [] : [{label: 'Phrases', text: phrasesText(installed.triggerPhrases) || '–'}]),
	...unknownOfInstalled(installed),
];

/** All that is known of an ability and of its installed record: what the screens understand first, then the rest as it came. */
export const abilityFields = ({ability, installed, state, error, now}: ShownAbility): readonly ListedField[] => {
	const record = ability ?? installed;
	if (record === undefined) {
		return [];
	}

	const known: readonly ListedField[] = [
		...(error === undefined ? [] : [{label: 'Not read', text: `! ${error.message}`, tone: 'error' as const}]),
		{label: 'Name', text: record.name},
		{label: ability === undefined ? 'Installed id' : 'Id', text: String(record.id)},
		{label: 'State', text: state.text, tone: state.tone},
		...commonFields(record, now),
		...(ability === undefined ? [] : [{label: 'Versions', text: versionsText(ability)}]),
	];
	return [
		...known.filter(field => !('text' in field) || field.text !== ''),
		...(ability === undefined ? [] : headed('Other fields', unknownOfAbility(ability))),
		...(installed === undefined
			? []
			: (ability === undefined
				? headed('Other fields', unknownOfInstalled(installed))
				: headed('Installed record', installedFields(installed, ability)))),
	];
};
