import {planBoard, readBoard, type Board, type BoardPlan} from '../../changes/board.ts';
import {resourceOf, withValues, type Values} from '../../changes/fields.ts';
import type {KnownRecords} from '../../changes/revert.ts';
import type {DecodedRecord, Records, Resource} from '../../interface/records.ts';
import type {StepOutcome} from '../../state/plan.ts';
import {readWhole} from '../../state/whole-entry.ts';
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
	return runPlan(context, service, {
		makePlan: async () => planAt(context, service, at),
		explain(plan) {
			noteBoard(context, plan);
			return {};
		},
	});
}

type Compared = {
	readonly board: Board;
	/** The difference from the present records. */
	readonly found: BoardPlan;
};

type BoardedPlan = Plan & Compared;

/**
Returns the records as they were at a time, for a state file. Records that came since are left out. A timer of then changes no state here:
the file has the same states that `plan --at` plans.

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
	const found = await compare(context, service, board, records);
	noteBoard(context, {board, found});
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

/** Returns the plan that brings the account back to a time. Sends no write, and notes nothing. */
export async function planAt(context: Context, service: Service, at: Date): Promise<BoardedPlan> {
	const board = await read(context, service, at);
	const kinds = new Set(board.fields.map(({first: {kind}}) => kind));
	const lists: Record<Resource, readonly DecodedRecord[]> = {installed: [], agents: [], abilities: []};
	for (const kind of ['installed', 'agent', 'ability'] as const) {
		if (kinds.has(kind) || (kind === 'ability' && kinds.has('agent'))) {
			lists[resourceOf[kind]] = await readList(context, service, resourceOf[kind]);
		}
	}

	const records = lists as KnownRecords;
	const found = await compare(context, service, board, records);
	const steps = [...Map.groupBy(found.reversals, ({kind, record}) => `${kind} ${record}`).values()].map(same =>
		toStep(same, records.abilities),
	);
	const failed = found.failed.map(({entry, error}) => failedStep({entry}, error));
	return {
		board,
		found,
		steps: [...steps, ...failed],
		unchangedCount: found.unchangedCount,
		differences: await differencesOf(context.options.isJson ? [] : steps),
		more: {at: at.toISOString(), reaches_back_to: board.reachesBackTo ?? null, unknown: found.unknown},
	};
}

async function read(context: Context, {history}: Service, at: Date): Promise<Board> {
	context.showProgress('Reading the history …');
	return readBoard(history, {at}, context.readSignal);
}

const compare = async ({readSignal}: Context, {history}: Service, board: Board, records: KnownRecords): Promise<BoardPlan> =>
	planBoard(board, {records, readWhole: async entry => readWhole(history, entry, readSignal)});

/** Notes everything about the time that no change of a plan says. */
export function noteBoard(context: Context, {board: {isWhole}, found: {leftAlone, unknown}}: Compared): void {
	notePart(context, isWhole);
	for (const sentence of leftAlone) {
		context.note(sentence);
	}

	for (const {name, field, reason} of unknown) {
		context.note(`The ${field} of ${name} is not known for then: ${reason}.`, 'warning');
	}
}
