import {Type} from 'typebox';
import {getAbility} from '../abilities-get.ts';
import {readAndFind} from '../find-records.ts';
import {commonOutput} from './results.ts';
import {
	installedRow,
	promptWarning,
	toInstalledRow,
	toWholeAbility,
	toWholeAgent,
	wholeAbility,
	wholeAgent,
} from './shown-records.ts';
import {closedObject, defineTool, type Tool} from './tool.ts';

const wordInput = Type.String({minLength: 1, maxLength: 200, description: 'An id, or a name in any case; an id takes precedence. A name that several records share is an error that lists their ids.'});

const agentTool = defineTool({
	name: 'get_agent',
	title: 'Get an agent',
	description: 'Returns an agent with its whole prompt.',
	isWriting: false,
	input: closedObject({agent: wordInput}),
	output: Type.Object({agent: wholeAgent, ...commonOutput}),
	async run({context, service}, {agent: word}) {
		const agent = await readAndFind(context, service, word, {resource: 'agents', isToChange: false});
		const warning = promptWarning(agent);
		if (warning !== undefined) {
			context.note(warning);
		}

		return {output: {agent: toWholeAgent(agent)}};
	},
});

const abilityTool = defineTool({
	name: 'get_ability',
	title: 'Get an ability',
	description: 'Returns an ability with its description and versions.',
	isWriting: false,
	input: closedObject({ability: wordInput}),
	output: Type.Object({ability: wholeAbility, ...commonOutput}),
	async run({context, service}, {ability}) {
		return {output: {ability: toWholeAbility(await getAbility(context, service, ability))}};
	},
});

const installedTool = defineTool({
	name: 'get_installed',
	title: 'Get an installed ability',
	description: 'Returns an installed ability, and whether it is on.',
	isWriting: false,
	input: closedObject({installed: wordInput}),
	output: Type.Object({installed: installedRow, ...commonOutput}),
	async run({context, service}, {installed}) {
		return {output: {installed: toInstalledRow(await readAndFind(context, service, installed, {resource: 'installed', isToChange: false}))}};
	},
});

export const singleTools: readonly Tool[] = [agentTool, abilityTool, installedTool];
