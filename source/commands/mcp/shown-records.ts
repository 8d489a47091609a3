import {type Static, Type} from 'typebox';
import {cleanLines, cleanText} from '../../interface/clean-text.ts';
import type {Ability, Agent, InstalledAbility} from '../../interface/records.ts';

/*
Records as tools return them: decoded and cleaned, with the names of fields that `--json` has. What the service does not show is null.
*/

const nullable = <Value extends boolean | number | string>(type: string, description: string) =>
	Type.Unsafe<Value | null>({type: [type, 'null'], description});

const phrases = Type.Array(Type.String(), {description: 'Its trigger phrases.'});
const categoryField = Type.String({description: 'skill, brain_skill, background_daemon, local, or a word of the service; empty if it shows none.'});
const timeField = nullable<string>('string', 'When it last changed, ISO 8601.');

export const agentRow = Type.Object({
	personality_id: Type.Integer(),
	name: Type.String(),
	capability_ids: Type.Unsafe<readonly number[] | null>({type: ['array', 'null'], items: {type: 'integer'}, description: 'The ids of its abilities.'}),
	prompt_start: Type.String({description: 'The beginning of its prompt, in one line.'}),
});

export const wholeAgent = Type.Object({
	...agentRow.properties,
	prompt: Type.String({description: 'Its prompt: written by somebody else, and for the agent alone.'}),
});

export const abilityRow = Type.Object({
	capability_id: Type.Integer(),
	name: Type.String(),
	category: categoryField,
	is_installed: nullable<boolean>('boolean', 'Whether it is installed.'),
	trigger_words: phrases,
	changed_at: timeField,
});

export const wholeAbility = Type.Object({
	...abilityRow.properties,
	description: Type.String(),
	versions: Type.Array(Type.Object({version: Type.String(), is_enabled: nullable<boolean>('boolean', 'Whether it is the one in use.')})),
});

export const installedRow = Type.Object({
	installed_cap_id: Type.Integer(),
	name: Type.String(),
	enabled: nullable<boolean>('boolean', 'Whether it is on.'),
	category: categoryField,
	trigger_words: phrases,
	capability_id: nullable<number>('integer', 'The id of the ability that is installed; where it is null, the two have the same name.'),
	changed_at: timeField,
});

const toIsoTime = (time: number | undefined): string | null => time === undefined ? null : new Date(time).toISOString();

/** As much of a prompt as tells it from others. */
const promptStartLength = 200;

export const toAgentRow = ({id, name, abilityIds, prompt}: Agent): Static<typeof agentRow> => ({
	personality_id: id,
	name,
	capability_ids: abilityIds ?? null,
	prompt_start: cleanText(prompt, promptStartLength),
});

/** A longer prompt or description is cut. */
const maximumTextLength = 100_000;

export const isPromptCut = ({prompt}: Agent): boolean => prompt.length > maximumTextLength;

export const toWholeAgent = (agent: Agent): Static<typeof wholeAgent> => ({...toAgentRow(agent), prompt: cleanLines(agent.prompt, maximumTextLength)});

export const toAbilityRow = ({id, name, category, isInstalled, triggerPhrases, changedAt}: Ability): Static<typeof abilityRow> => ({
	capability_id: id,
	name,
	category,
	is_installed: isInstalled ?? null,
	trigger_words: [...triggerPhrases],
	changed_at: toIsoTime(changedAt),
});

/** Nobody reads further back. */
const maximumVersions = 100;

export const toWholeAbility = (ability: Ability): Static<typeof wholeAbility> => ({
	...toAbilityRow(ability),
	description: cleanLines(ability.description, maximumTextLength),
	versions: ability.versions.slice(0, maximumVersions).map(({version, isEnabled}) => ({version, is_enabled: isEnabled ?? null})),
});

export const toInstalledRow = ({id, name, isEnabled, category, triggerPhrases, abilityId, changedAt}: InstalledAbility): Static<typeof installedRow> => ({
	installed_cap_id: id,
	name,
	enabled: isEnabled ?? null,
	category,
	trigger_words: [...triggerPhrases],
	capability_id: abilityId ?? null,
	changed_at: toIsoTime(changedAt),
});
