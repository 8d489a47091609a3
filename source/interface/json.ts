import {withoutFailing} from './errors.ts';
import {formatCount} from './format-count.ts';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export type JsonObject = {readonly [key: string]: JsonValue};

export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper values count as different: no known service nests them so deeply, and a hostile one may do so endlessly. */
const maximumComparedDepth = 16;

/** Tells whether two values are equal as JSON; the order of fields does not matter. */
export function isSameJson(first: JsonValue | undefined, second: JsonValue | undefined, depth = 0): boolean {
	if (first === second) {
		return true;
	}

	if (
		typeof first !== 'object' ||
		typeof second !== 'object' ||
		first === null ||
		second === null ||
		Array.isArray(first) !== Array.isArray(second) ||
		depth === maximumComparedDepth
	) {
		return false;
	}

	const [fields, others] = [first as JsonObject, second as JsonObject];
	const names = Object.keys(fields);
	return (
		names.length === Object.keys(others).length &&
		names.every(name => Object.hasOwn(others, name) && isSameJson(fields[name], others[name], depth + 1))
	);
}

/**
Characters that JSON allows unescaped but a terminal would obey or hide. Joiners and variation selectors are kept: words
and emoji are spelled with them.
*/
export const unsafeInTerminal =
	/[\u{7F}-\u{9F}\u{2028}\u{2029}\u{FFF9}-\u{FFFB}]|(?![\u{200C}\u{200D}\u{FE00}-\u{FE0F}])\p{Default_Ignorable_Code_Point}/gu;

/** Items of an array nested deeper are printed on one line each, because the indentation of a deep item can be a hundred times its size. */
const maximumIndentedDepth = 8;

const itemsInAPart = 1000;

/**
Returns the lines of `stringifyJson` in parts, so that the caller can yield to other work.

@yields a thousand items of a long array, or everything else at once.
*/
export function* stringifyJsonInParts(value: unknown): Generator<string> {
	if (!Array.isArray(value) || value.length === 0) {
		yield `${stringify(value, 2)}\n`;
		return;
	}

	for (let start = 0; start < value.length; start += itemsInAPart) {
		const items = value.slice(start, start + itemsInAPart).map(item => stringify(item, 2).replaceAll('\n', '\n  '));
		yield `${start === 0 ? '[' : ','}\n  ${items.join(',\n  ')}${start + itemsInAPart >= value.length ? '\n]\n' : ''}`;
	}
}

function stringify(value: unknown, indentation: 0 | 2): string {
	const isOneLine = indentation === 0 || isDeeper(value, maximumIndentedDepth);
	return JSON.stringify(value, undefined, isOneLine ? 0 : indentation).replaceAll(unsafeInTerminal, escapeCharacter);
}

const isDeeper = (value: unknown, levels: number): boolean =>
	typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some(inner => isDeeper(inner, levels - 1)));

/** JSON escapes UTF-16 units, so a character beyond the first plane becomes two escapes. */
const escapeCharacter = (character: string): string =>
	character
		.split('')
		// eslint-disable-next-line unicorn/prefer-code-point -- Each unit has a separate escape.
		.map(unit => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
		.join('');

/**
Returns a value as JSON text that is safe to print: the same value for any JSON parser, with every character escaped that a
terminal would obey.

@param indentation - spaces per level; 0 gives a single line.
*/
export function stringifyJson(value: unknown, indentation: 0 | 2 = 2): string {
	return indentation === 0 ? stringify(value, 0) : [...stringifyJsonInParts(value)].join('').trimEnd();
}

/** No known service nests JSON deeper than a few levels. */
const maximumDepth = 100;

/** Twenty for each record in a list of 100,000. */
const maximumValues = 2_000_000;

const codeOf = (character: string): number => character.codePointAt(0)!;

const [quote, backslash, comma] = [codeOf('"'), codeOf('\\'), codeOf(',')];

const [openList, closeList, openObject, closeObject] = [codeOf('['), codeOf(']'), codeOf('{'), codeOf('}')];

/**
Returns the reason why JSON text is too large to be parsed, for the end of a sentence; `undefined` if it can be parsed. Parsing cannot be
interrupted, and takes 12 s for 20 MB of brackets; and most code that walks a value walks it by recursion.
*/
export function jsonExcess(text: string): string | undefined {
	let [depth, values] = [0, 0];
	for (let index = 0; index < text.length; index++) {
		const code = text.codePointAt(index);
		const isOpened = code === openList || code === openObject;
		if (isOpened) {
			depth++;
		}

		if (code === closeList || code === closeObject) {
			depth--;
		}

		if (isOpened || code === comma) {
			values++;
		}

		if (code === quote) {
			index = endOfString(text, index);
		}

		if (depth > maximumDepth) {
			return `nested more than ${maximumDepth} levels deep`;
		}

		if (values > maximumValues) {
			return `of more than ${formatCount(maximumValues)} values`;
		}
	}

	return undefined;
}

/**
Returns the value of JSON text; `undefined` if it is not JSON, or too much of it (`jsonExcess`). The error of `JSON.parse` is dropped: it
quotes the text, which may hold a secret.
*/
export function parseJson(text: string): JsonValue | undefined {
	return withoutFailing(() => (jsonExcess(text) === undefined ? (JSON.parse(text) as JsonValue) : undefined));
}

/** Returns the index of the quote that ends a JSON string; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
	for (let index = text.indexOf('"', start + 1); index !== -1; index = text.indexOf('"', index + 1)) {
		let backslashes = 0;
		while (text.codePointAt(index - 1 - backslashes) === backslash) {
			backslashes++;
		}

		if (backslashes % 2 === 0) {
			return index;
		}
	}

	return text.length;
}
