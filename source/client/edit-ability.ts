import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {goneText} from '../interface/lists.ts';
import {decodeRecord, hasMorePhrases, rawPhrases, toRawValues, type Ability} from '../interface/records.ts';
import {refusePage} from './answer-errors.ts';
import type {Connection} from './lists.ts';
import {encodeMultipart} from './multipart.ts';
import {isListed} from './record-calls.ts';
import {refuseRemovedKey} from './redact-key.ts';
import {isUnknown} from './routes.ts';

/** Always sent: a field that is left out may be lost (`docs/interface.md`, Changes). */
const sentFields = ['name', 'category', 'description', 'trigger_words', 'selected_keys'] as const;

type SentField = (typeof sentFields)[number];

/** A change of an ability; `undefined` leaves a field as it is. */
export type AbilityChanges = Readonly<Partial<Record<Exclude<SentField, 'trigger_words' | 'selected_keys'>, string | undefined>>> & {
	readonly triggers?: readonly string[] | undefined;
};

/** Returns the fields that an edit would lose, because the list does not show them. */
export function unshownFields({raw}: Ability, changes: AbilityChanges): readonly SentField[] {
	return sentFields.filter(field => !Object.hasOwn({...raw, ...toRawValues(changes)}, field));
}

/**
Changes the name, the category, the description or the trigger phrases of an ability. The fields that stay are sent back as the list shows
them. Not every service can: the operation is not documented.

@param ability - from a list that was read just before.
@returns the ability as the answer shows it, or as it was sent.
@throws SwitchboardError `not-found` if the service does not offer it, or the ability is gone.
*/
export async function editAbility(
	connection: Connection,
	ability: Ability,
	changes: AbilityChanges,
	signal?: AbortSignal,
): Promise<Ability> {
	const {id, name, raw} = ability;
	const fields = {...raw, ...toRawValues(changes)};
	// The service's null means that no keys are linked.
	const sent = sentFields
		.filter(field => Object.hasOwn(fields, field) && (field !== 'selected_keys' || fields[field] !== null))
		.map(field => [field, formTextOf(field, fields[field]!)] as const);
	refuseRemovedKey(name, sent);
	refuseUnsendablePhrases(ability, changes);
	try {
		const answer = refusePage(await connection.call('editAbility', id, {multipart: encodeMultipart(sent), signal}));
		return settled(ability, changes, answer.fields());
	} catch (error_) {
		const error = hideLinkedKeys(toSwitchboardError(error_), ability);
		if (!isUnknown(error) || error.isOutcomeUnknown) {
			throw error;
		}

		const {status} = error;
		throw (await isListed(connection, {resource: 'abilities', id, name, verb: 'edit', signal})) === false
			? new SwitchboardError('not-found', goneText('abilities', name), {status, nextStep: 'Refresh the list.'})
			: new SwitchboardError('not-found', `Not offered: the service cannot edit ${name} (HTTP ${status}).`, {
					status,
					nextStep: 'Use the dashboard instead.',
				});
	}
}

/** A text as a form has it: phrases are separated by commas, and other values are JSON. */
const formTextOf = (field: SentField, value: JsonValue): string =>
	value === null
		? ''
		: typeof value === 'string'
			? value
			: field === 'trigger_words' && Array.isArray(value)
				? value.join(',')
				: JSON.stringify(value);

function refuseUnsendablePhrases({name, raw}: Ability, {triggers}: AbilityChanges): void {
	if (
		triggers === undefined &&
		(hasMorePhrases(raw) || (Array.isArray(raw['trigger_words']) && rawPhrases(raw).some(phrase => phrase.includes(','))))
	) {
		throw new SwitchboardError(
			'refused',
			`The trigger phrases of ${name} cannot be sent back as they are: there are too many, or one has a comma.`,
			{nextStep: 'Replace them too.', field: 'trigger_words'},
		);
	}
}

/** Returns the ability with the changes, as the answer shows it or as they were sent. */
function settled(ability: Ability, changes: AbilityChanges, body: JsonObject): Ability {
	const inner = [body['data'], body['capability'], body['ability']].find(value => isJsonObject(value)) ?? body;
	const answered = decodeRecord('abilities', inner);
	return decodeRecord('abilities', {...ability.raw, ...toRawValues(changes), ...(answered?.id === ability.id && answered.raw)}) ?? ability;
}

/** Some services repeat the sent fields in their errors. */
function hideLinkedKeys(error: SwitchboardError, {raw}: Ability): SwitchboardError {
	const texts = textsIn(raw['selected_keys']).filter(text => text.length > 3 && error.message.includes(text));
	const message = texts.reduce((left, text) => left.replaceAll(text, '[linked key]'), error.message);
	// Without its cause, which repeats them too.
	return texts.length === 0 ? error : new SwitchboardError(error.kind, message, {...error, cause: undefined});
}

const textsIn = (value: JsonValue | undefined): readonly string[] =>
	typeof value === 'string'
		? [value]
		: Array.isArray(value)
			? (value as readonly JsonValue[]).flatMap(each => textsIn(each))
			: isJsonObject(value)
				? Object.values(value).flatMap(each => textsIn(each))
				: [];
