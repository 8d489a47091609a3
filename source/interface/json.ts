export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export type JsonObject = {readonly [key: string]: JsonValue};

export const isJsonObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values nested deeper count as different: no known service nests them so, and a hostile one may without end. */
const maximumComparedDepth = 16;

/** True if two values are the same JSON; the order of fields does not matter. */
export const isSameJson = (first: JsonValue | undefined, second: JsonValue | undefined, depth = 0): boolean => {
	if (first === second) {
		return true;
	}

	if (typeof first !== 'object' || typeof second !== 'object' || first === null || second === null
		|| Array.isArray(first) !== Array.isArray(second) || depth === maximumComparedDepth) {
		return false;
	}

	const [fields, others] = [first as JsonObject, second as JsonObject];
	const names = Object.keys(fields);
	return names.length === Object.keys(others).length
		&& names.every(name => Object.hasOwn(others, name) && isSameJson(fields[name], others[name], depth + 1));
};

/**
Characters that JSON allows unescaped but a terminal would obey or hide. Joiners and variation selectors are kept: words
and emoji are spelled with them.
*/
export const unsafeInTerminal = /[\u{7F}-\u{9F}\u{2028}\u{2029}\u{FFF9}-\u{FFFB}]|(?![\u{200C}\u{200D}\u{FE00}-\u{FE0F}])\p{Default_Ignorable_Code_Point}/gu;

/** JSON escapes UTF-16 units, so a character beyond the first plane becomes two escapes. */
const escapeCharacter = (character: string): string =>
	// eslint-disable-next-line unicorn/prefer-code-point -- Each unit has an escape of its own.
	character.split('').map(unit => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Values nested deeper are printed on one line: the indentation of a deep one can be a hundred times its size. */
const maximumIndentedDepth = 8;

const isDeeper = (value: unknown, levels: number): boolean =>
	typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some(inner => isDeeper(inner, levels - 1)));

/** As `JSON.stringify` with an indentation of 2, but for the values that are nested deeper. */
const indent = (value: unknown, level = 0): string => {
	if (typeof value !== 'object' || value === null || level === maximumIndentedDepth) {
		return JSON.stringify(value);
	}

	const lines = Array.isArray(value)
		? value.map(inner => indent(inner, level + 1))
		: Object.entries(value).filter(([, inner]) => inner !== undefined).map(([name, inner]) => `${JSON.stringify(name)}: ${indent(inner, level + 1)}`);
	const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
	const lineBreak = `\n${'  '.repeat(level)}`;
	return lines.length === 0 ? open + close : `${open}${lineBreak}  ${lines.join(`,${lineBreak}  `)}${lineBreak}${close}`;
};

/**
A value as JSON text that is safe to print: the same value for any JSON parser, with every character escaped that a
terminal would obey.

@param indentation - spaces per level; 0 gives a single line.
*/
export const stringifyJson = (value: unknown, indentation: 0 | 2 = 2): string => {
	const text = indentation > 0 && isDeeper(value, maximumIndentedDepth) ? indent(value) : JSON.stringify(value, undefined, indentation);
	return text.replaceAll(unsafeInTerminal, escapeCharacter);
};

const itemsInAPart = 1000;

/**
The lines of `stringifyJson` in parts, so that the caller can let others have their turn.

@yields a thousand items of a long array, or everything else at once.
*/
export function * stringifyJsonInParts(value: unknown): Generator<string> {
	if (!Array.isArray(value) || value.length <= itemsInAPart) {
		yield `${stringifyJson(value)}\n`;
		return;
	}

	yield '[';
	for (let start = 0; start < value.length; start += itemsInAPart) {
		// Without the brackets of the part itself.
		yield `${start === 0 ? '' : ','}${stringifyJson(value.slice(start, start + itemsInAPart)).slice(1, -2)}`;
	}

	yield '\n]\n';
}
