import {firstWords, formatCount, wordList} from '../../interface/format-count.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import type {InstalledAbility} from '../../interface/records.ts';
import {aheadOf, type Timer, type TimerWish} from '../../interface/timers.ts';
import type {TimeZone} from '../../words/time-zone.ts';
import {endText, timerText} from '../../words/timer-words.ts';
import type {Switched} from './lately.ts';

/* The changes of a key in words: its summary once all is answered, and the names of many. */

export type SwitchTarget = {
	readonly id: number;
	readonly isEnabled: boolean;
	/** The timer to set with the switch. */
	readonly timer?: TimerWish | undefined;
};

/** `wasEnabled` is `undefined` if the service did not show it. */
export type SwitchChange = SwitchTarget & {
	readonly name: string;
	readonly wasEnabled: boolean | undefined;
	/** The timer that the switch cancels. */
	readonly cancelled?: Timer | undefined;
};

/** The cause of the changes: the key that switches a row, one that sets many, undo, or redo. */
export type SwitchKind = 'toggle' | 'many' | 'undo' | 'redo';

/** The effect of a key on switches, in messages. */
export type SwitchVerb = 'on' | 'off' | 'preset' | 'retry' | 'undo' | 'redo';

export const verbs: Readonly<Record<SwitchVerb, {readonly underWay: string; readonly lead: string; readonly done: string}>> = {
	on: {underWay: 'Switching on', lead: '', done: 'switched on'},
	off: {underWay: 'Switching off', lead: '', done: 'switched off'},
	preset: {underWay: 'Applying the preset', lead: '', done: 'switched'},
	retry: {underWay: 'Retrying', lead: '', done: 'switched'},
	undo: {underWay: 'Undoing', lead: 'Undone: ', done: 'switched back'},
	redo: {underWay: 'Redoing', lead: 'Redone: ', done: 'switched again'},
};

/** A line has room for this many names. */
const maximumNames = 5;

/** Returns changes of state, a line for each pair of states: “pantry: on → off”. */
export function switchedLines(changes: readonly Switched[]): readonly string[] {
	return [...Map.groupBy(changes, ({wasEnabled, isEnabled}) => `${stateWord(wasEnabled)} → ${stateWord(isEnabled)}`)].map(
		([states, switched]) => `${listNames(switched)}: ${states}`,
	);
}

/** Returns the first names, and the number of the others. */
export function listNames(changes: ReadonlyArray<Pick<Switched, 'name'>>): string {
	return firstWords(
		changes.map(({name}) => name),
		maximumNames,
	);
}

/** The changes of a key, and what became of them. */
export type Answered = {
	readonly changes: readonly SwitchChange[];
	readonly kind: SwitchKind;
	readonly verb: SwitchVerb;
	/** Before and after the summary. */
	readonly lead: string;
	readonly note: string;
	readonly failedIds: ReadonlySet<number>;
	/** The failed changes that may still have been carried out. */
	readonly unknownIds: ReadonlySet<number>;
	/** Changes that were taken back before they were sent, or that were not needed. */
	readonly unsentIds: ReadonlySet<number>;
	/** Changes that a later key reversed; that key reports them. */
	readonly reversedIds: ReadonlySet<number>;
};

/**
Returns the summary of a key's changes, once all are answered; `undefined` if there is nothing to say. The change of one row is visible on
the row; an undo also names the row.

@param record - the record that was answered last.
*/
export function summaryText(
	{changes, kind, verb, lead, note, failedIds, unknownIds, unsentIds, reversedIds}: Answered,
	{name, isEnabled, timer}: InstalledAbility,
	timeZone: TimeZone,
): string | undefined {
	const isAgain = verb === 'undo' || verb === 'redo';
	const cancelled = verb === 'undo' || failedIds.size > 0 ? [] : changes.filter(change => aheadOf(change.cancelled) !== undefined);
	if (changes.length === 1) {
		return kind === 'toggle'
			? cancelled.length === 0
				? undefined
				: cancelledText(cancelled, timeZone)
			: failedIds.size === 0
				? `${lead}${name} is ${stateWord(isEnabled)}${isAgain ? ' again' : endText(timer, timeZone, true)}.${note}`
				: undefined;
	}

	const doneCount = changes.length - failedIds.union(reversedIds).union(unsentIds).size;
	const isAnyUnsent = !unsentIds.isSubsetOf(reversedIds);
	if (doneCount === 0 && failedIds.size === 0) {
		return !isAnyUnsent ? undefined : kind === 'undo' ? `${lead}nothing had been sent.${note}` : `All of them are so already.${note}`;
	}

	const text =
		isAgain && doneCount === changes.length && doneCount <= namedCount
			? `${lead}${againText(changes)}`
			: manySwitchedText(verbs[verb].done, lead, [doneCount, failedIds.size - unknownIds.size, unknownIds.size]);
	const rest = isAnyUnsent && kind === 'undo' ? ' The rest had not been sent.' : '';
	return `${text}${rest}${note}${cancelled.length === 0 ? '' : ` ${cancelledText(cancelled, timeZone)}`}`;
}

/** Such as “The timer of pantry is cancelled: on at 07:00 by anna.” */
function cancelledText(changes: readonly SwitchChange[], timeZone: TimeZone): string {
	const [{name, cancelled}] = changes as readonly [SwitchChange];
	return changes.length === 1
		? `The timer of ${name} is cancelled: ${timerText(cancelled, timeZone, 'author')}.`
		: `${formatCount(changes.length)} timers are cancelled.`;
}

/** Tells whether the service showed each former state. */
export function canRestoreAll(changes: readonly SwitchChange[]): boolean {
	return changes.every(({wasEnabled}) => wasEnabled !== undefined);
}

/** More records than this are counted, not named. */
const namedCount = 3;

/** Such as “nightwatch and pantry are off again.” */
function againText(changes: readonly SwitchChange[]): string {
	const parts = [...Map.groupBy(changes, ({isEnabled}) => isEnabled)].map(([isEnabled, same]) => {
		const names = same.map(({name}) => name);
		return `${wordList(names)} ${names.length === 1 ? 'is' : 'are'} ${stateWord(isEnabled)} again`;
	});
	return `${parts.join('; ')}.`;
}

/** Returns the outcome of many changes, such as “7 switched off, 2 failed.” */
function manySwitchedText(done: string, lead: string, [doneCount, failedCount, unknownCount]: readonly [number, number, number]): string {
	const parts = [
		...(doneCount === 0 ? [] : [`${formatCount(doneCount)} ${done}`]),
		...(failedCount === 0 ? [] : [`${formatCount(failedCount)} failed`]),
		...(unknownCount === 0 ? [] : [`${formatCount(unknownCount)} may still switch`]),
	];
	return `${doneCount === 0 ? '' : lead}${parts.join(', ')}.`;
}

/** Returns the reason why undo cannot restore the states. */
export function irreversibleText(changes: readonly SwitchChange[]): string {
	return changes.length === 1
		? `${changes[0]!.name} was switched ${stateWord(changes[0]!.isEnabled)}, and that cannot be undone: the service did not show its state before.`
		: `${changes.length} were switched, and that cannot be undone: the service did not show their states before.`;
}
