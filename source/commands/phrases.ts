import {categoryLabel} from '../interface/categories.ts';
import {cleanText} from '../interface/clean-text.ts';
import {maximumPhraseLength} from '../interface/conversation.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {formatCount} from '../interface/format-count.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import type {JsonObject} from '../interface/json.ts';
import {rawName, type Agent} from '../interface/records.ts';
import {
	countsFor,
	hearSentence,
	installedListeners,
	listPhrases,
	spokenForm,
	type Heard,
	type Hearing,
	type InstalledListener,
	type ListedPhrase,
} from '../interface/trigger-phrases.ts';
import type {DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {findRecord, lookUpAbilityIds, readList} from './find-records.ts';
import {printedStateTone} from './list-command.ts';
import {wrongValue} from './options.ts';
import type {Column} from './output/lay-table.ts';
import {addTableOptions, chosenFormat, printRows, type TableOptions} from './output/table.ts';
import {withService, type Service} from './with-service.ts';

type Heardness = Hearing<InstalledListener> & {
	/** `undefined` where the account has no agent. */
	readonly agent: Agent | undefined;
};

/** Returns the installed abilities with their agents, and the lookup of the abilities that they belong to. */
export async function readListeners(context: Context, service: Service) {
	const records = await readList(context, service, 'installed');
	const agents = await readList(context, service, 'agents');
	if (agents.some(({abilityIds}) => abilityIds === undefined)) {
		context.note('The service does not show which abilities agents have, so each one is listed for every agent.');
	}

	const abilityIdOf = await lookUpAbilityIds(context, service, records);
	return {agents, abilityIdOf, listeners: installedListeners(records, agents, abilityIdOf)};
}

const toJson = ({listener: {record}, phrase}: Heard<InstalledListener>): JsonObject => ({
	installed_cap_id: record.id,
	name: rawName(record),
	phrase,
});

const namesOf = (heard: ReadonlyArray<Heard<InstalledListener>>): string => heard.map(({listener}) => listener.name).join(', ');

const agentName = ({agent}: Heardness): string => agent?.name ?? 'any agent';

const hearingColumns: ReadonlyArray<Column<Heardness>> = [
	{title: 'AGENT', text: agentName, value: ({agent}) => (agent === undefined ? null : rawName(agent)), minimumWidth: 8},
	{
		title: 'STARTS',
		text: ({starts}) => starts?.listener.name ?? '–',
		value: ({starts}) => (starts === undefined ? null : toJson(starts)),
		minimumWidth: 8,
	},
	{title: 'PHRASE', text: ({starts}) => cleanText(starts?.phrase ?? ''), value: ({starts}) => starts?.phrase ?? null, minimumWidth: 10},
	{
		title: 'COLLISIONS',
		text: ({collisions}) => namesOf(collisions),
		value: ({collisions}) => collisions.map(heard => toJson(heard)),
		minimumWidth: 8,
		givesWay: 3,
	},
	{
		title: 'SHORTER',
		text: ({shorter}) => namesOf(shorter),
		value: ({shorter}) => shorter.map(heard => toJson(heard)),
		minimumWidth: 8,
		givesWay: 1,
	},
	{title: 'OFF', text: ({off}) => namesOf(off), value: ({off}) => off.map(heard => toJson(heard)), minimumWidth: 8, givesWay: 4},
];

type Row = ListedPhrase<InstalledListener> & {readonly agents: readonly Agent[]};

function noteOf({listener: {category, isEnabled}, collisions, within, isHeard}: Row): string {
	if (category === 'background_daemon' || category === 'brain_skill') {
		return category === 'brain_skill' ? 'the agent decides' : 'a daemon has no phrases';
	}

	const notes = [
		isHeard ? '' : 'nothing listens',
		collisions.length === 0 ? '' : `${isEnabled === false ? 'starts' : 'collides with'} ${collisions.map(({name}) => name).join(', ')}`,
		within.length === 0 ? '' : `inside ${within.map(({phrase, listener}) => `“${cleanText(phrase)}” of ${listener.name}`).join(', ')}`,
	];
	return notes.filter(Boolean).join('; ');
}

const phraseColumns: ReadonlyArray<Column<Row>> = [
	{title: 'PHRASE', text: ({phrase}) => cleanText(phrase), value: ({phrase}) => phrase, minimumWidth: 16},
	{title: 'ABILITY', text: ({listener}) => listener.name, value: ({listener}) => rawName(listener.record), minimumWidth: 10},
	{title: 'STATE', text: ({listener}) => stateWord(listener.isEnabled), tone: ({listener}) => printedStateTone(listener.isEnabled)},
	{title: 'CATEGORY', text: ({listener}) => listener.category, shownText: ({listener}) => categoryLabel(listener.category), givesWay: 1},
	{
		title: 'AGENTS',
		text: ({agents}) => (agents.length === 0 ? 'all' : agents.map(({name}) => name).join(', ')),
		minimumWidth: 8,
		givesWay: 2,
	},
	{title: 'NOTE', text: noteOf, minimumWidth: 12, givesWay: 3},
];

const toRowJson = (row: Row): JsonObject => ({
	phrase: row.phrase,
	installed_cap_id: row.listener.id,
	name: rawName(row.listener.record),
	enabled: row.listener.isEnabled ?? null,
	agents: row.agents.map(agent => rawName(agent)),
	heard: row.isHeard,
	collisions: row.collisions.map(({record}) => rawName(record)),
	within: row.within.map(heard => toJson(heard)),
});

type PhrasesOptions = TableOptions & {readonly agent?: string};

async function showPhrases(context: Context, sentence: string | undefined, options: PhrasesOptions): Promise<void> {
	chosenFormat(context.options, options);
	if (sentence !== undefined && spokenForm(sentence) === '') {
		throw new SwitchboardError('usage', 'The sentence has no words.', {nextStep: 'Leave it out to see all phrases.'});
	}

	// Each phrase is searched for in it.
	if (sentence !== undefined && sentence.length > maximumPhraseLength) {
		throw new SwitchboardError('usage', `The sentence has more than ${formatCount(maximumPhraseLength)} characters.`);
	}

	const columns: ReadonlyArray<Column<never>> = sentence === undefined ? phraseColumns : hearingColumns;
	const wrong = options.columns?.find(name => columns.every(({title}) => title.toLowerCase() !== name));
	if (wrong !== undefined) {
		throw wrongValue('--columns', wrong, `some of ${columns.map(({title}) => title.toLowerCase()).join(', ')}, separated by commas`);
	}

	const {agents, chosen, listeners} = await withService(context, async service => {
		const found = await readListeners(context, service);
		return {
			...found,
			chosen: options.agent === undefined ? undefined : findRecord(found.agents, options.agent, {resource: 'agents', isToChange: false}),
		};
	});
	if (sentence === undefined) {
		const counted = chosen === undefined ? listeners : listeners.filter(listener => countsFor(listener, chosen.id));
		const agentById = new Map(agents.map(agent => [agent.id, agent]));
		const rows = listPhrases(counted).map((row): Row => ({...row, agents: row.listener.agentIds.map(id => agentById.get(id)!)}));
		await printRows(context, phraseColumns, rows, {
			ifEmpty: 'No installed ability has a trigger phrase.',
			options,
			json: rows.map(row => toRowJson(row)),
		});
		return;
	}

	const hearing = (chosen === undefined ? (agents.length === 0 ? [undefined] : agents) : [chosen]).map(
		(agent): Heardness => ({
			...hearSentence(sentence, agent === undefined ? listeners : listeners.filter(listener => countsFor(listener, agent.id))),
			agent,
		}),
	);
	await printRows(context, hearingColumns, hearing, {
		ifEmpty: '',
		options,
		json: hearing.map(({agent, starts, collisions, shorter, off}) => ({
			agent: agent === undefined ? null : rawName(agent),
			personality_id: agent?.id ?? null,
			starts: starts === undefined ? null : toJson(starts),
			collisions: collisions.map(heard => toJson(heard)),
			shorter: shorter.map(heard => toJson(heard)),
			off: off.map(heard => toJson(heard)),
		})),
	});
	context.note('This is how the bundled service matches phrases; others may differ.');
}

export const definePhrases: DefineCommand = (parent, run) =>
	addTableOptions(parent.command('phrases'), [...hearingColumns, ...phraseColumns])
		.description('show the ability that a sentence would start, or all trigger phrases')
		.argument('[sentence]', "the words that somebody says; without it, all phrases, and those that get in each other's way")
		.option('--agent <agent>', 'only phrases that this agent hears')
		.examples(
			['switchboard phrases "lights out"', 'the ability that would start, for each agent'],
			['switchboard phrases --agent Hearth', 'all phrases that Hearth listens for'],
		)
		.notes(`
The longest phrase found word for word in the sentence wins; if two abilities
have it, the one with the lower id starts. Case and punctuation do not matter.
An ability is started only while it is on, and by the agents that have it; one
that no agent has is started by every agent. A daemon has no phrases, and the
agent decides when a brain skill runs.`)
		.action(run(showPhrases));
