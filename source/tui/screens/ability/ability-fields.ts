import {categoryLabel, categoryMeanings, isCategory} from '../../../interface/categories.ts';
import {type SwitchboardError} from '../../../interface/errors.ts';
import {type Ability, type InstalledAbility} from '../../../interface/records.ts';
import {withMark} from '../../state/severity.ts';
import {type Tone} from '../../theme.ts';
import {age, clock} from '../../widgets/age.ts';
import {type DetailField} from '../../widgets/detail-lines.ts';
import {isEmptyValue, unknownFields, type RawRecord} from './unknown-fields.ts';

/** Whether it is installed and its state, as the screen shows them. */
export type ShownState = {readonly text: string; readonly tone: Tone};

type ShownAbility = {
	/** The list that it was opened from. */
	readonly resource: 'abilities' | 'installed';
	/** `undefined` if the service does not list the ability of an installed record. */
	readonly ability: Ability | undefined;
	readonly installed: InstalledAbility | undefined;
	readonly state: ShownState;
	/** The agents that use it, as text. */
	readonly agents: string;
	/** Why the single record could not be read. */
	readonly error: SwitchboardError | undefined;
	/** Milliseconds since the epoch. */
	readonly now: number;
};

type AbilityFields = {
	/** The fields that the screens understand, with the values in force. */
	readonly known: readonly DetailField[];
	/** The rest, as the service returned it. */
	readonly other: readonly DetailField[];
	/** The time whose age is in the field `changedLabel`. */
	readonly changedAt: number | undefined;
};

export const changedLabel = 'Changed';

const categoryText = (category: string): string => isCategory(category) ? `${categoryLabel(category)}: ${categoryMeanings[category]}` : category;

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

/** The installed record's values if it has them, else the ability's. */
type InForce = {
	readonly category: string;
	/** `undefined` if the service does not show them. */
	readonly phrases: readonly string[] | undefined;
	readonly changedAt: number | undefined;
};

const phrasesOf = (record: Ability | InstalledAbility | undefined): readonly string[] | undefined => {
	const value = record?.raw['trigger_words'];
	return record === undefined || value === undefined || (record.triggerPhrases.length === 0 && !isEmptyValue(value)) ? undefined : record.triggerPhrases;
};

const inForceOf = (ability: Ability | undefined, installed: InstalledAbility | undefined): InForce => ({
	category: [installed, ability].map(record => record?.category ?? '').find(category => category !== '') ?? '',
	phrases: phrasesOf(installed) ?? phrasesOf(ability),
	changedAt: installed?.changedAt ?? ability?.changedAt,
});

const phrasesText = (phrases: InForce['phrases']): string => phrases?.length === 0 ? 'none' : phrases?.join(', ') ?? '';

/** Whether the fields that both records have are shown with this record's values. */
const commonShown = ({name, category, triggerPhrases, changedAt}: Ability | InstalledAbility, shownName: string, inForce: InForce): Readonly<Record<string, boolean>> => ({
	name: name === shownName,
	category: category === inForce.category,
	trigger_words: triggerPhrases.length > 0 && triggerPhrases.join('\n') === inForce.phrases?.join('\n'),
	last_updated: changedAt !== undefined && changedAt === inForce.changedAt,
});

const rawRecords = ({ability, installed}: ShownAbility, shownName: string, inForce: InForce): readonly RawRecord[] => {
	const ofInstalled = installed && {
		label: 'installed',
		raw: installed.raw,
		shown: {
			...commonShown(installed, shownName, inForce), id: true, installed_cap_id: true, capability_id: true, enabled: true,
		},
	};
	const ofAbility = ability && {
		label: 'ability',
		raw: ability.raw,
		shown: {
			...commonShown(ability, shownName, inForce), id: true, capability_id: true, description: true, is_installed: true, capability_versions: ability.versions.length > 0,
		},
	};
	return [ofInstalled, ofAbility].filter(record => record !== undefined);
};

/**
All fields of an ability and of its installed record, each value once: first the known ones, the most useful at the top,
then whatever else the service returned.
*/
export const abilityFields = (shown: ShownAbility): AbilityFields => {
	const {resource, ability, installed, state, agents, error, now} = shown;
	const record = resource === 'installed' ? installed : ability;
	if (record === undefined) {
		return {known: [], other: [], changedAt: undefined};
	}

	const inForce = inForceOf(ability, installed);
	const otherId = resource === 'installed'
		? {label: 'Ability id', text: String(ability?.id ?? installed?.abilityId ?? '')}
		: {label: 'Installed id', text: String(installed?.id ?? '')};
	const known: ReadonlyArray<Extract<DetailField, {readonly label: string}>> = [
		...(error === undefined ? [] : [{label: 'Not read', text: withMark('error', error.message), tone: 'error' as const}]),
		{label: 'State', text: state.text, tone: state.tone},
		{label: 'Id', text: String(record.id)},
		{label: 'Phrases', text: phrasesText(inForce.phrases)},
		{label: 'Agents', text: agents},
		{label: 'Description', text: ability?.description.trim() ?? ''},
		{label: 'Category', text: categoryText(inForce.category)},
		{label: changedLabel, text: timeText(inForce.changedAt, now)},
		{label: 'Versions', text: ability === undefined ? '' : versionsText(ability)},
		otherId,
	];
	return {
		known: known.filter(({text}) => text !== ''),
		other: unknownFields(rawRecords(shown, record.name, inForce)),
		changedAt: inForce.changedAt,
	};
};
