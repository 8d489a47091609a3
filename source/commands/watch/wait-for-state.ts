import type {ChangeOutcome} from '../../changes/send-changes.ts';
import type {ResourceList} from '../../client/client.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import type {JsonValue} from '../../interface/json.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import type {InstalledAbility} from '../../interface/records.ts';
import {isWhole} from '../../changes/compare-lists.ts';
import {follow} from '../../changes/follow.ts';
import type {SeenChange} from '../../changes/followed-changes.ts';
import {setStep, type SetStep, type StepResult, type StepOutcome} from '../../state/plan.ts';
import {exactClock} from '../../words/age.ts';
import {reportItems, throwFailures} from '../change-items.ts';
import type {Context} from '../context.ts';
import {findInstalled} from '../find-records.ts';
import type {Service} from '../with-service.ts';

/** While no stream is open. */
const intervalMilliseconds = 2000;

const nextStep = 'List the installed abilities with: switchboard installed';

const reportWords = {doneWord: 'seen', nextStep: 'Wait only for the others.'} as const;

type Waited = ChangeOutcome<InstalledAbility, StepResult> & {readonly seen?: undefined};

/** Prints the last known state of each ability. */
export async function reportWaiting(context: Context, outcomes: readonly Waited[]): Promise<void> {
	const stateOf = (outcome: StepOutcome): boolean | undefined =>
		'result' in outcome ? (outcome.item as SetStep<'installed'>).record?.isEnabled : undefined;
	const seen = outcomes.map(outcome => ({...outcome, item: setStep('installed', outcome.item, {})}));
	await reportItems(context, seen, {
		...reportWords,
		idField: 'installed_cap_id',
		toJson: outcome => ({enabled: stateOf(outcome) ?? null}),
		toFields: (outcome, name) => [outcome.item.record!.id, stateWord(stateOf(outcome)), name],
		toSentence: (name, _result, {record}) => `${name} is ${stateWord((record as InstalledAbility).isEnabled)}.`,
	});
}

/**
Waits until the installed abilities with these names or ids are all on, or all off, and prints their states. It also prints them if the wait
fails: the time is up, a signal comes, or an ability is no longer installed or does not show its state. Outages are survived.

@throws SwitchboardError `timeout`; `not-found`, or `refused` if the service does not show a state; `some-failed` if several were named.
*/
export async function waitForState(context: Context, service: Service, words: readonly string[], isWanted: boolean): Promise<void> {
	const {readSignal, signal, options, note, showProgress} = context;
	let outcomes: readonly Waited[] = [];
	/** The switches of these abilities in the history. */
	let switches: readonly SeenChange[] = [];
	/** The switch after which all had the state. */
	let passed: SeenChange | undefined;

	const waiting = () => outcomes.filter(outcome => 'error' in outcome || outcome.item.isEnabled !== isWanted).map(({item}) => item);

	const rounds = follow(service.client, {resources: ['installed'], entries: 'history', intervalMilliseconds, signal: readSignal, note});
	for await (const {lists, entries} of rounds) {
		const list = lists.installed;
		if (list === undefined) {
			continue;
		}

		const items = outcomes.length === 0 ? await findInstalled(context, service, list.records, words) : outcomes.map(({item}) => item);
		outcomes = items.map(item => lookUp(item, list));
		if (outcomes.some(outcome => 'error' in outcome) || waiting().length === 0) {
			break;
		}

		switches = [
			...switches,
			...entries.filter(({kind, field, record}) => kind === 'installed' && field === 'enabled' && items.some(({id}) => id === record)),
		];
		passed = findPassed(outcomes, switches, isWanted);
		if (passed !== undefined) {
			// Without the newest list, the last known states are reported.
			const newest = await service.client.list('installed', readSignal, list).catch(() => list);
			outcomes = items.map(item => lookUp(item, newest));
			break;
		}

		showProgress(`Waiting for ${namesOf(waiting())} …`);
	}

	if (passed !== undefined) {
		for (const {id, name, isEnabled} of waiting()) {
			const by = passed.record === id ? ` (by ${passed.by})` : '';
			note(
				`${name} was ${stateWord(isWanted)} at ${exactClock(Date.parse(passed.at), Date.now())}${by}, and is ${stateWord(isEnabled)} again.`,
			);
		}
	}

	await reportWaiting(context, outcomes);
	signal.throwIfAborted();
	throwFailures(outcomes, reportWords);
	if (passed === undefined && waiting().length > 0) {
		throw new SwitchboardError(
			'timeout',
			`Not ${stateWord(isWanted)} after ${options.timeoutMilliseconds! / 1000} s: ${namesOf(waiting())}.`,
			{nextStep: 'Allow more time with --timeout DURATION.'},
		);
	}

	if (outcomes.length === 0) {
		readSignal.throwIfAborted();
	}
}

/** Returns an ability as a list shows it; if it is missing from an incomplete list, as it was seen before. */
function lookUp(item: InstalledAbility, list: ResourceList<InstalledAbility>): Waited {
	const found = list.records.find(({id}) => id === item.id);
	if (found === undefined && isWhole(list)) {
		return {item, error: new SwitchboardError('not-found', `${item.name} is no longer installed.`, {nextStep})};
	}

	const seen = found ?? item;
	return seen.isEnabled === undefined
		? {
				item: seen,
				error: new SwitchboardError('refused', `The service does not show whether ${seen.name} is on, so it cannot be waited for.`),
			}
		: {item: seen, result: {isChanged: true}};
}

/**
Finds the switch after which all abilities had the state. An ability without a switch since the history was followed has had its present
state all the time.
*/
function findPassed(outcomes: readonly Waited[], switches: readonly SeenChange[], isWanted: boolean): SeenChange | undefined {
	const states = new Map<number, JsonValue | undefined>(
		outcomes.map(({item}) => [item.id, switches.find(({record}) => record === item.id)?.from ?? item.isEnabled]),
	);
	return switches.find(({record, to}) =>
		states
			.set(record, to)
			.values()
			.every(state => state === isWanted),
	);
}

const namesOf = (items: readonly InstalledAbility[]): string => items.map(({name}) => name).join(', ');
