import {Option} from 'commander';
import {isSameValue} from '../changes/fields.ts';
import type {AgentChanges} from '../client/client.ts';
import {SwitchboardError, toSwitchboardError, withoutFailing} from '../interface/errors.ts';
import {cleanName, toPublicRecord, type Agent} from '../interface/records.ts';
import type {ChangeLog} from '../changes/log.ts';
import {setsOf, setStep, type Step} from '../state/plan.ts';
import {reportRecord, sendStep} from './change-items.ts';
import type {DefineCommand} from './command.ts';
import {isInteractive, type Context} from './context.ts';
import {findRecord, findRecords, readAndFind, readList, refuseSplitNames, refuseTakenName, wordFor} from './find-records.ts';
import {confirmOnTerminal} from './input/confirm.ts';
import {chooseEditor, editInEditor} from './input/edit-prompt.ts';
import {readTextFile, readTextOption, standardInput} from './input/read-text.ts';
import {dryRunOption, splitList} from './options.ts';
import {agentColumns} from './list-command.ts';
import {targetWords, withService, refuseSteps, type Service} from './with-service.ts';

/**
Refuses an empty prompt, which is mostly a slip, such as a variable that is not set.

@throws SwitchboardError `usage`, unless `--yes` was given or it is a dry run.
*/
export function refuseEmptyPrompt({isSure, isDryRun}: Context, name: string, prompt: string | undefined): void {
	if (prompt?.trim() === '' && !isSure && !isDryRun) {
		throw new SwitchboardError('usage', `The new prompt of ${name} is empty. Nothing was done.`, {
			nextStep: 'Use --yes to empty it anyway.',
		});
	}
}

/** @throws SwitchboardError `usage` if a prompt would become empty, unless `--yes` was given. */
export function refuseEmptyPrompts(context: Context, steps: readonly Step[]): void {
	for (const {name, values} of setsOf(steps, 'agents')) {
		refuseEmptyPrompt(context, cleanName(name), values.prompt);
	}
}

const promptOptions = ['prompt', 'promptFile', 'description', 'descriptionFile'] as const;

const emptyPrompt = "--prompt '' --yes";

/** An agent, with the list that it was found in. */
type FoundAgent = {readonly agent: Agent; readonly agents: readonly Agent[]};

/**
Changes an agent, asks first if something would be lost, and prints the result.

@param isInputTaken - true if standard input had the new prompt.
*/
export async function changeAgent(
	context: Context,
	service: Service,
	{agent, agents}: FoundAgent,
	changes: AgentChanges,
	isInputTaken = false,
): Promise<void> {
	await refuseSteps(service.client, [setStep('agents', agent, changes)]);
	try {
		await confirmReplacement(context, agent, changes);
		const before = changes.prompt === undefined ? agent : await confirmPrompt(context, service, agent, changes.prompt, isInputTaken);
		const {record} = await sendStep(context, service, setStep('agents', before, changes), 'changed');
		const after = record as Agent;
		const sentence = `${context.isDryRun ? 'Would change' : 'Changed'} ${after.name}.`;
		await reportRecord(context, 'agents', after, {columns: agentColumns, sentence});
		if (!context.isDryRun) {
			noteKeptPrompt(context, service, before, after, agents);
		}
	} catch (error) {
		if (context.options.isJson && toSwitchboardError(error).kind === 'cancelled') {
			await context.printJson(toPublicRecord('agents', agent));
		}

		throw error;
	}
}

/** Asks before replacing abilities that the service does not show (`docs/interface.md`, Records). */
async function confirmReplacement(context: Context, agent: Agent, {abilities}: AgentChanges): Promise<void> {
	if (abilities === undefined || agent.abilityIds !== undefined || context.isSure || context.isDryRun) {
		return;
	}

	if (!isInteractive(context)) {
		throw new SwitchboardError(
			'usage',
			`The service does not show which abilities ${agent.name} has, and there is no terminal to ask for confirmation.`,
			{nextStep: 'Use --yes to replace them without confirmation.'},
		);
	}

	const replacement = abilities.length === 0 ? 'none' : `these ${abilities.length}`;
	await confirmOnTerminal(
		context,
		`The service does not show which abilities ${agent.name} has. Replace them all with ${replacement}?`,
		'Nothing was changed.',
	);
}

/**
On a terminal, shows the changes of a prompt, and asks unless it is a dry run or `--yes` was given. A person may take long, so the agent is
then read again.

@param isInputTaken - true if standard input had the prompt: then no question is possible.
@returns the agent as it is now.
@throws SwitchboardError `cancelled` after a no, `conflict` if the prompt has changed since it was shown.
*/
async function confirmPrompt(context: Context, service: Service, agent: Agent, prompt: string, isInputTaken: boolean): Promise<Agent> {
	const before = textOf(agent);
	if (context.isSure || !isInteractive(context) || (before !== undefined && isSameValue(before, prompt))) {
		return agent;
	}

	if (before !== undefined) {
		await showDifference(context, agent, before, prompt);
	}

	if (context.isDryRun || isInputTaken) {
		return agent;
	}

	await confirmOnTerminal(
		context,
		`Replace the prompt of ${agent.name}?${before === undefined ? ' The service does not show it.' : ''}`,
		'Nothing was changed.',
	);

	const found = await readAgain(context, service, agent);
	return found.agent;
}

const textOf = ({raw: {description}}: Agent): string | undefined => (typeof description === 'string' ? description : undefined);

async function showDifference(context: Context, {name}: Agent, before: string, prompt: string): Promise<void> {
	// Other commands do not need the library that compares texts.
	const [{noteDiff}, {promptDiff}] = await Promise.all([import('./output/diff.ts'), import('../state/text-diff.ts')]);
	context.note(`The prompt of ${name} would change:`);
	noteDiff(context, promptDiff(name, before, prompt));
}

/**
Reads an agent again, after a person may have taken long.

@throws SwitchboardError `conflict` if its prompt has changed.
*/
async function readAgain(context: Context, service: Service, {id, raw: {description: before}}: Agent): Promise<FoundAgent> {
	const agents = await readList(context, service, 'agents');
	const agent = findRecord(agents, String(id), {resource: 'agents'});
	if (agent.raw['description'] !== before) {
		throw new SwitchboardError('conflict', `The prompt of ${agent.name} was changed in the meantime. Nothing was done.`, {
			nextStep: 'Run the command again to see what it is now.',
		});
	}

	return {agent, agents};
}

/** Notes how to restore a replaced prompt, if it is kept. */
function noteKeptPrompt(context: Context, {log}: Service, before: Agent, after: Agent, agents: readonly Agent[]): void {
	const text = textOf(before);
	if (text === undefined || text === textOf(after) || !isNewest(log, before.id, text)) {
		return;
	}

	const isNameShared = agents.some(({id, name}) => id !== after.id && name === after.name);
	const line = ['switchboard agents restore', isNameShared ? String(after.id) : wordFor(after), ...targetWords(context)].join(' ');
	context.note(`The earlier prompt is kept. To bring it back: ${line}`);
}

function isNewest(log: ChangeLog, agentId: number, text: string): boolean {
	// An earlier note said that the prompt could not be kept.
	return withoutFailing(() => log.list().find(kept => kept.agentId === agentId)?.text === text) ?? false;
}

export const defineEditAgent: DefineCommand = (parent, run) =>
	parent
		.command('edit')
		.description('change the name, the prompt or the abilities of an agent; the rest stays as it is')
		.argument('<agent>', 'an id, or a name in any case')
		.option('--name <name>', 'its new name')
		.option('--prompt <text>', 'its new prompt, or “-” for standard input')
		.option('--prompt-file <file>', 'a file with its new prompt, or “-” for standard input')
		.addOption(new Option('--description <text>', 'the same as --prompt').hideHelp())
		.addOption(new Option('--description-file <file>', 'the same as --prompt-file').hideHelp())
		.option('--abilities <list>', 'replace its abilities with these: ids or names, separated by commas')
		.option('--no-abilities', 'remove all its abilities')
		.option('--yes', 'ask nothing, and allow an empty prompt, a name that is taken, and the loss of a prompt that cannot be kept')
		.option(...dryRunOption)
		.notes(`
Without an option it opens the prompt in your editor, then shows what changes
and asks. A text that was not sent is kept, and opened again the next time. This
needs a terminal, and VISUAL or EDITOR; it does not work over SSH.`)
		.examples(
			['EDITOR=nano switchboard agents edit Hearth', 'edit its prompt'],
			['switchboard agents edit Hearth --name Hob', 'rename it'],
			['switchboard agents edit Hearth --prompt-file prompt.md', 'replace its prompt; on a terminal, show what changes and ask first'],
			['switchboard agents edit 1 --abilities pantry,nightwatch', 'give it exactly these two abilities'],
		)
		.action(run(editAgent));

type EditOptions = {
	readonly name?: string;
	readonly prompt?: string;
	readonly promptFile?: string;
	/** The former names of these two options. */
	readonly description?: string;
	readonly descriptionFile?: string;
	/** A list, or `false` for none. */
	readonly abilities?: string | false;
};

async function editAgent(context: Context, word: string, options: EditOptions): Promise<void> {
	if ((['name', 'abilities', ...promptOptions] as const).every(option => options[option] === undefined)) {
		await editByHand(context, word);
		return;
	}

	checkOptions(options);
	await withService(context, async service => {
		const agents = await readList(context, service, 'agents');
		const found = {agents, agent: findRecord(agents, word, {resource: 'agents'})};
		const {name, prompt = options.description} = options;
		// Two agents with one name could not be told apart by it, and no state file could have both.
		if (!context.isSure) {
			refuseTakenName('agents', agents, found.agent, name, 'Choose another name, or use --yes to give it to both.');
		}

		if (textOf(found.agent)?.trim() !== '') {
			refuseEmptyPrompt(context, found.agent.name, prompt);
		}

		const changes = await readChanges(context, service, options);
		await changeAgent(
			context,
			service,
			found,
			changes,
			promptOptions.some(option => options[option] === standardInput),
		);
	});
}

/** Edits the prompt of an agent in the person's own editor. */
async function editByHand(context: Context, word: string): Promise<void> {
	const editor = chooseEditor(context, 'Use --name, --prompt, --prompt-file, --abilities or --no-abilities.');
	await withService(context, async service => {
		const agent = await readAndFind(context, service, word, {resource: 'agents'});
		await editInEditor(context, {service, agent, editor}, async prompt => {
			refuseEmptyPrompt(context, agent.name, prompt);
			await changeAgent(context, service, await readAgain(context, service, agent), {prompt});
		});
	});
}

function checkOptions(options: EditOptions): void {
	const [first, second] = promptOptions
		.filter(option => options[option] !== undefined)
		.map(option => `--${option.replace('File', '-file')}`);
	if (second !== undefined) {
		throw new SwitchboardError('usage', `${first!} and ${second} cannot be used together.`, {nextStep: 'Use one of them.'});
	}

	if (options.name?.trim() === '') {
		throw new SwitchboardError('usage', 'An agent needs a name.', {nextStep: 'Use: --name NAME', field: 'name'});
	}
}

async function readChanges(context: Context, service: Service, options: EditOptions): Promise<AgentChanges> {
	const {name, abilities, prompt = options.description, promptFile = options.descriptionFile} = options;
	return {
		...(name !== undefined && {name}),
		...((prompt ?? promptFile) !== undefined && {
			// Waiting for standard input does not count towards the time limit.
			prompt: await context.waitFor(async () =>
				promptFile === undefined ? readTextOption(context, prompt, emptyPrompt) : readTextFile(context, promptFile, emptyPrompt),
			),
		}),
		...(abilities !== undefined && {abilities: await findAbilityIds(context, service, abilities)}),
	};
}

async function findAbilityIds(context: Context, service: Service, list: string | false): Promise<readonly number[]> {
	if (list === false) {
		return [];
	}

	const words = splitList('--abilities', list, 'To remove all abilities from the agent, use --no-abilities.');
	const abilities = await readList(context, service, 'abilities');
	refuseSplitNames(abilities, words, {resource: 'abilities'});
	return findRecords(abilities, words, {resource: 'abilities'}).map(({id}) => id);
}
