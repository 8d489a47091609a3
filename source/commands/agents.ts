import {Buffer} from 'node:buffer';
import {isSameValue} from '../changes/fields.ts';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {absenceCheck, installedLookup, stateWord} from '../interface/installed-lookup.ts';
import {nameIdentity} from '../interface/name-index.ts';
import {toPublicRecord, type Ability, type Agent} from '../interface/records.ts';
import type {KeptPrompt} from '../changes/log-lines.ts';
import {shellWord} from '../platform/shell-word.ts';
import {ago} from '../words/age.ts';
import {changeAgent, defineEditAgent, refuseEmptyPrompt} from './agents-edit.ts';
import type {DefineCommand} from './command.ts';
import {isForPerson, refuseReadOnly, type Context} from './context.ts';
import {findRecord, readAndFind, readIfShown, readList, wordFor} from './find-records.ts';
import {agentColumns, defineListCommand, filterOption, listRecords} from './list-command.ts';
import {dryRunOption, wrongValue} from './options.ts';
import type {Column} from './output/lay-table.ts';
import {addTableOptions, chosenFormat, printFields, printRows, type TableOptions} from './output/table.ts';
import {withService, type Service} from './with-service.ts';

type RestoreOptions = TableOptions & {readonly list?: boolean; readonly version?: number};

const bytesOf = ({text}: KeptPrompt): number => Buffer.byteLength(text);

const columns: ReadonlyArray<Column<KeptPrompt>> = [
	{title: 'VERSION', text: ({version}) => String(version), value: ({version}) => version},
	{title: 'REPLACED', text: ({at}) => new Date(at).toISOString(), shownText: ({at}) => ago(at, Date.now()), givesWay: 3},
	{title: 'BY', text: ({via}) => cleanText(via, 40), givesWay: 1},
	{title: 'BYTES', text: kept => String(bytesOf(kept)), value: kept => bytesOf(kept), givesWay: 2},
	{title: 'PROMPT', text: ({text}) => cleanText(text.split('\n').find(line => line.trim() !== '') ?? ''), minimumWidth: 10},
];

const toJson = (kept: KeptPrompt) => ({
	version: kept.version,
	at: new Date(kept.at).toISOString(),
	via: kept.via,
	personality_id: kept.agentId,
	name: kept.name,
	bytes: bytesOf(kept),
	prompt: kept.text,
});

/** The texts of agents that had the word as their id or name when a text was replaced: these agents may be deleted or renamed. */
const findByLabel = ({log}: Service, word: string): readonly KeptPrompt[] =>
	log.list().filter(({agentId, name}) => String(agentId) === word || nameIdentity(name) === nameIdentity(word));

/** Returns the agent that a word names, or the error. */
function findAgent(agents: readonly Agent[], word: string, isToChange: boolean): Agent | SwitchboardError {
	try {
		return findRecord(agents, word, {resource: 'agents', isToChange});
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (error.kind === 'not-found') {
			return error;
		}

		throw error;
	}
}

/** Returns the text to restore: the given version, else the newest text that differs from the prompt. */
function choose(agent: Agent, kept: readonly KeptPrompt[], version: number | undefined): KeptPrompt {
	const {name, raw} = agent;
	if (kept.length === 0) {
		throw new SwitchboardError('not-found', `No earlier prompt of ${name} is kept. Nothing was done.`);
	}

	const chosen = kept.find(each => (version === undefined ? !isSameValue(raw['description'], each.text) : each.version === version));
	if (chosen === undefined) {
		throw new SwitchboardError(
			'not-found',
			version === undefined
				? `All kept prompts of ${name} are the same as its present one. Nothing was done.`
				: `There is no version ${version} of the prompt of ${name}. Nothing was done.`,
			{nextStep: `List them with: switchboard agents restore ${wordFor(agent)} --list`},
		);
	}

	return chosen;
}

async function printKept(context: Context, word: string, options: TableOptions): Promise<void> {
	chosenFormat(context.options, options);
	const kept = await withService(context, async service => {
		const agent = findAgent(await readList(context, service, 'agents'), word, false);
		if (!(agent instanceof SwitchboardError)) {
			return service.log.list().filter(({agentId}) => agentId === agent.id);
		}

		const others = findByLabel(service, word);
		if (others.length === 0) {
			throw agent;
		}

		return others;
	});
	await printRows(context, columns, kept, {
		ifEmpty: 'No earlier prompt of this agent is kept.',
		json: kept.map(each => toJson(each)),
		options,
	});
}

async function restore(context: Context, word: string, {list: isToList = false, version, ...options}: RestoreOptions): Promise<void> {
	if (isToList && version !== undefined) {
		throw new SwitchboardError('usage', '--list and --version cannot be used together.', {nextStep: 'Use one of them.'});
	}

	if (isToList) {
		await printKept(context, word, options);
		return;
	}

	refuseReadOnly(context);
	const stray = (['columns', 'format'] as const).find(name => options[name] !== undefined);
	if (stray !== undefined) {
		throw new SwitchboardError('usage', `--${stray} needs --list.`, {nextStep: `Use: --list --${stray}`});
	}

	await withService(context, async service => {
		const agents = await readList(context, service, 'agents');
		const agent = findAgent(agents, word, true);
		if (agent instanceof SwitchboardError) {
			throw findByLabel(service, word).length === 0
				? agent
				: agent.with({
						nextStep: `Prompts of an agent with that name or id are kept. List them with: switchboard agents restore ${shellWord(word)} --list`,
					});
		}

		const {text} = choose(
			agent,
			service.log.list().filter(({agentId}) => agentId === agent.id),
			version,
		);
		refuseEmptyPrompt(context, agent.name, text);
		await changeAgent(context, service, {agent, agents}, {prompt: text});
	});
}

function readVersion(text: string): number {
	if (!/^[1-9]\d{0,14}$/.test(text)) {
		throw wrongValue('--version', text, 'a number that --list shows');
	}

	return Number(text);
}

/** Returns the abilities of an agent with their states; `undefined` if the service does not show them. */
async function abilitiesText(context: Context, service: Service, {abilityIds}: Agent): Promise<string | undefined> {
	if (abilityIds === undefined || abilityIds.length === 0) {
		return abilityIds && 'none';
	}

	const [abilities, installed] = await Promise.all([
		readIfShown(context, service, 'abilities'),
		readIfShown(context, service, 'installed'),
	]);
	const byId = new Map(abilities?.map(ability => [ability.id, ability]));
	const [find, isAbsent] = [installedLookup(installed ?? []), absenceCheck(installed ?? [])];
	const stateOf = (ability: Ability): string => {
		const record = find(ability);
		return record === undefined && isAbsent(ability) ? 'not installed' : stateWord(record?.isEnabled);
	};

	return abilityIds
		.map(id => {
			const ability = byId.get(id);
			return ability === undefined ? `#${id}` : `${ability.name}${installed === undefined ? '' : ` (${stateOf(ability)})`}`;
		})
		.join(', ');
}

/** Prints only a prompt: in a pipe as the service returned it, on a terminal without characters that would control it. */
function printPrompt(context: Context, {name, prompt, raw: {description}}: Agent): void {
	if (typeof description !== 'string') {
		throw new SwitchboardError('not-found', `The service does not show the prompt of ${name}.`);
	}

	if (isForPerson(context)) {
		context.print(prompt.replace(/\n$/, ''));
	} else {
		context.printData(description);
	}
}

async function getAgent(context: Context, word: string, {prompt: isPromptAlone = false}: {readonly prompt?: boolean}): Promise<void> {
	const {isJson} = context.options;
	if (isPromptAlone && isJson) {
		throw new SwitchboardError('usage', '--json and --prompt cannot be used together.', {nextStep: 'Use one of them.'});
	}

	const {agent, abilities} = await withService(context, async service => {
		const found = await readAndFind(context, service, word, {resource: 'agents', isToChange: false});
		return {agent: found, abilities: isJson || isPromptAlone ? undefined : await abilitiesText(context, service, found)};
	});
	if (isJson) {
		await context.printJson(toPublicRecord('agents', agent));
	} else if (isPromptAlone) {
		printPrompt(context, agent);
	} else {
		const {id, name, prompt} = agent;
		const isBeneath = isForPerson(context) && prompt.trim() !== '';
		printFields(context, [
			['id', String(id)],
			['name', name],
			['abilities', abilities],
			...(isBeneath ? [] : [['prompt', prompt] as const]),
		]);
		if (isBeneath) {
			context.print(`\n${prompt.trimEnd()}`);
		}
	}
}

const defineGetAgent: DefineCommand = (parent, run) =>
	parent
		.command('get')
		.description('show an agent with its abilities and its prompt')
		.argument('<agent>', 'an id, or a name in any case')
		.option('--prompt', 'print only its prompt; in a pipe or a file, byte for byte')
		.examples(
			['switchboard agents get Hearth', 'its abilities with their states, and its prompt'],
			['switchboard agents get Hearth --prompt > prompt.md', 'its prompt, to be edited and given back by “agents edit”'],
			['switchboard agents get 1 --json', 'as the service returned it'],
		)
		.action(run(getAgent));

const defineRestoreAgent: DefineCommand = (parent, run) =>
	addTableOptions(parent.command('restore'), columns)
		.description('bring back a prompt that an agent had before')
		.argument('<agent>', 'an id, or a name in any case')
		.option('--list', 'only list the prompts that are kept')
		.option('--version <number>', 'bring back this one, by its number in --list (default: the last that differs)', readVersion)
		.option('--yes', 'ask nothing, even if the present prompt cannot be kept')
		.option(...dryRunOption)
		.notes(`
Switchboard keeps the last 20 prompts that it replaced of each agent, on this
machine, until you sign out (see: switchboard help environment).`)
		.examples(
			['switchboard agents restore Hearth', 'bring back the last one; on a terminal it shows the change and asks; again to undo'],
			['switchboard agents restore Hearth --list', 'list the prompts that are kept'],
			['switchboard agents restore Hearth --list --format jsonl', 'the same with the whole texts'],
			['switchboard agents restore Hearth --version 3', 'bring back an older one'],
		)
		.action(run(restore, {isLocal: true}));

export const defineAgents: DefineCommand = (parent, run) => {
	const agents = defineListCommand(parent, run, {
		name: 'agents',
		description: 'list agents',
		examples: [
			['switchboard agents', 'with id, abilities and the first line of the prompt'],
			['switchboard agents --json', 'the records as the service returned them'],
			['switchboard agents get Hearth', 'one agent with its abilities and its prompt'],
		],
		columns: agentColumns,
		options: [filterOption],
		list: listRecords('agents', agentColumns, 'There are no agents.'),
	});
	defineGetAgent(agents, run);
	defineEditAgent(agents, run);
	defineRestoreAgent(agents, run);
	return agents;
};
