import {Type} from 'typebox';
import {categoryOf} from '../../interface/categories.ts';
import {readList} from '../read-list.ts';
import {
	cutPage,
	isFound,
	pageInput,
	pageOf,
	searchInput,
} from './pages.ts';
import {
	abilityRow,
	agentRow,
	installedRow,
	toAbilityRow,
	toAgentRow,
	toInstalledRow,
} from './shown-records.ts';
import {closedObject, defineTool, type Tool} from './tool.ts';

const categoryInput = Type.Optional(Type.String({maxLength: 60, description: 'Only this category: skill, brain_skill (or brain), background_daemon (or daemon), local, or a word of the service\'s own.'}));

const isOfCategory = (record: {readonly category: string}, word: string | undefined): boolean =>
	word === undefined || record.category === (categoryOf(word) ?? word);

const listAgents = defineTool({
	name: 'list_agents',
	title: 'List agents',
	description: 'Lists the agents of the account, with the beginning of each prompt. get_agent returns the whole prompt.',
	isWriting: false,
	input: closedObject({search: Type.Optional(Type.String({maxLength: 200, description: 'Only agents whose name contains this, in any case.'})), ...pageInput}),
	output: pageOf(agentRow),
	async run({context, service}, {search, ...page}) {
		const agents = await readList(context, service, 'agents');
		return {output: cutPage(agents.filter(agent => isFound(agent, search)), page, toAgentRow)};
	},
});

const listAbilities = defineTool({
	name: 'list_abilities',
	title: 'List abilities',
	description: 'Lists the abilities of the account, installed or not. list_installed shows which of them are on.',
	isWriting: false,
	input: closedObject({
		search: searchInput,
		category: categoryInput,
		is_installed: Type.Optional(Type.Boolean({description: 'True for installed abilities only, false for those that are not installed.'})),
		...pageInput,
	}),
	output: pageOf(abilityRow),
	async run({context, service}, {search, category, is_installed: isInstalled, ...page}) {
		const abilities = await readList(context, service, 'abilities');
		const chosen = abilities.filter(ability => isFound(ability, search) && isOfCategory(ability, category)
			&& (isInstalled === undefined || ability.isInstalled === isInstalled));
		return {output: cutPage(chosen, page, toAbilityRow)};
	},
});

const listInstalled = defineTool({
	name: 'list_installed',
	title: 'List installed abilities',
	description: 'Lists the installed abilities of the account, each on or off.',
	isWriting: false,
	input: closedObject({
		search: searchInput,
		category: categoryInput,
		enabled: Type.Optional(Type.Boolean({description: 'True for abilities that are on only, false for those that are off.'})),
		...pageInput,
	}),
	output: pageOf(installedRow),
	async run({context, service}, {search, category, enabled, ...page}) {
		const installed = await readList(context, service, 'installed');
		const chosen = installed.filter(record => isFound(record, search) && isOfCategory(record, category)
			&& (enabled === undefined || record.isEnabled === enabled));
		return {output: cutPage(chosen, page, toInstalledRow)};
	},
});

export const listTools: readonly Tool[] = [listAgents, listAbilities, listInstalled];
