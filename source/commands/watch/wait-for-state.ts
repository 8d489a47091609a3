import type {ResourceList} from '../../client/client.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import type {InstalledAbility} from '../../interface/records.ts';
import {stateWord} from '../../interface/state-word.ts';
import {isWhole} from '../../state/compare-with-known.ts';
import type {Context} from '../context.ts';
import {findInstalled} from '../find-installed.ts';
import type {ItemOutcome} from '../item-outcome.ts';
import {reportItems, throwFailures} from '../report-items.ts';
import type {Service} from '../with-service.ts';
import {poll, type Look, type Outdated} from './poll.ts';
import {pollList} from './poll-list.ts';

/** While no stream is open. */
const intervalMilliseconds = 2000;

const nextStep = 'List what is installed with: switchboard installed';

type Waited = ItemOutcome<InstalledAbility, InstalledAbility>;

/** Prints what was seen last of each ability. */
export const reportWaiting = async (context: Context, outcomes: readonly Waited[]): Promise<void> => {
	const stateOf = (outcome: Waited): boolean | undefined => 'result' in outcome ? outcome.result.isEnabled : undefined;
	await reportItems(context, outcomes, {
		idField: 'installed_cap_id',
		toJson: outcome => ({enabled: stateOf(outcome) ?? null}),
		toFields: outcome => [outcome.item.id, stateWord(stateOf(outcome)), outcome.item.name],
		toSentence: ({name}, {isEnabled}) => `${name} is ${stateWord(isEnabled)}.`,
	});
};

const hiddenStateError = ({name}: InstalledAbility): SwitchboardError =>
	new SwitchboardError('refused', `The service does not show whether ${name} is on, so it cannot be waited for.`);

/** What a list shows of an ability; of one that a part of the list does not show, what was seen before. */
const lookUp = (item: InstalledAbility, list: ResourceList<InstalledAbility>): Waited => {
	const found = list.records.find(({id}) => id === item.id);
	if (found === undefined && isWhole(list)) {
		return {item, error: new SwitchboardError('not-found', `${item.name} is no longer installed.`, {nextStep})};
	}

	const seen = found ?? item;
	return seen.isEnabled === undefined ? {item: seen, error: hiddenStateError(seen)} : {item: seen, result: seen};
};

const notReachedError = (waiting: readonly InstalledAbility[], isWanted: boolean, {timeoutMilliseconds}: Context['options']): SwitchboardError => {
	const names = waiting.map(({name}) => name).join(', ');
	return new SwitchboardError('timeout', `Not ${stateWord(isWanted)} after ${timeoutMilliseconds! / 1000} s: ${names}.`, {nextStep: 'Allow more time with --timeout SECONDS.'});
};

/**
Waits until the installed abilities with these names or ids are all on, or all off, and prints their states, also where that does not come:
where the time is up, a signal comes, or one is no longer installed or does not show its state. Outages are survived.

@throws SwitchboardError `timeout`; `not-found`, or `refused` if the service does not show a state; `some-failed` if several were named.
*/
export const waitForState = async (context: Context, service: Service, words: readonly string[], isWanted: boolean): Promise<void> => {
	const {readSignal, signal, options, showProgress} = context;
	let list: ResourceList<InstalledAbility> | undefined;
	let outcomes: readonly Waited[] = [];

	const isReached = (outcome: Waited): boolean => 'result' in outcome && outcome.result.isEnabled === isWanted;

	const look = async (outdated: Outdated): Promise<Look> => {
		const startedAt = performance.now();
		list = await pollList(service.client, 'installed', list, outdated.get('installed'), readSignal);
		const readMilliseconds = performance.now() - startedAt;
		const items = outcomes.length === 0 ? await findInstalled(context, service, list.records, words) : outcomes.map(({item}) => item);
		outcomes = items.map(item => lookUp(item, list!));
		return {isDone: outcomes.some(outcome => 'error' in outcome) || outcomes.every(outcome => isReached(outcome)), readMilliseconds};
	};

	const lookAndTell = async (outdated: Outdated): Promise<Look> => {
		const result = await look(outdated);
		showProgress(`Waiting for ${outcomes.filter(outcome => !isReached(outcome)).map(({item}) => item.name).join(', ')} …`);
		return result;
	};

	await poll(context, {
		client: service.client, resources: ['installed'], intervalMilliseconds, signal: readSignal, look: lookAndTell,
	});
	await reportWaiting(context, outcomes);
	signal.throwIfAborted();
	throwFailures(outcomes, {doneWord: 'seen', wordOf: () => 'seen', nextStep: 'Wait for the others alone.'});
	const waiting = outcomes.filter(outcome => !isReached(outcome)).map(({item}) => item);
	if (waiting.length > 0) {
		throw notReachedError(waiting, isWanted, options);
	}

	if (outcomes.length === 0) {
		readSignal.throwIfAborted();
	}
};
