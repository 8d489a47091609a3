import {planBoard, readBoard, type Board, type BoardPlan} from '../../changes/board.ts';
import {resourceOf, withValues, type Values} from '../../changes/fields.ts';
import type {KnownRecords} from '../../changes/revert.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import type {DecodedRecord, Records, Resource} from '../../interface/records.ts';
import type {StepOutcome} from '../../state/plan.ts';
import {withWholeTexts} from '../../state/whole-entry.ts';
import {exactClock} from '../../words/age.ts';
import type {Context} from '../context.ts';
import {readList} from '../find-records.ts';
import {differencesOf, type Plan} from '../prepare-plan.ts';
import {runPlan} from '../run-plan.ts';
import type {Service} from '../with-service.ts';
import {notePart} from './read-entries.ts';
import {failedStep, toStep} from './revert.ts';

/* The board as it was at a time, for `plan`, `apply` and `export` with `--at`. */

/** Brings the account back to a time, after a question. */
export async function applyAt(context: Context, service: Service, at: Date): Promise<readonly StepOutcome[]> {
	return runPlan(context, service, {makePlan: async () => planAt(context, service, at), explain: () => ({})});
}

/**
Returns the records as they were at a time, for a state file. Records that came since are left out.

@param readRecords - reads the present records.
@throws SwitchboardError as `planAt` does.
*/
export async function recordsAt(
	context: Context,
	service: Service,
	at: Date,
	readRecords: () => Promise<KnownRecords>,
): Promise<KnownRecords> {
	const board = await read(context, service, at);
	const records = await readRecords();
	const found = await planBoard(board, {records, readWhole: readWholeFrom(context, service)});
	noteAll(context, found);
	const values = new Map<DecodedRecord, Values>();
	for (const {seen, field, to} of found.reversals) {
		values.set(seen, {...values.get(seen), [field]: to});
	}

	const then = <R extends Resource>(resource: R, kind: 'agent' | 'ability' | 'installed') =>
		(records[resource] as ReadonlyArray<Records[R]>)
			.filter(({id}) => !found.isNew(kind, id))
			.map(record => (values.has(record) ? withValues(resource, record, values.get(record)!) : record));
	return {installed: then('installed', 'installed'), abilities: then('abilities', 'ability'), agents: then('agents', 'agent')};
}

/** Returns the plan that brings the account back to a time. Sends no write. */
export async function planAt(context: Context, service: Service, at: Date): Promise<Plan> {
	const board = await read(context, service, at);
	const kinds = new Set(board.fields.map(({first: {kind}}) => kind));
	const lists: Record<Resource, readonly DecodedRecord[]> = {installed: [], agents: [], abilities: []};
	for (const kind of ['installed', 'agent', 'ability'] as const) {
		if (kinds.has(kind) || (kind === 'ability' && kinds.has('agent'))) {
			lists[resourceOf[kind]] = await readList(context, service, resourceOf[kind]);
		}
	}

	const records = lists as KnownRecords;
	const found = await planBoard(board, {records, readWhole: readWholeFrom(context, service)});
	noteAll(context, found);
	const steps = [...Map.groupBy(found.reversals, ({kind, record}) => `${kind} ${record}`).values()].map(same =>
		toStep(same, records.abilities),
	);
	const failed = found.failed.map(({entry, error}) => failedStep({entry}, error));
	return {
		steps: [...steps, ...failed],
		unchangedCount: found.unchangedCount,
		differences: await differencesOf(context.options.isJson ? [] : steps),
		more: {at: at.toISOString(), reaches_back_to: board.reachesBackTo ?? null, unknown: found.unknown},
	};
}

async function read(context: Context, {history}: Service, at: Date): Promise<Board> {
	context.showProgress('Reading the history …');
	const board = await readBoard(history, {at}, context.readSignal);
	notePart(context, board.isWhole);
	return board;
}

const readWholeFrom =
	({readSignal}: Context, {history}: Service) =>
	async ({id}: {readonly id: number}) => {
		const {
			entries: [entry],
		} = await history.read({entry: id}, readSignal);
		if (entry === undefined) {
			throw new SwitchboardError('not-found', `Change ${id} is no longer in the history.`);
		}

		return withWholeTexts(entry);
	};

/** Notes everything about the time that no change of a plan says. */
function noteAll({note, options: {isJson}}: Context, {leftAlone, unknown}: BoardPlan): void {
	for (const sentence of isJson ? [] : leftAlone) {
		note(sentence);
	}

	for (const {name, field, reason} of isJson ? [] : unknown) {
		note(`The ${field} of ${name} is not known for then: ${reason}.`, 'warning');
	}
}

/** Refuses a time that has not come. */
export function refuseFuture(at: Date): void {
	if (at.getTime() > Date.now()) {
		throw new SwitchboardError('usage', `${exactClock(at.getTime(), Date.now())} has not come yet.`, {
			nextStep: 'Give --at a time that has passed.',
		});
	}
}
