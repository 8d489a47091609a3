import {Buffer} from 'node:buffer';
import {SwitchboardError} from '../interface/errors.ts';
import {stringifyJson, type JsonObject, type JsonValue} from '../interface/json.ts';
import {maximumTextBytes} from './bounded-text.ts';
import {type ExportedAgent, type ExportedInstalled, type ExportedState} from './exported-state.ts';
import {stringifyYaml} from './yaml-text.ts';

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

/**
The text of a state file, which `readState` reads back to the byte: the same for records in any order, and safe to print.

@throws SwitchboardError `too-large` if it is larger than a state file may be.
*/
export const stateText = (state: ExportedState, format: 'yaml' | 'json'): string => {
	const value = stateValue(state);
	const text = format === 'json' ? `${stringifyJson(value)}\n` : stringifyYaml(value, {trueStr: 'on', falseStr: 'off'});
	if (Buffer.byteLength(text) > maximumTextBytes) {
		throw new SwitchboardError('too-large', 'The state is larger than 1 MiB, the limit for a state file.', {
			nextStep: 'Shorten the longest prompts: switchboard agents',
		});
	}

	return text;
};
