import {type Static, Type} from 'typebox';
import type {JsonValue} from '../../interface/json.ts';
import {revealLine, revealText} from '../../interface/reveal-text.ts';
import type {PublicChange, PublicChanges} from '../state/public-changes.ts';
import {inToolWords} from './tool-words.ts';

/* Changes as tools return them: with hidden characters shown, and no longer than an assistant can read. */

const value = (description: string) => Type.Unsafe<JsonValue>({description});

const changeSchema = Type.Object({
	kind: Type.String({description: 'agent, ability or installed.'}),
	name: Type.String(),
	field: Type.String({description: 'The field of the state; installed or exists for a record that is added or removed.'}),
	from: value('The current value; null if it is not known. A long text is shortened.'),
	to: value('The value after the change. A long text is shortened.'),
	done: Type.Optional(Type.Unsafe<boolean | null>({type: ['boolean', 'null'], description: 'Whether the change was made; null if it was sent and may still take effect.'})),
	error: Type.Optional(Type.Object({kind: Type.String(), message: Type.String()})),
});

export const changesOutput = {
	changes: Type.Array(changeSchema),
	not_listed: Type.Optional(Type.Integer({description: 'How many more changes there are than fit here; those that failed are listed first.'})),
	unchanged: Type.Integer({description: 'How many entries of the state the service already matches.'}),
};

const maximumTextLength = 2000;

/** Of all changes together. */
const maximumCharacters = 200_000;

const toShownValue = (given: JsonValue): JsonValue => {
	if (typeof given === 'string') {
		return revealText(given, maximumTextLength);
	}

	return Array.isArray(given) ? given.map(each => toShownValue(each as JsonValue)) : given;
};

const toShownChange = ({kind, name, field, from, to, done, error}: PublicChange): Static<typeof changeSchema> => ({
	kind,
	name: revealLine(name, 200),
	field,
	from: toShownValue(from),
	to: toShownValue(to),
	...(done !== undefined && {done}),
	...(error !== undefined && {error: {kind: error.kind, message: inToolWords(error.message)}}),
});

const takeWhatFits = <Item extends object>(items: readonly Item[]): readonly Item[] => {
	let length = 0;
	const end = items.findIndex(item => {
		length += JSON.stringify(item).length;
		return length > maximumCharacters;
	});
	return end === -1 ? items : items.slice(0, end);
};

/** As many of the changes as an assistant can read, and how many more there are. */
export const toShownChanges = ({changes, unchanged}: PublicChanges) => {
	const all = changes.map(change => toShownChange(change));
	const fitting = takeWhatFits(all);
	const listed = fitting.length === all.length ? all : takeWhatFits([...all.filter(({error}) => error !== undefined), ...all.filter(({error}) => error === undefined)]);
	return {
		changes: [...listed],
		...(listed.length < all.length && {not_listed: all.length - listed.length}),
		unchanged,
	};
};
