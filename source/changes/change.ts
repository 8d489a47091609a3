import {cleanText} from '../interface/clean-text.ts';
import {counted, formatCount} from '../interface/format-count.ts';
import {isLongText} from '../interface/history.ts';
import type {JsonValue} from '../interface/json.ts';
import {ownTimeZone, type TimeZone} from '../words/time-zone.ts';
import {timerText} from '../words/timer-words.ts';
import {typeOfField, type FieldName, type RecordKind} from './fields.ts';

/**
One field of one record that differs, for `plan`, `apply` and `watch` (`docs/compatibility.md`, JSON). A field has the name that it has in
the state file; `installed` and `exists` are whether there is such a record at all, from false to true when it is installed or created.
`source` goes from the version on the service (null where there is no such ability, empty where the service shows none) to the folder.
`version` is the one in use, and `draft` the one that is saved and not used; no state file has them.
*/
export type Change = {
	readonly kind: RecordKind;
	readonly name: string;
	readonly field: FieldName | 'installed' | 'exists' | 'source' | 'draft';
	readonly from: JsonValue;
	readonly to: JsonValue;
};

const maximumLength = 200;

const stateText = (value: JsonValue): string => (value === null ? '?' : value === true ? 'on' : 'off');

const listText = (value: JsonValue): string =>
	Array.isArray(value) ? (value.length === 0 ? 'none' : cleanText(value.join(', '), maximumLength)) : '?';

/** A line break ends the last line and begins no other. */
const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n');

/** A prompt is long and may hold anything: its number of lines is enough. */
const promptText = (value: JsonValue): string =>
	typeof value === 'string' ? (value === '' ? 'empty' : counted(linesOf(value).length, 'line')) : plainText(value);

const texts: Readonly<Partial<Record<string, (value: JsonValue) => string>>> = {state: stateText, list: listText, lines: promptText};

/** A field with its former and its new value, of a change or of an entry of a history. */
type Values = Pick<Change, 'from' | 'to'> & {readonly kind: string; readonly field: string};

/** Returns a value in a few words, such as `on` or `3 lines`. The field of a history may be any word. */
export function valueText({kind, field}: Pick<Values, 'kind' | 'field'>, value: JsonValue, timeZone = ownTimeZone): string {
	const type = typeOfField(kind, field) ?? '';
	if (value === null && (field === 'draft' || type === 'timer')) {
		return 'none';
	}

	return type === 'timer' ? timerText(value, timeZone) : (texts[type] ?? plainText)(value);
}

function plainText(value: JsonValue): string {
	if (value === null) {
		return '?';
	}

	return isLongText(value)
		? counted(value.characters, 'character')
		: cleanText(typeof value === 'string' ? value : JSON.stringify(value), maximumLength);
}

const presenceWords: ReadonlyMap<string, readonly [there: string, gone: string]> = new Map([
	['installed', ['installed', 'uninstalled']],
	['exists', ['created', 'deleted']],
]);

/** Returns the changes of a record that are counted: with a switch, its timer is not one more. */
export function countedChanges<C extends {readonly field: string}>(changes: readonly C[]): readonly C[] {
	return changes.some(({field}) => field === 'enabled') ? changes.filter(({field}) => field !== 'timer') : changes;
}

/** Returns a change that was made, after the name of its record: `off → on`, `prompt: 3 lines → 5 lines` or `installed`. */
export function doneText(values: Values, timeZone = ownTimeZone): string {
	const [there, gone] = presenceWords.get(values.field) ?? [];
	return (values.to === true ? there : gone) ?? `${values.field === 'enabled' ? '' : `${values.field}: `}${valuesText(values, timeZone)}`;
}

/** Returns both values, such as `off → on` or `3 lines → 3 lines (1 changed)`. */
function valuesText(values: Values, timeZone: TimeZone): string {
	const {from, to} = values;
	const before = isLongText(from) && isLongText(to) ? formatCount(from.characters) : valueText(values, from, timeZone);
	return `${before} → ${valueText(values, to, timeZone)}${remark(values)}`;
}

/** Returns the remark after a change whose texts are not enough. */
function remark({field, from, to}: Values): string {
	if (field === 'abilities' && from === null) {
		// An agent has only its own fields that are sent.
		return ' (replaces all that it has)';
	}

	if (field !== 'prompt' || typeof from !== 'string' || typeof to !== 'string' || promptText(from) !== promptText(to)) {
		return '';
	}

	if (from.replace(/\n$/, '') === to.replace(/\n$/, '')) {
		return ' (only the line break at the end)';
	}

	const linesBefore = new Set(linesOf(from));
	const changedCount = linesOf(to).filter(line => !linesBefore.has(line)).length;
	return changedCount === 0 ? '' : ` (${formatCount(changedCount)} changed)`;
}

type Named = Values & {readonly name: string};

/** Returns a change in one line, such as `~ pantry: off → on`; `+` marks a new record or value, `-` a removed one. */
export function changeText(change: Named, timeZone = ownTimeZone): string {
	const {kind, name, field, from, to} = change;
	if (field === 'installed' || field === 'exists') {
		const [sign, verb] =
			to === true ? ['+', field === 'installed' ? 'install' : 'create'] : ['-', field === 'installed' ? 'uninstall' : 'delete'];
		return `${sign} ${kind === 'agent' ? 'agent ' : ''}${cleanText(name, maximumLength)}: ${verb}`;
	}

	if (field === 'source') {
		return from === null
			? `+ ${cleanText(name, maximumLength)}: upload ${plainText(to)}`
			: `~ ${cleanText(name, maximumLength)}: release ${plainText(to)}${from === '' ? '' : ` in place of version ${plainText(from)}`}`;
	}

	return `~ ${subjectOf(change)}: ${valuesText(change, timeZone)}`;
}

/** The subject of a change: the kind is named unless it is the usual one, and the field unless it is the state. */
const subjectOf = ({kind, name, field}: Named): string =>
	[kind === 'installed' ? '' : kind, cleanText(name, maximumLength)].filter(Boolean).join(' ') + (field === 'enabled' ? '' : ` ${field}`);
