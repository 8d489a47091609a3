import {Option} from 'commander';
import {categoryLabel} from '../interface/categories.ts';
import {cleanText} from '../interface/clean-text.ts';
import {recordNouns} from '../interface/lists.ts';
import type {JsonObject} from '../interface/json.ts';
import {
	rawName,
	toPublicRecord,
	type Ability,
	type Agent,
	type InstalledAbility,
	type Records,
	type Resource,
} from '../interface/records.ts';
import {abilityLookup, installedLookup, newestChange, stateWord} from '../interface/installed-lookup.ts';
import {ago} from '../words/age.ts';
import type {Column} from './output/lay-table.ts';
import type {Action, Run, DocumentedCommand, Example} from './command.ts';
import {addTableOptions, chosenFormat, printRows, type TableOptions} from './output/table.ts';
import type {Context, PrintTone} from './context.ts';
import {readList} from './find-records.ts';
import type {NarrowOptions} from './narrow-list.ts';
import {withService, type Service} from './with-service.ts';

type AnyAbility = Ability | InstalledAbility;

const id: Column<{readonly id: number}> = {title: 'ID', text: record => String(record.id), value: record => record.id, givesWay: 5};

const name: Column<{readonly name: string; readonly raw: JsonObject}> = {
	title: 'NAME',
	text: record => record.name,
	value: rawName,
	minimumWidth: 12,
};

const category: Column<AnyAbility> = {
	title: 'CATEGORY',
	text: record => record.category,
	shownText: record => categoryLabel(record.category),
	value: record => record.category || null,
	minimumWidth: 8,
	givesWay: 2,
};

const triggers: Column<AnyAbility> = {
	title: 'PHRASES',
	name: 'triggers',
	shownName: 'phrases',
	text: record => record.triggerPhrases.join(', '),
	value: record => record.triggerPhrases,
	minimumWidth: 10,
	givesWay: 3,
};

/** Returns the colour of a state word. */
export function printedStateTone(isEnabled: boolean | undefined): PrintTone {
	return isEnabled === undefined ? 'unknown' : isEnabled ? 'on' : 'off';
}

export function changedTime({changedAt}: Pick<AnyAbility, 'changedAt'>): string | undefined {
	return changedAt === undefined ? undefined : new Date(changedAt).toISOString();
}

const changed: Column<AnyAbility> = {
	title: 'CHANGED',
	text: record => changedTime(record) ?? '',
	value: record => changedTime(record) ?? null,
	shownText: ({changedAt}) => ago(changedAt, Date.now()),
	givesWay: 1,
};

export const agentColumns: ReadonlyArray<Column<Agent>> = [
	id,
	name,
	{
		title: 'ABILITIES',
		text: agent => agent.abilityIds?.join(',') ?? '',
		shownText: agent => (agent.abilityIds === undefined ? '' : String(agent.abilityIds.length)),
		value: agent => agent.abilityIds ?? null,
		givesWay: 1,
	},
	{
		title: 'PROMPT',
		text: agent => cleanText(agent.prompt.split('\n').find(line => line.trim() !== '') ?? ''),
		value: ({raw, prompt}) => raw['description'] ?? prompt,
		minimumWidth: 10,
		givesWay: 3,
	},
];

export const abilityColumns: ReadonlyArray<Column<Ability>> = [
	id,
	name,
	category,
	{
		title: 'INSTALLED',
		text: ({isInstalled}) => (isInstalled === undefined ? '' : isInstalled ? 'yes' : 'no'),
		value: ({isInstalled}) => isInstalled ?? null,
		givesWay: 4,
	},
	triggers,
	changed,
];

export const installedColumns: ReadonlyArray<Column<InstalledAbility>> = [
	id,
	{
		title: 'STATE',
		text: ({isEnabled}) => stateWord(isEnabled),
		value: ({isEnabled}) => (isEnabled === undefined ? null : stateWord(isEnabled)),
		tone: ({isEnabled}) => printedStateTone(isEnabled),
	},
	name,
	category,
	triggers,
	changed,
];

/** The option of the three lists of a service. */
export const filterOption = [
	'--filter <terms>',
	'only records that match these terms, such as "is:off agent:Hearth" (see: switchboard help filter)',
] as const;

const isNarrowed = (options: NarrowOptions): boolean =>
	(['on', 'off', 'agent', 'category', 'search', 'filter'] as const).some(key => options[key] !== undefined);

type ListAction = Action<readonly [options: TableOptions & NarrowOptions, words: readonly string[]]>;

type ListCommand = {
	readonly name: string;
	readonly description: string;
	readonly examples: readonly Example[];
	/** The columns that `--columns` takes. */
	readonly columns: ReadonlyArray<Column<never>>;
	/** The words that narrow it, if it takes any. */
	readonly argument?: readonly [name: string, description: string];
	/** Options of `list` beside the usual ones. */
	readonly options?: ReadonlyArray<
		readonly [flags: string, description: string, parse?: (text: string) => unknown, choices?: readonly string[]]
	>;
	readonly list: ListAction;
};

/**
Adds a command that lists, with the options `--columns` and `--format`. It also accepts `list`, as other programs do; the help does not
mention it.
*/
export function defineListCommand(
	parent: DocumentedCommand,
	run: Run,
	{name: word, description, list, columns, argument, options = [], ...help}: ListCommand,
): DocumentedCommand {
	const describe = (command: DocumentedCommand): DocumentedCommand => command.description(description).examples(...help.examples);
	const command = describe(parent.command(word)).helpCommand(false);
	// The options belong only to `list`: other subcommands do not take them.
	const listing = addTableOptions(describe(command.command('list', {isDefault: true, hidden: true})), columns);
	if (argument !== undefined) {
		listing.argument(...argument);
		command.usage(`[options] [command] ${argument[0]}`);
	}

	listing.action(
		run(async (context, ...given: readonly unknown[]) => {
			const chosen = given.at(-1) as TableOptions & NarrowOptions;
			// A mistake in the options is reported before any request.
			chosenFormat(context.options, chosen);
			await list(context, chosen, given.length > 1 ? (given[0] as readonly string[]) : []);
		}),
	);
	for (const option of options) {
		const [flags, meaning, parse, choices] = option;
		// The choices are for completion: the parser reports unknown values.
		const added = choices === undefined ? new Option(flags, meaning) : new Option(flags, meaning).choices(choices);
		listing.addOption(parse === undefined ? added : added.argParser(parse));
	}

	return command;
}

/** Returns the action that lists a resource of the service, narrowed by the options. */
export function listRecords<R extends Resource>(resource: R, columns: ReadonlyArray<Column<Records[R]>>, ifEmpty: string): ListAction {
	return async (context, options) => {
		// Other lists do not load the code that filters.
		const narrow = isNarrowed(options) ? (await import('./narrow-list.ts')).narrowing(options) : undefined;
		const records = await withService(context, async service => {
			const all = hasTimes(context, resource, options)
				? await readWithTimes(context, service, resource)
				: await readList(context, service, resource);
			return narrow === undefined ? all : narrow(context, service, resource, all);
		});
		await printRows(context, columns, records, {
			ifEmpty: narrow === undefined ? ifEmpty : `No ${recordNouns[resource]} matches.`,
			options,
			json: records.map(record => toPublicRecord(resource, record)),
		});
	};
}

/** Reads a list, with the newest change of each ability and its installed record. */
export async function readWithTimes<R extends Resource>(
	context: Context,
	service: Service,
	resource: R,
): Promise<ReadonlyArray<Records[R]>> {
	// One after the other: a refused key is sent once.
	const records = await readList(context, service, resource);
	// Without the other list a record still has a time, and its defects are another command's.
	const other = resource === 'abilities' ? 'installed' : 'abilities';
	const {records: others} = await service.client.list(other, context.readSignal).catch(() => ({records: []}));
	context.readSignal.throwIfAborted();
	const otherOf = (
		resource === 'abilities' ? installedLookup(others as readonly InstalledAbility[]) : abilityLookup(others as readonly Ability[])
	) as (record: Records[R]) => AnyAbility | undefined;
	return records.map(record => ({...record, changedAt: newestChange(record as AnyAbility, otherOf(record))}));
}

/** Tells whether the times of changes are printed, or decide what is. */
function hasTimes(
	{options: globals}: Context,
	resource: Resource,
	{columns, filter = '', ...options}: TableOptions & NarrowOptions,
): boolean {
	const isText = [undefined, 'table', 'tsv'].includes(chosenFormat(globals, options));
	return resource !== 'agents' && ((columns?.includes('changed') ?? isText) || /changed:/i.test(filter));
}
