import process from 'node:process';
import type {Command} from 'commander';
import type {AgentChanges} from '../client/client.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {toPublicRecord, type Agent} from '../interface/records.ts';
import {examples, type DefineCommand} from './command.ts';
import {isInteractive, type Context} from './context.ts';
import {findRecord, findRecords} from './find-records.ts';
import {askYesOrNo} from './input/ask.ts';
import {readTextFile, readTextOption} from './input/read-text.ts';
import {agentColumns} from './output/columns.ts';
import {printTable} from './output/table.ts';
import {readList} from './read-list.ts';
import {sendEdit} from './send-edit.ts';
import {refuseReadOnly, withService, type Service} from './with-service.ts';

type EditOptions = {
	readonly name?: string;
	readonly description?: string;
	readonly descriptionFile?: string;
	/** A list, or `false` for none. */
	readonly abilities?: string | false;
	readonly yes?: boolean;
};

const splitList = (list: string): readonly string[] => list.split(',').map(word => word.trim()).filter(word => word !== '');

const findAbilityIds = async (context: Context, service: Service, list: string | false): Promise<readonly number[]> => {
	if (list === false) {
		return [];
	}

	const words = splitList(list);
	if (words.length === 0) {
		throw new SwitchboardError('usage', '--abilities names no ability.', {nextStep: 'To untie all of them, give --no-abilities.'});
	}

	const abilities = await readList(context, service, 'abilities');
	return findRecords(abilities, words, {what: 'ability', listCommand: 'switchboard abilities', isToChange: true}).map(({id}) => id);
};

const readChanges = async (context: Context, service: Service, options: EditOptions): Promise<AgentChanges> => ({
	...(options.name !== undefined && {name: options.name}),
	...(options.description !== undefined && {prompt: await readTextOption(options.description)}),
	...(options.descriptionFile !== undefined && {prompt: await readTextFile(options.descriptionFile)}),
	...(options.abilities !== undefined && {abilityIds: await findAbilityIds(context, service, options.abilities)}),
});

const refuseUnclear = ({name, description, descriptionFile, abilities}: EditOptions): void => {
	if ([name, description, descriptionFile, abilities].every(value => value === undefined)) {
		throw new SwitchboardError('usage', 'There is nothing to change.', {nextStep: 'Give --name, --description, --description-file, --abilities or --no-abilities.'});
	}

	if (description !== undefined && descriptionFile !== undefined) {
		throw new SwitchboardError('usage', '--description and --description-file both give the prompt.', {nextStep: 'Give one of them.'});
	}

	if (name?.trim() === '') {
		throw new SwitchboardError('usage', 'An agent needs a name.', {nextStep: 'Type: --name NAME', field: 'name'});
	}
};

/** Where the ties are not shown, new ones take the place of ones that nobody sees (`LIVE-SERVICE.md`, Records). */
const isReplacementMeant = async (agent: Agent, {abilityIds}: AgentChanges, {yes = false}: EditOptions): Promise<boolean> => {
	if (abilityIds === undefined || agent.abilityIds !== undefined || yes) {
		return true;
	}

	if (!isInteractive()) {
		throw new SwitchboardError('usage', `The service does not show which abilities ${agent.name} has, and there is no terminal to ask whether to replace them.`, {
			nextStep: 'Give --yes to replace them, whatever they are.',
		});
	}

	const replacement = abilityIds.length === 0 ? 'none' : `these ${abilityIds.length}`;
	return askYesOrNo(`The service does not show which abilities ${agent.name} has. Replace them, whatever they are, with ${replacement}?`);
};

type Edited = {readonly agent: Agent; readonly isChanged: boolean};

const report = async (context: Context, {agent, isChanged}: Edited): Promise<void> => {
	if (!isChanged) {
		context.note('Nothing was changed.');
	}

	if (context.options.isJson) {
		context.printJson(toPublicRecord('agents', agent));
	} else if (isChanged && process.stdout.isTTY) {
		context.print(`${agent.name} was changed.`);
	} else if (isChanged) {
		await printTable(context, agentColumns, [agent]);
	}
};

const editAgent = async (context: Context, word: string, options: EditOptions): Promise<void> => {
	refuseReadOnly(context);
	refuseUnclear(options);
	const edited = await withService(context, async (service): Promise<Edited> => {
		const agents = await readList(context, service, 'agents');
		const agent = findRecord(agents, word, {what: 'agent', listCommand: 'switchboard agents', isToChange: true});
		const changes = await readChanges(context, service, options);
		return await isReplacementMeant(agent, changes, options)
			? {agent: await sendEdit(context, service, agent, changes), isChanged: true}
			: {agent, isChanged: false};
	});
	await report(context, edited);
};

export const defineEditAgent: DefineCommand = (parent, run) => {
	// The two are one option to the command line, of which the last given would win, and perhaps untie everything.
	const givenTies = new Set<string>();
	const edit = parent
		.command('edit')
		.description('change an agent; what is not named stays as it is')
		.argument('<agent>', 'an id, or a name in any case')
		.option('--name <name>', 'call it this')
		.option('--description <text>', 'its prompt, or “-” for standard input')
		.option('--description-file <file>', 'its prompt from a file, or “-” for standard input')
		.option('--abilities <list>', 'tie these abilities to it and no others: ids or names, with commas between')
		.option('--no-abilities', 'tie no ability to it')
		.option('--yes', 'do not ask')
		.addHelpText('after', examples(
			['switchboard agents edit Hearth --name Hob', 'call it something else'],
			['switchboard agents edit Hearth --description-file prompt.md', 'give it another prompt'],
			['switchboard agents edit 1 --abilities pantry,nightwatch', 'tie two abilities to it'],
		))
		.action(async (word: string, options: EditOptions, command: Command) => run(command, async context => {
			if (givenTies.size > 1) {
				throw new SwitchboardError('usage', '--abilities and --no-abilities contradict each other.', {nextStep: 'Give one of them.'});
			}

			await editAgent(context, word, options);
		}));
	for (const name of ['abilities', 'no-abilities']) {
		edit.on(`option:${name}`, () => {
			givenTies.add(name);
		});
	}

	return edit;
};
