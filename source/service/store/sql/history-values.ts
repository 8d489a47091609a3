import {deflateSync, inflateSync} from 'node:zlib';
import {describeWithStart, type LongText, longTextCharacters} from '../../../interface/history.ts';
import type {JsonValue} from '../../../interface/json.ts';
import {hunksOf, hunkTitle} from '../../../interface/unified-diff.ts';

/*
The values of an entry of the history. Each is stored twice if it is long: described, as a page has it, and as a whole, compressed. Of a long
text that replaces another value only the difference is stored.
*/

/** Of a text with many more changed lines both versions are shown: looking for what they share would hold up every other request. */
const maximumEdits = 500;

/** Speed counts: the process does nothing else meanwhile. */
const compressionLevel = 1;

/** What an entry that is read alone has in place of the descriptions. */
type LongValues = {readonly from?: JsonValue; readonly to?: JsonValue; readonly difference?: string};

export type StoredValues = {
	/** JSON. */
	readonly from: string;
	/** JSON. */
	readonly to: string;
	/** Compressed; null if neither is long. */
	readonly longTexts: Uint8Array | null;
};

/** The text of a value: that of a list is its JSON. */
const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

const differenceOf = (from: JsonValue, to: string): string =>
	hunksOf(typeof from === 'string' ? from : '', to, maximumEdits)
		.flatMap(hunk => [hunkTitle(hunk), ...hunk.lines])
		.join('\n');

export const storeValues = (from: JsonValue, to: JsonValue): StoredValues => {
	const [fromText, toText] = [textOf(from), textOf(to)];
	const isFromLong = fromText.length > longTextCharacters;
	const isToLong = toText.length > longTextCharacters;
	const long: LongValues = {
		...(isFromLong && {from}),
		...(isToLong && (typeof to === 'string' ? {difference: differenceOf(from, to)} : {to})),
	};
	return {
		from: JSON.stringify(isFromLong ? describeWithStart(fromText) : from),
		to: JSON.stringify(isToLong ? describeWithStart(toText) : to),
		longTexts: isFromLong || isToLong ? deflateSync(JSON.stringify(long), {level: compressionLevel}) : null,
	};
};

/** The values of an entry; with its long texts the whole of them, but for the text of which there is a difference. */
export const readValues = ({from, to, longTexts}: StoredValues): {readonly from: JsonValue; readonly to: JsonValue} => {
	const values = {from: JSON.parse(from) as JsonValue, to: JSON.parse(to) as JsonValue};
	if (longTexts === null) {
		return values;
	}

	const {difference, ...whole} = JSON.parse(inflateSync(longTexts).toString()) as LongValues;
	if (difference === undefined) {
		return {...values, ...whole};
	}

	const {characters, sha256} = values.to as LongText;
	return {...values, ...whole, to: {characters, sha256, difference}};
};
