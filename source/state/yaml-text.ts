import {Document, Scalar, visit, type ToStringOptions} from 'yaml';
import {unsafeInTerminal} from '../interface/json.ts';

/** Characters that JSON escapes already, and that YAML forbids (its specification, section 5.1). */
const controlCharacters = /[\0-\u{8}\u{B}-\u{1F}\u{D800}-\u{DFFF}\u{FFFE}\u{FFFF}]/u;

const escaped = new RegExp(`${controlCharacters.source}|${unsafeInTerminal.source}`, 'gu');

/**
Characters that only a quoted text may hold: an escape, or space at the beginning, which some blocks would lose. Without the flag `g`,
`test` does not remember its place.
*/
const needsQuotes = new RegExp(String.raw`^\s|${escaped.source}`, 'u');

/**
Returns a value as YAML that is safe to print: the same value for any YAML parser, with every character escaped that a terminal would
obey or hide. Texts of several lines are blocks.
*/
export function stringifyYaml(value: unknown, words: Pick<ToStringOptions, 'trueStr' | 'falseStr'> = {}): string {
	// A name such as “yes” is quoted: older parsers read it as a boolean.
	const document = new Document(value, {aliasDuplicateObjects: false, compat: 'yaml-1.1'});
	visit(document, {
		Scalar(_key, node) {
			if (typeof node.value === 'string' && needsQuotes.test(node.value)) {
				node.type = Scalar.QUOTE_DOUBLE;
			}
		},
	});
	return document
		.toString({lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER, ...words})
		.replaceAll(escaped, escapeCharacter);
}

/** YAML escapes whole characters, JSON the halves of those beyond the first plane. */
function escapeCharacter(character: string): string {
	const hex = character.codePointAt(0)!.toString(16);
	return hex.length > 4 ? String.raw`\U${hex.padStart(8, '0')}` : String.raw`\u${hex.padStart(4, '0')}`;
}
