import {categoryLabel, categoryMeanings, isCategory} from '../../../interface/categories.ts';
import {cleanText} from '../../../interface/clean-text.ts';
import type {SwitchboardError} from '../../../interface/errors.ts';
import {stringifyJson, type JsonValue} from '../../../interface/json.ts';
import type {Ability, InstalledAbility} from '../../../interface/records.ts';
import {withMark} from '../../../words/signs.ts';
import type {Tone} from '../../theme.ts';
import {age, clock} from '../../../words/age.ts';
import type {DetailField} from '../../widgets/scroll-text.tsx';

type LabelledField = Extract<DetailField, {readonly label: string}>;

const maximumLength = 2000;

const textOf = (value: JsonValue): string => {
	if (value === null || value === '') {
		return '–';
	}

	return typeof value === 'string' ? cleanText(value, maximumLength) : cleanText(stringifyJson(value, 0), maximumLength);
};

const isEmptyValue = (value: JsonValue): boolean => value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether it is installed and its state, as the screen shows them. */
export type ShownState = {readonly text: string; readonly tone: Tone};

type ShownAbility = {
	readonly resource: 'abilities' | 'installed';
	/** `undefined` if the service does not list the ability of an installed record. */
	readonly ability: Ability | undefined;
	readonly installed: InstalledAbility | undefined;
	readonly state: ShownState;
	readonly agents: string;
	/** Why the single record could not be read. */
	readonly error: SwitchboardError | undefined;
	readonly now: number;
};

type AbilityFields = {
	/** The fields that the screens understand, with the values in force. */
	readonly known: readonly DetailField[];
	readonly other: readonly DetailField[];
};

const categoryText = (category: string): string =>
	isCategory(category) ? `${categoryLabel(category)}: ${categoryMeanings[category]}` : category;

const timeText = (changedAt: number | undefined, now: number): string => {
	if (changedAt === undefined) {
		return '';
	}

	const ago = age(changedAt, now);
	return `${clock(changedAt, 0)}, ${ago === 'now' ? 'just now' : `${ago} ago`}`;
};

const versionsText = ({versions}: Ability): string =>
	versions
		.map(
			({version, isEnabled, isCommitted}) =>
				`${version || '–'}${isEnabled === true ? ' (in use)' : isCommitted === false ? ' (draft)' : ''}`,
		)
		.join(', ');

const phrasesOf = (record: Ability | InstalledAbility | undefined): readonly string[] | undefined => {
	const value = record?.raw['trigger_words'];
	return record === undefined || value === undefined || (record.triggerPhrases.length === 0 && !isEmptyValue(value))
		? undefined
		: record.triggerPhrases;
};

/** The installed record's values if it has them, else the ability's. */
const inForceOf = (ability: Ability | undefined, installed: InstalledAbility | undefined) => ({
	category: [installed, ability].map(record => record?.category ?? '').find(category => category !== '') ?? '',
	phrases: phrasesOf(installed) ?? phrasesOf(ability),
	changedAt: installed?.changedAt ?? ability?.changedAt,
});

/** Fields of a record that are shown elsewhere whatever their value, by its kind. */
const shownFields = {
	installed: new Set(['id', 'installed_cap_id', 'capability_id', 'enabled']),
	// The keys that are linked to it are shown nowhere.
	ability: new Set(['id', 'capability_id', 'description', 'is_installed', 'selected_keys']),
};

/**
The fields of records that the screens do not show elsewhere: under the service's names, cleaned, each field once. If two
records differ in a field, both values are labelled.
*/
const otherFields = (
	{ability, installed}: ShownAbility,
	shownName: string,
	inForce: ReturnType<typeof inForceOf>,
): readonly LabelledField[] => {
	const fields = (
		[
			['installed', installed, ability],
			['ability', ability, installed],
		] as const
	).flatMap(([label, record, other]) => {
		if (record === undefined) {
			return [];
		}

		const {name: ownName, category, triggerPhrases, changedAt} = record;
		/** Whether a field is shown with this record's value. */
		const isShown = new Map<string, boolean>(
			Object.entries({
				name: ownName === shownName,
				category: category === inForce.category,
				trigger_words: triggerPhrases.length > 0 && triggerPhrases.join('\n') === inForce.phrases?.join('\n'),
				last_updated: changedAt !== undefined && changedAt === inForce.changedAt,
				...(record === ability && {capability_versions: ability.versions.length > 0}),
			}),
		);
		return Object.entries(record.raw)
			.filter(
				([name, value]) => !shownFields[label].has(name) && !(isShown.get(name) ?? false) && !(isShown.has(name) && isEmptyValue(value)),
			)
			.map(([name, value]) => {
				const text = textOf(value);
				const otherValue = other?.raw[name];
				const isLabelled = otherValue !== undefined && textOf(otherValue) !== text;
				return {label: (cleanText(name, 60) || '–') + (isLabelled ? ` (${label})` : ''), text};
			});
	});
	return [...new Map(fields.map(field => [`${field.label}\n${field.text}`, field])).values()];
};

/**
All fields of an ability and of its installed record, each value once: first the known ones, the most useful at the top,
then whatever else the service returned.
*/
export const abilityFields = (shown: ShownAbility): AbilityFields => {
	const {resource, ability, installed, state, agents, error, now} = shown;
	const record = resource === 'installed' ? installed : ability;
	if (record === undefined) {
		return {known: [], other: []};
	}

	const inForce = inForceOf(ability, installed);
	const otherId =
		resource === 'installed'
			? {label: 'Ability id', text: String(ability?.id ?? installed?.abilityId ?? '')}
			: {label: 'Installed id', text: String(installed?.id ?? '')};
	const known: readonly LabelledField[] = [
		...(error === undefined ? [] : [{label: 'Not read', text: withMark('error', error.message), tone: 'error' as const}]),
		{label: 'State', text: state.text, tone: state.tone},
		{label: 'Id', text: String(record.id)},
		{label: 'Phrases', text: inForce.phrases?.length === 0 ? 'none' : (inForce.phrases?.join(', ') ?? '')},
		{label: 'Agents', text: agents},
		{label: 'Description', text: ability?.description.trim() ?? ''},
		{label: 'Category', text: categoryText(inForce.category)},
		{label: 'Changed', text: timeText(inForce.changedAt, now)},
		{label: 'Versions', text: ability === undefined ? '' : versionsText(ability)},
		otherId,
	];
	return {known: known.filter(({text}) => text !== ''), other: otherFields(shown, record.name, inForce)};
};
