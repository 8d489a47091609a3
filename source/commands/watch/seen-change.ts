import {cleanLines, cleanText} from '../../interface/clean-text.ts';
import type {JsonValue} from '../../interface/json.ts';
import type {Change} from '../../state/change.ts';

/** A change, and when it was seen: ISO 8601 in UTC. */
export type SeenChange = Change & {readonly at: string};

/** The fields in the order of `CONTRACT.md`. */
export const toPublicChange = ({at, kind, name, field, from, to}: SeenChange) => ({
	at, kind, name, field, from, to,
});

/** A system limits what one variable may hold, and all of them together. */
const maximumVariableLength = 4000;

const variableText = (field: Change['field'], value: JsonValue): string => {
	if (value === null) {
		return '';
	}

	if (typeof value === 'boolean') {
		return field === 'enabled' ? (value ? 'on' : 'off') : String(value);
	}

	const text = Array.isArray(value) ? value.join(', ') : (typeof value === 'string' ? value : JSON.stringify(value));
	return field === 'prompt' ? cleanLines(text, maximumVariableLength) : cleanText(text, maximumVariableLength);
};

/** What a program is told of a change in its environment, cleaned and cut to a length that every system takes. */
export const changeVariables = ({at, kind, name, field, from, to}: SeenChange): Readonly<Record<string, string>> => ({
	SWITCHBOARD_CHANGE_AT: at,
	SWITCHBOARD_CHANGE_KIND: kind,
	SWITCHBOARD_CHANGE_NAME: cleanText(name, maximumVariableLength),
	SWITCHBOARD_CHANGE_FIELD: field,
	SWITCHBOARD_CHANGE_FROM: variableText(field, from),
	SWITCHBOARD_CHANGE_TO: variableText(field, to),
});
