import {Document, Scalar, visit} from 'yaml';
import {unsafeInTerminal} from '../interface/json.ts';

/** Without the flag `g`, which would make `test` remember its place. */
const unsafe = new RegExp(unsafeInTerminal.source, 'u');

/** YAML escapes whole characters, JSON the halves of those beyond the first plane. */
const escapeCharacter = (character: string): string => {
	const hex = character.codePointAt(0)!.toString(16);
	return hex.length > 4 ? String.raw`\U${hex.padStart(8, '0')}` : String.raw`\u${hex.padStart(4, '0')}`;
};

/**
A value as YAML that is safe to print: the same value for any YAML parser, with every character escaped that a terminal would
obey or hide. Texts of several lines are blocks.
*/
export const stringifyYaml = (value: unknown): string => {
	const document = new Document(value, {aliasDuplicateObjects: false});
	visit(document, {
		Scalar(_key, node) {
			// Only a quoted text may hold an escape.
			if (typeof node.value === 'string' && unsafe.test(node.value)) {
				node.type = Scalar.QUOTE_DOUBLE;
			}
		},
	});
	return document.toString({lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER}).replaceAll(unsafeInTerminal, escapeCharacter);
};
