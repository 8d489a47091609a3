import {categoryLabel} from '../../interface/categories.ts';
import {cleanText} from '../../interface/clean-text.ts';
import type {JsonObject} from '../../interface/json.ts';
import {
	rawName,
	type Ability,
	type Agent,
	type InstalledAbility,
} from '../../interface/records.ts';
import {stateWord} from '../../interface/state-word.ts';
import {age} from '../../tui/widgets/age.ts';
import type {Column} from './lay-table.ts';

type AnyAbility = Ability | InstalledAbility;

const id: Column<{readonly id: number}> = {title: 'ID', text: record => String(record.id), value: record => record.id};

const name: Column<{readonly name: string; readonly raw: JsonObject}> = {
	title: 'NAME', text: record => record.name, value: rawName, minimumWidth: 12,
};

const category: Column<AnyAbility> = {
	title: 'CATEGORY',
	text: record => record.category,
	shownText: record => categoryLabel(record.category),
	value: record => record.category || null,
	minimumWidth: 8,
};

const triggers: Column<AnyAbility> = {
	title: 'TRIGGERS', text: record => record.triggerPhrases.join(', '), value: record => record.triggerPhrases, minimumWidth: 10,
};

const changedTime = ({changedAt}: AnyAbility): string | undefined => changedAt === undefined ? undefined : new Date(changedAt).toISOString();

const changed: Column<AnyAbility> = {
	title: 'CHANGED',
	text: record => changedTime(record) ?? '',
	value: record => changedTime(record) ?? null,
	shownText: ({changedAt}) => age(changedAt, Date.now()),
};

export const agentColumns: ReadonlyArray<Column<Agent>> = [
	id,
	name,
	{
		title: 'ABILITIES',
		text: agent => agent.abilityIds?.join(',') ?? '',
		shownText: agent => agent.abilityIds === undefined ? '' : String(agent.abilityIds.length),
		value: agent => agent.abilityIds ?? null,
	},
	{
		title: 'PROMPT',
		text: agent => cleanText(agent.prompt.split('\n').find(line => line.trim() !== '') ?? ''),
		value: ({raw, prompt}) => raw['description'] ?? prompt,
		minimumWidth: 10,
	},
];

export const abilityColumns: ReadonlyArray<Column<Ability>> = [
	id,
	name,
	category,
	{title: 'INSTALLED', text: ({isInstalled}) => isInstalled === undefined ? '' : (isInstalled ? 'yes' : 'no'), value: ({isInstalled}) => isInstalled ?? null},
	triggers,
	changed,
];

export const installedColumns: ReadonlyArray<Column<InstalledAbility>> = [
	id,
	{title: 'STATE', text: ({isEnabled}) => stateWord(isEnabled), value: ({isEnabled}) => isEnabled === undefined ? null : stateWord(isEnabled)},
	name,
	category,
	triggers,
	changed,
];
