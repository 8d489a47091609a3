import {SwitchboardError} from '../interface/errors.ts';
import {formatCount} from '../interface/format-count.ts';
import {entryName, historyKinds, type HistoryEntry, type HistoryKind} from '../interface/history.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import type {JsonValue} from '../interface/json.ts';
import {decodeTimer} from '../interface/timers.ts';
import {valueText} from '../changes/change.ts';
import {exactClock} from '../words/age.ts';
import {ownTimeZone, type TimeZone} from '../words/time-zone.ts';
import {later, type Action, type DefineCommand} from './command.ts';
import {printJsonOr, type Context} from './context.ts';
import {defineListCommand} from './list-command.ts';
import {dryRunOption, parseChoice, pastMoments, wrongValue, parseMoment} from './options.ts';
import type {Column} from './output/lay-table.ts';
import {printRows, type TableOptions} from './output/table.ts';
import {withService} from './with-service.ts';

function valueColumn(which: 'from' | 'to', timeZone: TimeZone): Column<Pick<HistoryEntry, 'kind' | 'field' | 'from' | 'to'>> {
	return {
		title: which.toUpperCase(),
		text(entry) {
			const timer = entry.field === 'timer' ? decodeTimer(entry[which]) : undefined;
			return timer === undefined ? valueText(entry, entry[which]) : `${stateWord(timer.enabled)} at ${timer.at}`;
		},
		shownText: entry => valueText(entry, entry[which], timeZone),
		value: entry => entry[which],
		minimumWidth: 6,
		isBroken: true,
	};
}

const columnsFor = (timeZone: TimeZone): ReadonlyArray<Column<HistoryEntry>> => [
	{title: 'ID', text: ({id}) => String(id), value: ({id}) => id},
	{title: 'AT', text: ({at}) => at, shownText: ({at}) => exactClock(Date.parse(at), Date.now(), timeZone.zone)},
	{title: 'BY', text: ({by}) => by, minimumWidth: 6, isBroken: true},
	{title: 'VIA', text: ({via}) => via, minimumWidth: 8, givesWay: 2, isBroken: true},
	{title: 'KIND', text: ({kind}) => kind, givesWay: 4},
	{title: 'NAME', text: entryName, value: ({name}) => name, minimumWidth: 12, isBroken: true},
	{title: 'RECORD', text: ({record}) => String(record), value: ({record}) => record, givesWay: 3},
	{title: 'FIELD', text: ({field}) => field},
	valueColumn('from', timeZone),
	valueColumn('to', timeZone),
	{title: 'KEY', text: ({key}) => key ?? '', value: ({key}) => key, minimumWidth: 6, givesWay: 1, isBroken: true},
];

/** Returns an entry for scripts, with the fields in the order of `docs/compatibility.md`, JSON. */
function toPublicEntry({id, at, by, via, kind, name, record, field, from, to, key}: HistoryEntry) {
	return {id, at, by, via, kind, name, record, field, from, to, key};
}

type ListOptions = TableOptions & {
	readonly since?: Date;
	readonly until?: Date;
	readonly by?: string;
	readonly kind?: HistoryKind;
	readonly limit?: number;
	readonly summary?: boolean;
};

/** The changes of one field together. */
type Summary = {
	readonly kind: HistoryKind;
	readonly record: number;
	readonly name: string;
	readonly field: string;
	/** Before the first of them, and after the last. */
	readonly from: JsonValue;
	readonly to: JsonValue;
	readonly times: number;
	readonly by: readonly string[];
};

const summaryColumnsFor = (timeZone: TimeZone): ReadonlyArray<Column<Summary>> => [
	{title: 'NAME', text: entryName, value: ({name}) => name, minimumWidth: 12, isBroken: true},
	{title: 'KIND', text: ({kind}) => kind, givesWay: 4},
	{title: 'RECORD', text: ({record}) => String(record), value: ({record}) => record, givesWay: 3},
	{title: 'FIELD', text: ({field}) => field},
	valueColumn('from', timeZone),
	valueColumn('to', timeZone),
	{title: 'TIMES', text: ({times}) => String(times), value: ({times}) => times},
	{title: 'BY', text: ({by}) => by.join(', '), value: ({by}) => by, minimumWidth: 6, isBroken: true},
];

/** Sums up the changes of each field, the one that changed last first; timers show in what they switched. */
function summarize(entries: readonly HistoryEntry[]): readonly Summary[] {
	const changes = entries.filter(({field}) => field !== 'timer');
	return [...Map.groupBy(changes, ({kind, record, field}) => `${kind} ${record} ${field}`).values()].map(same => {
		const [newest, oldest] = [same[0]!, same.at(-1)!];
		const {kind, record, field, to} = newest;
		const by = [...new Set(same.toReversed().map(entry => entry.by))];
		return {kind, record, name: newest.name, field, from: oldest.from, to, times: same.length, by};
	});
}

const usualLimit = 50;

/** The bundled service does not keep more. */
const maximumLimit = 1_000_000;

function parseLimit(text: string): number {
	const limit = /^\d{1,7}$/.test(text) ? Number(text) : 0;
	if (limit < 1 || limit > maximumLimit) {
		throw wrongValue('--limit', text, `a number from 1 to ${formatCount(maximumLimit)}`);
	}

	return limit;
}

function parseBy(text: string): string {
	// An unset variable would list the changes of everyone.
	if (text.trim() === '') {
		throw wrongValue('--by', '', 'the name of a person or of a key');
	}

	return text;
}

/** Loaded only for this command. */
const loadReading = async () => import('./history/read-entries.ts');

const list: Action<readonly [options: ListOptions, words: readonly string[]]> = async (
	context,
	{since, until, by, kind, summary: isSummary = false, limit = isSummary ? maximumLimit : usualLimit, ...options},
	words,
) => {
	if (words.some(word => word.trim() === '')) {
		throw new SwitchboardError('usage', 'A name is empty.', {nextStep: 'Leave it out to list the changes of everything.'});
	}

	if (isSummary && options.columns !== undefined) {
		throw new SwitchboardError('usage', '--columns and --summary cannot be used together.');
	}

	if (since !== undefined && until !== undefined && since >= until) {
		throw new SwitchboardError('usage', `--since (${since.toISOString()}) is not before --until (${until.toISOString()}).`);
	}

	const {findNames, readEntries} = await loadReading();
	const {entries, isMore} = await withService(context, async service => {
		const query = {since: since?.toISOString(), until: until?.toISOString(), by, kind};
		const found = await readEntries(context, service, query, {words, limit});
		await findNames(context, service, words, found.entries);
		return found;
	});
	const ifEmpty = 'No changes were found.';
	if (isSummary) {
		await printRows(context, summaryColumnsFor(context.timeZone), summarize(entries), {ifEmpty, options});
		return;
	}

	await printRows(context, columnsFor(context.timeZone), entries, {ifEmpty, json: entries.map(entry => toPublicEntry(entry)), options});
	if (isMore) {
		context.note(
			`${entries.length === 1 ? 'This is the newest' : `These are the newest ${formatCount(entries.length)}`}. For more, use --limit ${Math.min(limit * 10, maximumLimit)}, or narrow them with --since, --by, --kind or a name.`,
		);
	}
};

function readChangeId(text: string): number {
	if (!/^[1-9]\d{0,14}$/.test(text)) {
		throw wrongValue('<change>', text, 'the number of a change, as “switchboard history” lists them');
	}

	return Number(text);
}

async function show(context: Context, word: string): Promise<void> {
	const id = readChangeId(word);
	const {noteBroken, readEntry, printEntry} = await loadReading();
	const entry = await withService(context, async service => readEntry(context, service, id));
	noteBroken(context, entry);
	await printJsonOr(context, toPublicEntry(entry), async () => printEntry(context, entry));
}

/** Loaded only for this command. */
const loadRevert = async () => import('./history/revert.ts');

export const defineHistory: DefineCommand = (parent, run) => {
	const history = defineListCommand(parent, run, {
		name: 'history',
		description: 'list who changed what, the newest change first',
		examples: [
			['switchboard history', `the last ${usualLimit} changes`],
			['switchboard history nightwatch --since 12h', 'who switched it last night'],
			["switchboard history --since 'yesterday 18:00' --summary", 'the night in a line for each field'],
			['switchboard history --by anna --kind agent --json', 'what anna changed of agents, as JSON'],
			['switchboard history show 12', 'one change, with how a prompt differs'],
			['switchboard history revert 12', 'show what that would change, and ask'],
		],
		columns: columnsFor(ownTimeZone),
		argument: ['[record...]', 'only changes of these: ids, or names in any case, also of what is gone'],
		options: [
			['--since <time>', `only from then on: ${pastMoments}`, parseMoment('--since', 'past')],
			['--until <time>', 'only before then: the same', parseMoment('--until', 'past')],
			['--by <name>', 'only by this person, or with this key', parseBy],
			[
				'--kind <kind>',
				'only changes of this kind of record',
				parseChoice('--kind', historyKinds, text => text.toLowerCase()),
				historyKinds,
			],
			['--summary', 'a line for each field: its value before and after, how often it changed, and by whom'],
			['--limit <number>', `at most this many (default: ${usualLimit}; with --summary all)`, parseLimit],
		],
		list,
	});
	history.notes(`
The bundled service keeps a history of its changes. For other services it lists
only what this machine did or saw. The first line on standard error says so.`);
	history
		.command('show')
		.description('show one change, with the whole difference of a text')
		.argument('<change>', 'its number')
		.examples(
			['switchboard history show 12', 'with how a prompt differs'],
			['switchboard history show 12 --json', 'with the whole text before and after'],
		)
		.exitCodes(['4', 'there is no such change'])
		.action(run(show));
	history
		.command('revert')
		.description('undo changes of the history, of every field that can be edited')
		.argument('<change...>', 'their numbers')
		.option('--yes', 'skip the confirmation, unless another change came after this one')
		.option(...dryRunOption)
		.notes(`
If a later change is in the way, it names it and asks, even with --yes; if it
cannot ask, nothing is done, exit 2. The revert is itself a change, and can be
reverted too.`)
		.examples(
			['switchboard history revert 12', 'shows what would change and asks for confirmation'],
			['switchboard history revert 12 13 17', 'several at once'],
			['switchboard history revert 12 --yes', 'for scripts'],
			['switchboard history revert 12 --dry-run', 'only shows it'],
		)
		.exitCodes(
			['0', 'done, or already as it was'],
			['2', 'something came after it, or it cannot be reverted'],
			['6', 'some of several failed; the others are done'],
		)
		.action(
			run(
				later(async () => {
					const {revert} = await loadRevert();
					return async (context: Context, words: readonly string[]) =>
						revert(
							context,
							words.map(word => readChangeId(word)),
						);
				}),
			),
		);
	return history;
};
