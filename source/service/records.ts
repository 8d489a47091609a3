import * as Type from 'typebox';
import {cleanText, hasHiddenCharacters, normalizeText} from '../interface/clean-text.ts';
import {refuseField, triggerPhraseProblem} from '../interface/names.ts';
import type {OverdueReason} from '../interface/timers.ts';

/*
The schemas of the records that the service returns, with every field that public clients show (`docs/interface.md`, Records), and of the
parts of its bodies and answers.
*/

type Annotations = {readonly description?: string};

/**
Returns the schema of a type or null, written as a list of types: the serializer then does not try alternatives one by one, and a wrong
value is one error, not two.
*/
export function nullable<Kind extends 'string' | 'integer' | 'boolean'>(type: Kind, annotations: Annotations = {}) {
	return Type.Unsafe<{string: string; integer: number; boolean: boolean}[Kind] | null>({...annotations, type: [type, 'null']});
}

/** The body of every error (`docs/interface.md`, Errors). It has a code if clients should tell it from other errors with its status. */
export const errorBody = Type.Object({detail: Type.String(), code: Type.Optional(Type.String())}, {title: 'Error'});

/** The answer of an operation that returns no record. */
export const doneAnswer = Type.Object({detail: Type.String()}, {title: 'Done'});

/** Returns an identifier in a body: a number, or its digits as a string (`docs/interface.md`, Records). */
export function identifierText(annotations: Annotations = {}): Type.TUnsafe<number | string> {
	return Type.Unsafe<number | string>({...annotations, type: ['integer', 'string'], pattern: String.raw`^\d+$`});
}

/** Returns the bytes of a file in a form or an answer. */
export function binaryText(annotations: Annotations = {}): Type.TUnsafe<string> {
	return Type.Unsafe<string>({...annotations, type: 'string', format: 'binary'});
}

const triggerWords = Type.Array(Type.String(), {description: 'Trigger phrases'});
const category = Type.String({description: '`skill`, `brain_skill`, `background_daemon` or `local`'});
const lastUpdated = Type.String({format: 'date-time'});

export const agentRecord = Type.Object(
	{
		id: Type.Integer(),
		personality_id: Type.Integer(),
		name: Type.String(),
		description: Type.String({description: 'The prompt of the agent'}),
		matching_capabilities: Type.Array(Type.Integer(), {description: 'Ids of the abilities tied to the agent'}),
		image: Type.Optional(nullable('string', {description: 'A data URI'})),
	},
	{title: 'Agent'},
);

export type AgentRecord = Type.Static<typeof agentRecord>;

const releaseFields = {
	id: Type.Integer({description: 'Release id'}),
	version: Type.String(),
	is_committed: Type.Boolean({description: 'False for a draft'}),
	is_user_enabled: Type.Boolean({description: 'True for the version in use'}),
};

/** Newest first. */
export const releaseRecords = Type.Array(Type.Object({...releaseFields, commit_message: Type.String()}, {title: 'Release'}));

export const abilityRecord = Type.Object(
	{
		id: Type.Integer(),
		capability_id: Type.Integer(),
		name: Type.String(),
		category,
		description: Type.String(),
		trigger_words: triggerWords,
		is_installed: Type.Boolean(),
		is_approved: Type.Boolean(),
		is_published: Type.Boolean(),
		image_file: nullable('string'),
		last_updated: lastUpdated,
		selected_keys: Type.Array(Type.String(), {maxItems: 0, description: 'Always empty: no keys of other services are linked here'}),
		capability_versions: Type.Array(Type.Object(releaseFields), {description: 'Newest first'}),
	},
	{title: 'Ability'},
);

export type AbilityRecord = Type.Static<typeof abilityRecord>;

const timerFields = {
	enabled: Type.Boolean({description: 'The state to come'}),
	at: Type.String({format: 'date-time'}),
	by: Type.String({description: 'The person who set it, else the name of the key'}),
	note: Type.String(),
	overdue: Type.Unsafe<OverdueReason | null>({
		type: ['string', 'null'],
		description: 'Why it was not done: it was `late`, or its `key` may no longer switch',
	}),
};

const timerRecord = Type.Object(timerFields, {title: 'Timer'});

export type TimerRecord = Type.Static<typeof timerRecord>;

export const timerRecords = Type.Object(
	{
		timers: Type.Array(Type.Object({installed_cap_id: Type.Integer(), name: Type.String(), ...timerFields}), {
			description: 'Soonest first',
		}),
	},
	{title: 'Timers'},
);

const installedFields = {
	id: Type.Integer(),
	installed_cap_id: Type.Integer(),
	capability_id: Type.Integer({description: 'Id of the ability'}),
	name: Type.String(),
	category,
	enabled: Type.Boolean(),
	trigger_words: triggerWords,
	last_updated: lastUpdated,
	image_file: nullable('string'),
	default: Type.Boolean(),
	system_capability: Type.Boolean(),
	agent_capability: Type.Boolean(),
	shortcut: Type.Boolean(),
	timer: Type.Optional(timerRecord),
};

export const installedRecord = Type.Object(installedFields, {title: 'InstalledAbility'});

export type InstalledRecord = Type.Static<typeof installedRecord>;

/** The installed record of one ability, with the release in use. */
export const installedReleaseRecord = Type.Object(
	{...installedFields, release_id: Type.Integer(), version: Type.String(), is_committed: Type.Boolean(), releases: releaseRecords},
	{title: 'InstalledRelease'},
);

export type InstalledReleaseRecord = Type.Static<typeof installedReleaseRecord>;

/** Returns a name as it is stored and compared: trimmed, in the normal form of Unicode. */
export function normalizeName(name: string): string {
	return normalizeText(name.trim());
}

/** Some emoji are several joined signs, which screens show separately (`cleanText`). */
const withoutJoiners = (name: string): string => name.replaceAll(/[\u{200D}\u{FE0F}]/gu, '');

/** Returns the problem of a name that people choose freely, as a clause that follows its label; `undefined` if it has none. */
export function displayNameProblem(name: string, maximumLength: number): string | undefined {
	const normalized = normalizeName(name);
	if (normalized === '') {
		return 'must not be empty';
	}

	return [...normalized].length > maximumLength
		? `may be at most ${maximumLength} characters long`
		: !hasHiddenCharacters(normalized) && withoutJoiners(cleanText(normalized)) === withoutJoiners(normalized)
			? undefined
			: 'must not contain control, invisible or line-break characters';
}

/**
Reads the name of an ability.

@throws SwitchboardError `refused`, naming the field.
*/
export function readAbilityName(name: string): string {
	checkField('name', displayNameProblem(name, 200));
	const normalized = normalizeName(name);
	checkField('name', /^\d+$/.test(normalized) ? 'must not be digits alone, which would be an id' : undefined);
	return normalized;
}

/** @throws SwitchboardError `refused`, naming the field, if there is a problem: a clause. */
export function checkField(field: string, problem: string | undefined): void {
	refuseField(field, `The field ${field}`, problem);
}

/** @throws SwitchboardError `refused`, naming the field, if the text is too long. */
export function checkLength(field: string, text: string, maximumLength: number): void {
	checkField(field, text.length > maximumLength ? `may be at most ${maximumLength} characters long` : undefined);
}

/** @throws SwitchboardError `refused`, naming the field and the phrase, if the phrase is not valid. */
export function checkTriggerPhrase(phrase: string): void {
	refuseField('trigger_words', `The field trigger_words is not valid: “${cleanText(phrase, 220)}”`, triggerPhraseProblem(phrase));
}
