import type {PlannedBack} from '../../changes/bring-back.ts';
import {deletionLosses, isRevertible, readLaterEntries, type KnownRecords, type PlannedReversal} from '../../changes/revert.ts';
import {skipKey, type LogEntry} from '../../changes/log-lines.ts';
import {lossLines} from '../../changes/removals.ts';
import {findStandingGroups, listsToUndo, overtakingInLog, planUndo, type FindOvertaking, type PlannedUndo} from '../../changes/undo.ts';
import type {AbilityChanges, AgentChanges, InstalledChanges} from '../../client/client.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {counted} from '../../interface/format-count.ts';
import {entryName, seenElsewhere, type HistoryEntry} from '../../interface/history.ts';
import {nameIdentity} from '../../interface/name-index.ts';
import {rawName, type Ability, type Agent, type DecodedRecord, type InstalledAbility, type Resource} from '../../interface/records.ts';
import {shellWord} from '../../platform/shell-word.ts';
import {countedChanges, doneText, type Change} from '../../changes/change.ts';
import {findField, resourceOf, type RecordKind, type Values} from '../../changes/fields.ts';
import {agentStep} from '../../state/plan-state.ts';
import {setStep, type Step, type StepOutcome} from '../../state/plan.ts';
import {readWhole} from '../../state/whole-entry.ts';
import {clock} from '../../words/age.ts';
import type {TimeZone} from '../../words/time-zone.ts';
import {isInteractive, type Context} from '../context.ts';
import {readList} from '../find-records.ts';
import {runPlan, throwFailedChanges} from '../run-plan.ts';
import {differencesOf, type Plan} from '../prepare-plan.ts';
import {withService, type Service} from '../with-service.ts';
import {stepsBack, tiesBack} from './bring-back.ts';
import {readEntries, readEntry} from './read-entries.ts';

const installAgain = (word: string): string => `To install it again: switchboard install ${word}`;

/** The remedy for a change that cannot be reverted, by its kind and field. */
const remedies: ReadonlyMap<string, (word: string, entry: HistoryEntry) => string> = new Map([
	['installed installed', (word, {to}) => (to === true ? `To uninstall it: switchboard uninstall ${word}` : installAgain(word))],
	[
		'ability exists',
		(word, {to}) =>
			to === true
				? `To delete it: switchboard abilities delete ${word}`
				: `${deletionLosses}\nTo upload it again: switchboard abilities push FOLDER`,
	],
	[
		'ability version',
		(word, {from}) =>
			`To bring back its source: switchboard abilities restore ${word} --version ${typeof from === 'string' && from !== '' ? shellWord(from) : 'N'}`,
	],
	[
		'key exists',
		(word, {to}) => (to === true ? `To revoke it: switchboard keys revoke ${word}` : 'To make another one: switchboard keys create'),
	],
] as const);

type Explanation = {readonly sentence: string; readonly nextStep: string};

type Undoing = {
	/** The newest first. */
	readonly entries: readonly LogEntry[];
	readonly findOvertaking: FindOvertaking;
	/** Entries of the log, which identify records that were renamed since. */
	readonly names?: readonly LogEntry[];
	/** Explains which later change of the field is in the way, and the next step. */
	readonly explainOvertaking: (undo: PlannedUndo, timeZone: TimeZone) => Explanation;
	/** The action in a question, such as `revert it`. */
	readonly verb: 'undo' | 'revert';
	/** The treatment of changes that somebody has overtaken: asked about by default. */
	readonly overtaken?: 'left-out' | 'included';
	/** Called with the changes that are undone already, or that cannot be taken back. */
	readonly skip?: (undos: readonly PlannedUndo[]) => Promise<void>;
};

/**
Takes changes back, after a question. If somebody has changed a field since, it asks even with `--yes`; if nobody can answer, that change
fails, and the others are taken back.
*/
async function takeBack(context: Context, service: Service, undoing: Undoing): Promise<readonly StepOutcome[]> {
	const {entries, verb, skip} = undoing;
	const first = await planChanges(context, service, undoing);
	const problem = first.steps[0]?.problem;
	if (verb !== 'undo' && entries.length === 1 && problem !== undefined) {
		throw problem;
	}

	let isFirst = true;
	return runPlan(context, service, {
		async makePlan() {
			const plan = isFirst ? first : await planChanges(context, service, undoing);
			isFirst = false;
			return plan;
		},
		async explain({steps, overtaken, undos}) {
			if (steps.length === 0) {
				await skip?.(undos);
			}

			for (const {entry, planned} of undos) {
				for (const name of planned?.gone ?? []) {
					context.note(`The ability ${name} is gone, so ${entryName(entry)} cannot have it again.`, 'warning');
				}
			}

			const formers = undos.flatMap(({back}) => back?.former ?? []);
			for (const line of lossLines(formers)) {
				context.note(line, 'warning');
			}

			for (const {name} of formers.filter(({agents}) => agents === undefined)) {
				context.note(`Check which agents use ${name}: this service does not show that.`);
			}

			const isAsked = isAskedAbout(context, undoing);
			for (const {sentence} of isAsked || undoing.overtaken === 'included' ? overtaken : []) {
				context.note(sentence, 'warning');
			}

			const isAlwaysAsked = isAsked && overtaken.length > 0;
			return {
				isAlwaysAsked,
				question: isAlwaysAsked ? `Make ${entries.length === 1 ? 'this change' : 'these changes'} anyway?` : undefined,
			};
		},
		async begin({undos}) {
			await skip?.(undos.filter(({planned, error}) => error !== undefined || (planned !== undefined && planned.reversal === undefined)));
			return async outcomes => {
				const failed = outcomes.flatMap(outcome => ('error' in outcome ? [outcome.item] : []));
				const isBack = ({former}: PlannedBack): boolean =>
					failed.every(
						({name, kind}) => name !== rawName(former.ability ?? former.installed!) && (kind !== 'set' || former.agents?.length === 0),
					);
				await skip?.(undos.filter(({back}) => back !== undefined && isBack(back)));
			};
		},
	});
}

/** Tells whether a person is asked about overtaken changes. */
function isAskedAbout(context: Context, {overtaken}: Undoing): boolean {
	return overtaken === undefined && (context.isDryRun || isInteractive(context));
}

type UndoPlan = Plan & {
	/** The changes that were overtaken by somebody else's, with an explanation for each. */
	readonly overtaken: ReadonlyArray<{readonly undo: PlannedUndo} & Explanation>;
	readonly undos: readonly PlannedUndo[];
};

/** Reads the present records, and plans the changes that restore the former values. Sends no write. */
async function planChanges(context: Context, service: Service, undoing: Undoing): Promise<UndoPlan> {
	const {entries, names, verb, findOvertaking, explainOvertaking} = undoing;
	const lists: Record<Resource, readonly DecodedRecord[]> = {installed: [], agents: [], abilities: []};
	for (const resource of listsToUndo(entries)) {
		lists[resource] = await readList(context, service, resource);
	}

	const records = lists as KnownRecords;
	const undos = await planUndo(entries, {records, findOvertaking, names});
	const refused = undos.flatMap(undo => (undo.error === undefined ? [] : [failedStep(undo, toRefusal(undo.entry, undo.error))]));
	const overtaken = undos
		.filter(({overtaking}) => overtaking !== undefined)
		.map(undo => ({undo, ...explainOvertaking(undo, context.timeZone)}));
	const areIncluded = undoing.overtaken === 'included' || isAskedAbout(context, undoing);
	const inTheWay = overtaken.map(({undo, sentence, nextStep}) =>
		failedStep(undo, new SwitchboardError('conflict', `${sentence} Nothing was done.`, {nextStep})),
	);
	const back = undos.filter(({planned, overtaking}) => planned?.reversal !== undefined && (areIncluded || overtaking === undefined));
	const removed = undos.flatMap(undo => undo.back ?? []);
	const brought = removed.flatMap(each => stepsBack(each, service));
	const reversals = [...Map.groupBy(back, ({entry: {kind, record}}) => `${kind} ${record}`).values()].map(same =>
		toStep(
			same.map(({planned}) => planned!.reversal!),
			records.abilities,
		),
	);
	const steps = [...brought, ...reversals, ...tiesBack(context, removed, records)];
	return {
		steps: [...steps, ...refused, ...(areIncluded ? [] : inTheWay)],
		unchangedCount: countEntries(
			undos.filter(({planned}) => planned !== undefined && planned.reversal === undefined).map(({entry}) => entry),
		),
		differences: await differencesOf(context.options.isJson ? [] : steps),
		overtaken,
		undos,
		...(verb === 'undo' && {
			more: {
				overtaken: overtaken.map(({undo: {entry, overtaking}}) => ({
					kind: entry.kind,
					name: entry.name,
					field: entry.field,
					by: overtaking!.by,
					at: overtaking!.at ?? null,
				})),
			},
		}),
	};
}

function countEntries(entries: readonly HistoryEntry[]): number {
	return [...Map.groupBy(entries, ({kind, record}) => `${kind} ${record}`).values()].flatMap(same => countedChanges(same)).length;
}

/** Returns a step that cannot be sent, for the report. */
export function failedStep({entry: {kind, name, field, from, to}}: {readonly entry: HistoryEntry}, problem: SwitchboardError): Step {
	return {
		...setStep('installed', undefined, field === 'enabled' ? {enabled: from === true} : {}, {name, problem}),
		changes: [{kind: kind as RecordKind, name, field: field as Change['field'], from: to, to: from}],
	};
}

/** Returns the error for a change that cannot be reverted, with the remedy. A missing record is not a mistake in the command line. */
function toRefusal(entry: HistoryEntry, {kind, message, nextStep}: SwitchboardError): SwitchboardError {
	const word = shellWord(entryName(entry));
	const isUninstalled = kind === 'not-found' && entry.kind === 'installed';
	const remedy = isRevertible(entry)
		? isUninstalled
			? installAgain(word)
			: undefined
		: remedies.get(`${entry.kind} ${entry.field}`)?.(word, entry);
	return new SwitchboardError(kind === 'not-found' ? 'refused' : kind, `${message} Nothing was done.`, {nextStep: remedy ?? nextStep});
}

/** Returns the step that restores the former values of a record. */
export function toStep(reversals: ReadonlyArray<NonNullable<PlannedReversal['reversal']>>, abilities: readonly Ability[]): Step {
	const [{kind, seen}] = reversals as readonly [NonNullable<PlannedReversal['reversal']>];
	const timer = reversals.find(reversal => reversal.timer !== undefined)?.timer;
	const {abilities: wanted, ...values}: Values = {
		...Object.fromEntries(reversals.map(({field, to}) => [field, to])),
		...(timer !== undefined && {timer}),
	};
	if (wanted === undefined) {
		return setStep(
			resourceOf[kind],
			seen as Agent & Ability & InstalledAbility,
			values as AgentChanges & AbilityChanges & InstalledChanges,
		);
	}

	const ids = new Set(wanted as readonly number[]);
	const ties = abilities.filter(({id}) => ids.has(id)).map(ability => ({id: ability.id, name: rawName(ability)}));
	const names = new Map(abilities.map(ability => [ability.id, rawName(ability)]));
	return agentStep(seen as Agent, values as AgentChanges, ties, id => names.get(id));
}

/** Restores the values from before changes, after a question. */
export async function revert(context: Context, ids: readonly number[]): Promise<void> {
	throwFailedChanges(
		await withService(context, async service => {
			const entries: HistoryEntry[] = [];
			for (const id of new Set(ids)) {
				entries.push(await readEntry(context, service, id));
			}

			entries.sort((one, other) => other.id - one.id);
			return takeBack(context, service, {
				entries,
				verb: 'revert',
				explainOvertaking: explainByNumber,
				findOvertaking: overtakingInHistory(context, service, ({id}) => !ids.includes(id)),
			});
		}),
	);
}

/** Returns how to find a later change of the same field in the history, of those that are meant. */
function overtakingInHistory({readSignal}: Context, {history}: Service, isMeant: (later: HistoryEntry) => boolean): FindOvertaking {
	return async (entry, {isOvertaken}) => {
		const later = (await readLaterEntries(history, entry, readSignal)).find(each => isMeant(each));
		return later === undefined
			? isOvertaken
				? {by: seenElsewhere, at: undefined}
				: undefined
			: {by: later.by, at: later.at, entry: later};
	};
}

/** Names the later change by its number in the history. */
function explainByNumber({entry, overtaking}: PlannedUndo, timeZone: TimeZone): Explanation {
	const {by, at, entry: later} = overtaking!;
	const {noun} = findField(resourceOf[entry.kind as RecordKind], entry.field)!;
	const name = entryName(entry);
	return later === undefined
		? {
				sentence: `The ${noun} of ${name} is no longer what change ${entry.id} made it, and the history does not say why.`,
				nextStep: 'Change it by its own command.',
			}
		: {
				sentence: `Change ${later.id} came after it (by ${by}, ${clock(Date.parse(at!), Date.now(), timeZone.zone)}): ${entryName(later)} ${doneText(later, timeZone)}.`,
				nextStep: `See it with: switchboard history show ${later.id}\nTo revert that one first: switchboard history revert ${later.id}`,
			};
}

/** The changes that undo takes back: the last ones by this person, or those since a time, perhaps by somebody else. */
export type UndoRange = {
	readonly count: number;
	readonly since?: Date | undefined;
	readonly by?: string | undefined;
	/** True to take back also what somebody has changed since; with `since`. */
	readonly force?: boolean | undefined;
};

/** Takes back changes, after a question. */
export async function undo(context: Context, range: UndoRange): Promise<void> {
	const {by, since} = range;
	await (by === undefined || since === undefined ? undoOwn(context, range) : undoBy(context, by, since, range));
}

/** Returns the treatment of changes that were overtaken, for a range with a time. */
const overtakenSince = ({force = false}: UndoRange): 'left-out' | 'included' => (force ? 'included' : 'left-out');

/** Takes back what one person, or one key, has changed since a time, by the history. */
async function undoBy(context: Context, by: string, since: Date, range: UndoRange): Promise<void> {
	throwFailedChanges(
		await withService(context, async service => {
			const query = {since: since.toISOString(), by};
			const {entries} = await readEntries(context, service, query, {words: [], limit: Number.MAX_SAFE_INTEGER});
			const revertible: HistoryEntry[] = [];
			for (const entry of entries) {
				if (isRevertible(entry)) {
					revertible.push(await readWhole(service.history, entry, context.readSignal));
				} else if (entry.kind !== 'key' && entry.field !== 'timer') {
					context.note(`Left alone: ${entryName(entry)} ${doneText(entry, context.timeZone)}.`);
				}
			}

			return takeBack(context, service, {
				entries: revertible,
				verb: 'undo',
				overtaken: overtakenSince(range),
				explainOvertaking: explainByNumber,
				findOvertaking: overtakingInHistory(context, service, each => nameIdentity(each.by) !== nameIdentity(by)),
			});
		}),
	);
}

/** Takes back the last changes by this person, or all since a time. */
async function undoOwn(context: Context, range: UndoRange): Promise<void> {
	const {count, since} = range;
	const isSince = ({at}: LogEntry): boolean => since === undefined || Date.parse(at) >= since.getTime();
	throwFailedChanges(
		await withService(context, async service => {
			const {log, history, newGroup, within} = service;
			const {changes, skipped} = log.all();
			const groups = findStandingGroups(changes, skipped)
				.filter(({person}) => person === context.session?.personId)
				.map(group => ({...group, entries: group.entries.filter(entry => isSince(entry))}))
				.filter(({entries}) => entries.length > 0)
				.slice(0, since === undefined ? count : undefined);
			for (const {entries} of groups) {
				const {via, at} = entries[0]!;
				context.note(
					`${via === 'screen' ? 'On the screens' : `By “${via}”`}, ${clock(Date.parse(at), Date.now(), context.timeZone.zone)}: ${counted(countEntries(entries), 'change')}.`,
				);
			}

			if (groups.length === 0 && !context.options.isJson) {
				context.note(
					`There is nothing to undo: nothing was changed from here${since === undefined ? '' : ' since then'}, or all of it is undone.`,
				);
			}

			const isKept = groups.length > 0 && (await history.isKeptByService(context.readSignal));
			return within(newGroup(...groups.map(({group}) => group)), async () =>
				takeBack(context, service, {
					entries: groups.flatMap(({entries}) => entries),
					verb: 'undo',
					...(since !== undefined && {overtaken: overtakenSince(range)}),
					explainOvertaking: explainByTime,
					names: changes,
					findOvertaking: overtakingInLog(
						changes,
						isKept ? async query => (await history.read(query, context.readSignal)).entries : undefined,
					),
					skip: async undos => (context.isDryRun ? undefined : log.skip(undos.flatMap(({all}) => all.map(entry => skipKey(entry))))),
				}),
			);
		}),
	);
}

/** Names the later change by its person and time: the numbers of a log do not appear in the history of a service that keeps one. */
function explainByTime({entry, overtaking}: PlannedUndo, timeZone: TimeZone): Explanation {
	const {by, at, entry: later} = overtaking!;
	const time = at === undefined ? '' : `, ${clock(Date.parse(at), Date.now(), timeZone.zone)}`;
	const what = later === undefined ? '' : `: ${doneText(later, timeZone)}`;
	return {
		sentence:
			by === seenElsewhere
				? `${entryName(entry)} was changed elsewhere after that${time}${what}.`
				: `${by} changed ${entryName(entry)} after that${time}${what}.`,
		nextStep: 'Change it by its own command.',
	};
}
