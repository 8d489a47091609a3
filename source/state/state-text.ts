import {Buffer} from 'node:buffer';
import {Document, Scalar, visit} from 'yaml';
import {SwitchboardError} from '../interface/errors.ts';
import {stringifyJson, type JsonObject, type JsonValue} from '../interface/json.ts';
import {maximumTextBytes} from './bounded-text.ts';
import {type ExportedAgent, type ExportedInstalled, type ExportedState} from './exported-state.ts';

/** An object with the fields that are shown. */
const shownFields = (fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
	Object.fromEntries(Object.entries(fields).filter((field): field is [string, JsonValue] => field[1] !== undefined));

/** Only the state where nothing else is shown: it is what people write. */
const installedValue = ({isEnabled, triggerPhrases}: ExportedInstalled): JsonValue =>
	triggerPhrases === undefined && isEnabled !== undefined ? isEnabled : shownFields({enabled: isEnabled, triggers: triggerPhrases});

const agentValue = ({prompt, abilities}: ExportedAgent): JsonValue => shownFields({prompt, abilities});

const byName = <Record_ extends {readonly name: string}>(records: readonly Record_[], valueOf: (record: Record_) => JsonValue): JsonObject | undefined => records.length === 0
	? undefined
	: Object.fromEntries(records.map(record => [record.name, valueOf(record)]));

/** The state as the file has it (`CONTRACT.md`, The state file). */
export const stateValue = ({installed, agents}: ExportedState): JsonObject => shownFields({
	version: 1,
	installed: byName(installed, installedValue),
	agents: byName(agents, agentValue),
});

/** Characters that a terminal would obey or hide, or that YAML forbids: they are escaped, which only double quotes allow. Joiners and variation selectors stay, as in JSON. */
const escaped = /[\0-\u{8}\u{B}-\u{1F}\u{7F}-\u{9F}\u{2028}\u{2029}\u{FFF9}-\u{FFFF}]|(?![\u{200C}\u{200D}\u{FE00}-\u{FE0F}])\p{Default_Ignorable_Code_Point}/u;

const escapeCharacter = (character: string): string => {
	const code = character.codePointAt(0)!;
	return code > 0xFF_FF ? String.raw`\U${code.toString(16).padStart(8, '0')}` : String.raw`\u${code.toString(16).padStart(4, '0')}`;
};

const scalarType = (text: string): Scalar.Type | undefined =>
	escaped.test(text) ? Scalar.QUOTE_DOUBLE : (text.includes('\n') ? Scalar.BLOCK_LITERAL : undefined);

const stringifyYaml = (value: JsonObject): string => {
	// Other tools may take a name such as “yes” for a boolean: it is quoted.
	const document = new Document(value, {compat: 'yaml-1.1'});
	visit(document, {
		Scalar(_key, scalar) {
			const type = typeof scalar.value === 'string' ? scalarType(scalar.value) : undefined;
			if (type !== undefined) {
				scalar.type = type;
			}
		},
	});
	return document.toString({
		lineWidth: 0,
		// A text in double quotes stays on one line.
		doubleQuotedMinMultiLineLength: Infinity,
		trueStr: 'on',
		falseStr: 'off',
	}).replaceAll(new RegExp(escaped, 'gu'), escapeCharacter);
};

/**
The text of a state file, which `readState` reads back to the byte: the same for records in any order, and safe to print.

@throws SwitchboardError `too-large` if `readState` would refuse it.
*/
export const stateText = (state: ExportedState, format: 'yaml' | 'json'): string => {
	const value = stateValue(state);
	const text = format === 'json' ? `${stringifyJson(value)}\n` : stringifyYaml(value);
	if (Buffer.byteLength(text) > maximumTextBytes) {
		throw new SwitchboardError('too-large', 'The state is larger than 1 MiB, the limit for a state file.', {
			nextStep: 'Shorten the longest prompts: switchboard agents',
		});
	}

	return text;
};
