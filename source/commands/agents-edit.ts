import type {AgentChanges} from '../client/client.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {toPublicRecord, type Agent} from '../interface/records.ts';
import {examples, type DefineCommand} from './command.ts';
import {isForPerson, isInteractive, type Context} from './context.ts';
import {
	dryRunOption,
	noteDryRun,
	startChange,
	type DryRunOption,
} from './dry-run.ts';
import {readAndFind, readAndFindAll} from './find-records.ts';
import {askYesOrNo} from './input/ask.ts';
import {readTextFile, readTextOption} from './input/read-text.ts';
import {refuseBoth} from './input/refuse-both.ts';
import {splitList} from './input/split-list.ts';
import {agentColumns} from './output/columns.ts';
import {printTable} from './output/table.ts';
import {sendEdit} from './send-edit.ts';
import {withService, type Service} from './with-service.ts';

type EditOptions = DryRunOption & {
	readonly name?: string;
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

/** The new prompt; what standard input takes to come is not counted. */
const readPrompt = async (context: Context, {description, descriptionFile}: EditOptions): Promise<string | undefined> =>
	context.waitFor(async () => descriptionFile === undefined ? readTextOption(context, description) : readTextFile(context, descriptionFile));

const readChanges = async (context: Context, service: Service, options: EditOptions): Promise<AgentChanges> => ({
	...(options.name !== undefined && {name: options.name}),
	...((options.description ?? options.descriptionFile) !== undefined && {prompt: await readPrompt(context, options)}),
	...(options.abilities !== undefined && {abilityIds: await findAbilityIds(context, service, options.abilities)}),
});

const checkOptions = ({name, description, descriptionFile, abilities}: EditOptions): void => {
	if ([name, description, descriptionFile, abilities].every(value => value === undefined)) {
		throw new SwitchboardError('usage', 'Nothing to change.', {nextStep: 'Use --name, --description, --description-file, --abilities or --no-abilities.'});
	}

	if (description !== undefined && descriptionFile !== undefined) {
		throw new SwitchboardError('usage', '--description and --description-file cannot be used together.', {nextStep: 'Use one of them.'});
	}

	if (name?.trim() === '') {
		throw new SwitchboardError('usage', 'An agent needs a name.', {nextStep: 'Use: --name NAME', field: 'name'});
	}
};

/** Asks before abilities are replaced that the service does not show (`LIVE-SERVICE.md`, Records). */
const confirmReplacement = async (context: Context, agent: Agent, {abilityIds}: AgentChanges, {yes = false}: EditOptions): Promise<boolean> => {
	if (abilityIds === undefined || agent.abilityIds !== undefined || yes || context.isDryRun) {
		return true;
	}

	if (!isInteractive(context)) {
		throw new SwitchboardError('usage', `The service does not show which abilities ${agent.name} has, and there is no terminal to ask for confirmation.`, {
			nextStep: 'Use --yes to replace them without confirmation.',
		});
	}

	const replacement = abilityIds.length === 0 ? 'none' : `these ${abilityIds.length}`;
	return context.waitFor(async () => askYesOrNo(context, `The service does not show which abilities ${agent.name} has. Replace them all with ${replacement}?`));
};

type Edited = {readonly agent: Agent; readonly isChanged: boolean};

const report = async (context: Context, {agent, isChanged}: Edited): Promise<void> => {
	if (!isChanged) {
		context.note('Nothing was changed.');
	}

	if (context.options.isJson) {
		await context.printJson(toPublicRecord('agents', agent));
	} else if (isChanged && isForPerson(context)) {
		context.print(`${context.isDryRun ? 'Would change' : 'Changed'} ${agent.name}.`);
	} else if (isChanged) {
		await printTable(context, agentColumns, [agent]);
	}

	noteDryRun(context);
};

const editAgent = async (given: Context, word: string, options: EditOptions): Promise<void> => {
	const context = startChange(given, options);
	checkOptions(options);
	const edited = await withService(context, async (service): Promise<Edited> => {
		const agent = await readAndFind(context, service, word, {resource: 'agents'});
		const changes = await readChanges(context, service, options);
		return await confirmReplacement(context, agent, changes, options)
			? {agent: await sendEdit(context, service, agent, changes), isChanged: true}
			: {agent, isChanged: false};
	});
	await report(context, edited);
};

export const defineEditAgent: DefineCommand = (parent, run) => {
	const edit = parent
		.command('edit')
		.description('edit an agent; what you do not give stays the same')
		.argument('<agent>', 'an id, or a name in any case')
		.option('--name <name>', 'its new name')
		.option('--description <text>', 'its new prompt, or “-” for standard input')
		.option('--description-file <file>', 'a file with its new prompt, or “-” for standard input')
		.option('--abilities <list>', 'replace its abilities with these: ids or names, separated by commas')
		.option('--no-abilities', 'remove all its abilities')
		.option('--yes', 'skip the confirmation')
		.option(...dryRunOption)
		.addHelpText('after', examples(
			['switchboard agents edit Hearth --name Hob', 'rename it'],
			['switchboard agents edit Hearth --description-file prompt.md', 'replace its prompt'],
			['switchboard agents edit 1 --abilities pantry,nightwatch', 'give it exactly these two abilities'],
		))
		.action(run(async (context, word: string, options: EditOptions) => {
			refuseBothAbilities();
			await editAgent(context, word, options);
		}));
	const refuseBothAbilities = refuseBoth(edit, 'abilities');
	return edit;
};
