import {categoryLabel} from '../../interface/categories.ts';
import {cleanText} from '../../interface/clean-text.ts';
import type {Ability, Agent, InstalledAbility} from '../../interface/records.ts';
import {stateWord} from '../../interface/state-word.ts';
import {age} from '../../tui/widgets/age.ts';
import type {Column} from './lay-table.ts';

type AnyAbility = Ability | InstalledAbility;

const id: Column<{readonly id: number}> = {title: 'ID', text: record => String(record.id)};

const name: Column<{readonly name: string}> = {title: 'NAME', text: record => record.name, minimumWidth: 12};

const category: Column<AnyAbility> = {
	title: 'CATEGORY',
	text: record => record.category,
	shownText: record => categoryLabel(record.category),
	minimumWidth: 8,
};

const triggers: Column<AnyAbility> = {title: 'TRIGGERS', text: record => record.triggerPhrases.join(', '), minimumWidth: 10};

const changed: Column<AnyAbility> = {
	title: 'CHANGED',
	text: ({changedAt}) => changedAt === undefined ? '' : new Date(changedAt).toISOString(),
	shownText: ({changedAt}) => age(changedAt, Date.now()),
};

export const agentColumns: ReadonlyArray<Column<Agent>> = [
	id,
	name,
	{title: 'ABILITIES', text: agent => agent.abilityIds?.join(',') ?? '', shownText: agent => agent.abilityIds === undefined ? '' : String(agent.abilityIds.length)},
	{title: 'PROMPT', text: agent => cleanText(agent.prompt.split('\n').find(line => line.trim() !== '') ?? ''), minimumWidth: 10},
];

export const abilityColumns: ReadonlyArray<Column<Ability>> = [
	id,
	name,
	category,
	{title: 'INSTALLED', text: ({isInstalled}) => isInstalled === undefined ? '' : (isInstalled ? 'yes' : 'no')},
	triggers,
	changed,
];

export const installedColumns: ReadonlyArray<Column<InstalledAbility>> = [
	id,
	{title: 'STATE', text: ({isEnabled}) => stateWord(isEnabled)},
	name,
	category,
	triggers,
	changed,
];
