import {Option} from 'commander';
import type {AgentChanges} from '../client/client.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {findNamesake} from '../interface/name-index.ts';
import {toPublicRecord, type Agent} from '../interface/records.ts';
import {examples, type DefineCommand} from './command.ts';
import {isForPerson, isInteractive, type Context} from './context.ts';
import {
	dryRunOption,
	noteDryRun,
	startChange,
	type DryRunOption,
} from './dry-run.ts';
import {findRecord, readAndFindAll} from './find-records.ts';
import {confirmOnTerminal} from './input/confirm.ts';
import {readTextFile, readTextOption, standardInput} from './input/read-text.ts';
import {refuseBoth} from './input/refuse-both.ts';
import {splitList} from './input/split-list.ts';
import {agentColumns} from './output/columns.ts';
import {printTable} from './output/table.ts';
import {readList} from './read-list.ts';
import {confirmPrompt, noteKeptPrompt, refuseEmptyPrompt} from './replace-prompt.ts';
import {sendEdit} from './send-edit.ts';
import {withService, type Service} from './with-service.ts';

type EditOptions = DryRunOption & {
	readonly name?: string;
	readonly prompt?: string;
	readonly promptFile?: string;
	/** The former names of these two. */
	readonly description?: string;
	readonly descriptionFile?: string;
	/** A list, or `false` for none. */
	readonly abilities?: string | false;
	readonly yes?: boolean;
};

const findAbilityIds = async (context: Context, service: Service, list: string | false): Promise<readonly number[]> => {
	if (list === false) {
		return [];
	}

	const words = splitList('--abilities', list, 'To remove all abilities from the agent, use --no-abilities.');
	const abilities = await readAndFindAll(context, service, words, {resource: 'abilities'});
	return abilities.map(({id}) => id);
};

const promptFlags = {
	prompt: '--prompt', promptFile: '--prompt-file', description: '--description', descriptionFile: '--description-file',
} as const satisfies Partial<Record<keyof EditOptions, string>>;

/** Where the new prompt comes from; neither if it stays. */
type PromptSource = {readonly text: string | undefined; readonly file: string | undefined};

const emptyPrompt = '--prompt \'\' --yes';

/** The new prompt; what standard input takes to come is not counted. */
const readPrompt = async (context: Context, {text, file}: PromptSource): Promise<string | undefined> =>
	context.waitFor(async () => file === undefined ? readTextOption(context, text, emptyPrompt) : readTextFile(context, file, emptyPrompt));

const promptSource = ({prompt, promptFile, description, descriptionFile}: EditOptions): PromptSource => ({text: prompt ?? description, file: promptFile ?? descriptionFile});

const readChanges = async (context: Context, service: Service, options: EditOptions): Promise<AgentChanges> => {
	const source = promptSource(options);
	return {
		...(options.name !== undefined && {name: options.name}),
		...((source.text ?? source.file) !== undefined && {prompt: await readPrompt(context, source)}),
		...(options.abilities !== undefined && {abilityIds: await findAbilityIds(context, service, options.abilities)}),
	};
};

const checkOptions = (context: Context, word: string, options: EditOptions): void => {
	const {name, abilities} = options;
	const flags = (Object.keys(promptFlags) as ReadonlyArray<keyof typeof promptFlags>).filter(each => options[each] !== undefined).map(each => promptFlags[each]);
	if ([name, abilities].every(value => value === undefined) && flags.length === 0) {
		throw new SwitchboardError('usage', 'Nothing to change.', {nextStep: 'Use --name, --prompt, --prompt-file, --abilities or --no-abilities.'});
	}

	if (flags.length > 1) {
		throw new SwitchboardError('usage', `${flags[0]!} and ${flags[1]!} cannot be used together.`, {nextStep: 'Use one of them.'});
	}

	if (name?.trim() === '') {
		throw new SwitchboardError('usage', 'An agent needs a name.', {nextStep: 'Use: --name NAME', field: 'name'});
	}

	refuseEmptyPrompt(context, word, promptSource(options).text);
};

/** An agent, and the list that it was found in. */
export type FoundAgent = {readonly agent: Agent; readonly agents: readonly Agent[]};

/** Two agents of one name could not be told apart by it, and no state file can have both. */
const refuseTakenName = (context: Context, {agent, agents}: FoundAgent, name: string | undefined): void => {
	const other = name === undefined || context.isSure ? undefined : findNamesake(agents, agent, name);
	if (other !== undefined) {
		throw new SwitchboardError('conflict', `The name “${other.name}” is taken by agent ${other.id}. Nothing was done.`, {
			nextStep: 'Choose another name, or use --yes to give it to both.', field: 'name',
		});
	}
};

/** Asks before abilities are replaced that the service does not show (`LIVE-SERVICE.md`, Records). */
const confirmReplacement = async (context: Context, agent: Agent, {abilityIds}: AgentChanges): Promise<void> => {
	if (abilityIds === undefined || agent.abilityIds !== undefined || context.isSure || context.isDryRun) {
		return;
	}

	if (!isInteractive(context)) {
		throw new SwitchboardError('usage', `The service does not show which abilities ${agent.name} has, and there is no terminal to ask for confirmation.`, {
			nextStep: 'Use --yes to replace them without confirmation.',
		});
	}

	const replacement = abilityIds.length === 0 ? 'none' : `these ${abilityIds.length}`;
	await confirmOnTerminal(context, false, `The service does not show which abilities ${agent.name} has. Replace them all with ${replacement}?`, 'Nothing was changed.');
};

const report = async (context: Context, agent: Agent): Promise<void> => {
	if (context.options.isJson) {
		await context.printJson(toPublicRecord('agents', agent));
	} else if (isForPerson(context)) {
		context.print(`${context.isDryRun ? 'Would change' : 'Changed'} ${agent.name}.`);
	} else {
		await printTable(context, agentColumns, [agent]);
	}

	noteDryRun(context);
};

/**
Changes an agent, asks first where something would be lost, and prints it as it is then.

@param isInputTaken - true if standard input had the new prompt.
*/
export const changeAgent = async (context: Context, service: Service, {agent, agents}: FoundAgent, changes: AgentChanges, isInputTaken = false): Promise<void> => {
	try {
		await confirmReplacement(context, agent, changes);
		const before = changes.prompt === undefined ? agent : await confirmPrompt(context, service, agent, changes.prompt, isInputTaken);
		const after = await sendEdit(context, service, before, changes);
		await report(context, after);
		if (!context.isDryRun) {
			noteKeptPrompt(context, service, before, after, agents);
		}
	} catch (error) {
		if (context.options.isJson && toSwitchboardError(error).kind === 'cancelled') {
			await context.printJson(toPublicRecord('agents', agent));
		}

		throw error;
	}
};

const editAgent = async (given: Context, word: string, options: EditOptions): Promise<void> => {
	const context = startChange(given, options);
	checkOptions(context, word, options);
	await withService(context, async service => {
		const agents = await readList(context, service, 'agents');
		const found = {agents, agent: findRecord(agents, word, {resource: 'agents'})};
		refuseTakenName(context, found, options.name);
		const changes = await readChanges(context, service, options);
		const {text, file} = promptSource(options);
		await changeAgent(context, service, found, changes, [text, file].includes(standardInput));
	});
};

export const defineEditAgent: DefineCommand = (parent, run) => {
	const edit = parent
		.command('edit')
		.description('edit an agent; what you do not give stays the same')
		.argument('<agent>', 'an id, or a name in any case')
		.option('--name <name>', 'its new name')
		.option('--prompt <text>', 'its new prompt, or “-” for standard input')
		.option('--prompt-file <file>', 'a file with its new prompt, or “-” for standard input')
		.addOption(new Option('--description <text>', 'the same as --prompt').hideHelp())
		.addOption(new Option('--description-file <file>', 'the same as --prompt-file').hideHelp())
		.option('--abilities <list>', 'replace its abilities with these: ids or names, separated by commas')
		.option('--no-abilities', 'remove all its abilities')
		.option('--yes', 'ask nothing; also allows an empty prompt, a name that is taken, and the loss of a prompt that cannot be kept')
		.option(...dryRunOption)
		.addHelpText('after', examples(
			['switchboard agents edit Hearth --name Hob', 'rename it'],
			['switchboard agents edit Hearth --prompt-file prompt.md', 'replace its prompt; on a terminal, shows what changes and asks'],
			['switchboard agents edit 1 --abilities pantry,nightwatch', 'give it exactly these two abilities'],
		))
		.action(run(async (context, word: string, options: EditOptions) => {
			refuseBothAbilities();
			await editAgent(context, word, options);
		}));
	const refuseBothAbilities = refuseBoth(edit, 'abilities');
	return edit;
};
