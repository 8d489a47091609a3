import {SwitchboardError} from '../interface/errors.ts';
import {counted} from '../interface/format-count.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import type {JsonObject} from '../interface/json.ts';
import {foldName} from '../interface/name-index.ts';
import {rawName, type InstalledAbility} from '../interface/records.ts';
import type {TimersKeptBy} from '../changes/kept-timers.ts';
import type {Timer} from '../interface/timers.ts';
import {setStep, type Step, type StepOutcome} from '../state/plan.ts';
import {ownTimeZone, type TimeZone} from '../words/time-zone.ts';
import {atClock, timerClock} from '../words/timer-times.ts';
import {timerText} from '../words/timer-words.ts';
import {changeAndReport, changedOf, recordAfter, type ItemReport} from './change-items.ts';
import {severalExitCodes, type Action, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {expandGlobs, findInstalled, findTyped, readList} from './find-records.ts';
import {globWordsHelp, readWords, requireNamesOption, type RequireNamesOption} from './input/read-text.ts';
import {defineListCommand, printedStateTone} from './list-command.ts';
import {dryRunOption, parseChoice} from './options.ts';
import type {Column} from './output/lay-table.ts';
import {printRows, type TableOptions} from './output/table.ts';
import {addTimerOptions, beginTimers, readTimer, refuseUnkept, type GivenTimer, type TimerOptions} from './timed-switch.ts';
import {defineTimersRun} from './timers-run.ts';
import {targetWords, withService, type Service} from './with-service.ts';

/** A program that keeps timers; null for none that runs now. */
type KeptBy = TimersKeptBy | null;

type Row = {readonly record: InstalledAbility; readonly timer: Timer; readonly keptBy: KeptBy};

const columnsFor = (timeZone: TimeZone): ReadonlyArray<Column<Row>> => [
	{title: 'NAME', text: ({record}) => record.name, value: ({record}) => rawName(record), minimumWidth: 12},
	{
		title: 'WHEN',
		name: 'at',
		shownName: 'when',
		text: ({timer}) => timer.at,
		shownText: ({timer: {at, overdue}}) => `${overdue === undefined ? '' : 'overdue, '}${timerClock(at, timeZone)}`,
		tone: ({timer}) => (timer.overdue === undefined ? undefined : 'warning'),
	},
	{
		title: 'STATE TO COME',
		name: 'enabled',
		shownName: 'state',
		text: ({timer}) => stateWord(timer.enabled),
		value: ({timer}) => timer.enabled,
		tone: ({timer}) => printedStateTone(timer.enabled),
	},
	{title: 'BY', text: ({timer}) => timer.by, minimumWidth: 6, isBroken: true},
	{title: 'NOTE', text: ({timer}) => timer.note, minimumWidth: 6, givesWay: 3, isBroken: true},
	{title: 'KEPT BY', name: 'kept_by', text: ({keptBy}) => keptBy ?? '', value: ({keptBy}) => keptBy, givesWay: 2},
	{title: 'OVERDUE', text: ({timer}) => timer.overdue ?? '', value: ({timer}) => timer.overdue ?? null, tone: () => 'warning', givesWay: 1},
];

/** Returns a timer for scripts, or nulls where there is none. */
function toPublicTimer(timer: Timer | undefined, keptBy: KeptBy): JsonObject {
	return timer === undefined
		? {enabled: null, at: null, by: null, note: null, kept_by: null, overdue: null}
		: {enabled: timer.enabled, at: timer.at, by: timer.by || null, note: timer.note, kept_by: keptBy, overdue: timer.overdue ?? null};
}

const list: Action<readonly [options: TableOptions]> = async (context, options) => {
	const [records, keptBy = null] = await withService(
		context,
		async service => [await readList(context, service, 'installed'), await service.timersKeptBy()] as const,
	);
	const rows = records
		.flatMap((record): readonly Row[] => (record.timer === undefined ? [] : [{record, timer: record.timer, keptBy}]))
		.toSorted((first, second) => Date.parse(first.timer.at) - Date.parse(second.timer.at));
	await printRows(context, columnsFor(context.timeZone), rows, {
		ifEmpty: 'There are no timers. Set one with: switchboard disable NAME --for 2h',
		json: rows.map(({record, timer}) => ({installed_cap_id: record.id, name: rawName(record), ...toPublicTimer(timer, keptBy)})),
		options,
	});
	if (keptBy === null && rows.some(({timer}) => timer.overdue === undefined)) {
		context.note(
			`No program keeps timers for this service now. To keep them: ${['switchboard timers run', ...targetWords(context)].join(' ')}`,
		);
	}
};

const recordOf = (outcome: StepOutcome) => recordAfter(outcome) as InstalledAbility | undefined;

type Named = {readonly words: readonly string[]; readonly given: readonly string[]};

/** Finds installed abilities by their names; a person is asked about those that a glob named. */
async function findNamed(context: Context, service: Service, {words, given}: Named) {
	const records = await readList(context, service, 'installed');
	const expanded = expandGlobs(context, records, words, {typed: given, resource: 'installed'});
	const found = await findTyped(context, given, async () => findInstalled(context, service, records, expanded));
	return {found, isAsked: expanded.some(word => !words.includes(word))};
}

const questionOf = (verb: string, count: number): string => `${verb} ${counted(count, 'timer')}?`;

const stateWords = ['on', 'off'];

async function setTimers(context: Context, given: readonly string[], options: TimerOptions & RequireNamesOption): Promise<void> {
	const names = given.slice(0, -1);
	if (names.length === 0) {
		throw new SwitchboardError('usage', 'Name installed abilities, and then the state to come: on or off.', {
			nextStep: 'As in: switchboard timers set pantry off --until 22:00',
		});
	}

	const enabled = parseChoice('the state to come', stateWords, word => word.toLowerCase())(given.at(-1)!) === 'on';
	const timer = readTimer(context, options);
	if (timer === undefined) {
		throw new SwitchboardError('usage', 'A timer needs --for or --until.', {nextStep: 'As in: --for 2h, or --until 07:00'});
	}

	const words = await readWords(context, names, options);
	let keptBy: KeptBy = null;
	const report: ItemReport = {
		idField: 'installed_cap_id',
		toJson: outcome => ({...toPublicTimer(recordOf(outcome)?.timer, keptBy), changed: changedOf(outcome)}),
		toFields: (outcome, name, status) => [outcome.item.record!.id, recordOf(outcome)?.timer?.at ?? '', name, status],
		toSentence(name, {record}) {
			const {timer: set} = record as InstalledAbility;
			const clock = set && atClock(set.at, context.timeZone);
			return `${name} ${context.isDryRun ? 'would' : 'will'} be switched ${stateWord(enabled)} ${clock}.`;
		},
		doneWord: 'set',
	};
	await changeAndReport(context, report, words.length > 0, async service => {
		const {found, isAsked} = await findNamed(context, service, {words, given: names});
		await refuseUnkept(service, timer);
		return {
			steps: found.map(record => timerStep(record, enabled, timer)),
			questions: isAsked ? [questionOf('Set', found.length)] : [],
			ifNo: 'Nothing was set.',
			async begin() {
				const end = await beginTimers(context, service, timer);
				keptBy = (await service.timersKeptBy()) ?? null;
				return end;
			},
		};
	});
}

function timerStep(record: InstalledAbility, enabled: boolean, timer: GivenTimer): Step {
	const problem =
		record.isEnabled === enabled ? new SwitchboardError('conflict', `${record.name} is ${stateWord(enabled)} already.`) : undefined;
	return setStep('installed', record, {timer: timer.wishFor(enabled)}, {problem});
}

type CancelOptions = RequireNamesOption & {readonly all?: boolean; readonly by?: string};

async function cancelTimers(context: Context, given: readonly string[], options: CancelOptions): Promise<void> {
	const {all: isAll = false, by} = options;
	if ([isAll, by !== undefined, given.length > 0].filter(Boolean).length !== 1) {
		throw new SwitchboardError('usage', 'Name installed abilities, or use --all or --by NAME: one of the three.', {
			nextStep: 'List the timers with: switchboard timers',
		});
	}

	const words = await readWords(context, given, options);
	const report: ItemReport = {
		idField: 'installed_cap_id',
		toJson: outcome => ({cancelled: changedOf(outcome)}),
		toSentence(name, {isChanged}, step) {
			const before = (step.record as InstalledAbility).timer;
			return isChanged && before !== undefined
				? `The timer of ${name} (${timerText(before, context.timeZone, 'author')}) ${context.isDryRun ? 'would be' : 'is'} cancelled.`
				: `${name} has no timer.`;
		},
		doneWord: 'cancelled',
	};
	await changeAndReport(context, report, isAll || by !== undefined || words.length > 0, async service => {
		const {found, isAsked} = given.length > 0 ? await findNamed(context, service, {words, given}) : await findTimed(context, service, by);
		return {
			steps: found.map(record => setStep('installed', record, {timer: null}, {isDone: record.timer === undefined})),
			questions: isAsked ? [questionOf('Cancel', found.length)] : [],
			ifNo: 'Nothing was cancelled.',
		};
	});
}

async function findTimed(context: Context, service: Service, by: string | undefined) {
	const records = await readList(context, service, 'installed');
	const found = records.filter(({timer}) => timer !== undefined && (by === undefined || foldName(timer.by) === foldName(by)));
	if (found.length === 0) {
		context.note(by === undefined ? 'There are no timers.' : `There is no timer by ${by}.`);
	}

	return {found, isAsked: found.length > 0};
}

export const defineTimers: DefineCommand = (parent, run) => {
	const timers = defineListCommand(parent, run, {
		name: 'timers',
		description: 'list timers: which installed abilities will be switched, and when',
		examples: [
			['switchboard timers', 'the next one first'],
			['switchboard disable nightwatch --until 07:00', 'switch it off, and set a timer that takes it back'],
			['switchboard timers set pantry off --for 2h --note "printer repaired"', 'end a state that it has already'],
			['switchboard timers cancel pantry', 'leave it as it is now'],
		],
		columns: columnsFor(ownTimeZone),
		list,
	});
	timers.notes(`
Any change of the state cancels a timer. If it could not be done at its time, it
is overdue: it is not done later, and stays until somebody switches the ability
or cancels it.`);
	addTimerOptions(
		timers
			.command('set')
			.description('set when the present state of installed abilities ends; an earlier timer is replaced')
			.argument('<installed...>', `${globWordsHelp}; then the state to come: on or off`)
			.usage('[options] <installed...> <on|off>'),
		'switch it',
	)
		.option('--yes', 'skip the confirmation of a glob')
		.option(...requireNamesOption)
		.option(...dryRunOption)
		.examples(
			['switchboard timers set nightwatch on --until 07:00', 'the next 07:00'],
			['switchboard timers set pantry lamps off --for 2h', 'several; nothing is set unless all are found'],
		)
		.exitCodes(['2', 'it has that state already, or the time has passed'], ...severalExitCodes)
		.action(run(setTimers));
	timers
		.command('cancel')
		.description('cancel timers; the abilities stay as they are now')
		.argument('[installed...]', globWordsHelp)
		.option('--all', 'every timer')
		.option('--by <name>', 'those that this person set, or that were set with this key')
		.option('--yes', 'skip the confirmation of --all, --by and of a glob')
		.option(...requireNamesOption)
		.option(...dryRunOption)
		.examples(
			['switchboard timers cancel nightwatch', 'exit 0 also if it has none'],
			['switchboard timers cancel --by anna --dry-run', 'show which ones, and cancel none'],
		)
		.exitCodes(...severalExitCodes)
		.action(run(cancelTimers));
	defineTimersRun(timers, run);
	return timers;
};
