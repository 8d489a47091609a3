import {formatCount} from '../../interface/format-count.ts';
import {stateWord} from '../../interface/state-word.ts';

/** What a key does to switches, in messages. */
export type SwitchVerb = 'on' | 'off' | 'preset' | 'retry' | 'undo' | 'redo';

const verbs: Readonly<Record<SwitchVerb, {readonly underWay: string; readonly lead: string; readonly done: string}>> = {
	on: {underWay: 'Switching on', lead: '', done: 'switched on'},
	off: {underWay: 'Switching off', lead: '', done: 'switched off'},
	preset: {underWay: 'Applying the preset', lead: 'Preset: ', done: 'switched'},
	retry: {underWay: 'Retrying', lead: '', done: 'switched'},
	undo: {underWay: 'Undoing', lead: 'Undone: ', done: 'switched back'},
	redo: {underWay: 'Redoing', lead: 'Redone: ', done: 'switched again'},
};

/** Such as “261 of 5,000”. */
export const progressCount = (settledCount: number, count: number): string => `${formatCount(settledCount)} of ${formatCount(count)}`;

export const progressText = (verb: SwitchVerb, count: string): string => `${verbs[verb].underWay}: ${count}…`;

/** The outcome of one change, such as “Undone: lamps is on again.” */
export const oneSwitchedText = (verb: SwitchVerb, name: string, isEnabled: boolean | undefined): string => {
	const isAgain = verb === 'undo' || verb === 'redo';
	return `${verbs[verb].lead}${name} is ${stateWord(isEnabled)}${isAgain ? ' again' : ''}.`;
};

type SwitchedCounts = {
	readonly done: number;
	readonly failed: number;
	/** Those that may have been carried out all the same. */
	readonly unknown: number;
};

/** The outcome of many changes, such as “7 switched off, 2 failed.” */
export const manySwitchedText = (verb: SwitchVerb, {done, failed, unknown}: SwitchedCounts): string => {
	const parts = [
		`${done} ${verbs[verb].done}`,
		...(failed === 0 ? [] : [`${failed} failed`]),
		...(unknown === 0 ? [] : [`${unknown} may still arrive`]),
	];
	return `${done === 0 ? '' : verbs[verb].lead}${parts.join(', ')}.`;
};

type Switched = {readonly name: string; readonly wasEnabled: boolean | undefined; readonly isEnabled: boolean};

/** How many names a line has room for. */
const maximumNames = 5;

const listNames = (changes: readonly Switched[]): string => {
	const names = changes.slice(0, maximumNames).map(({name}) => name).join(', ');
	return changes.length <= maximumNames ? names : `${names} and ${formatCount(changes.length - maximumNames)} more`;
};

/** What was switched from one state to another, a line for each such pair: “pantry: on → off”. */
export const switchedLines = (changes: readonly Switched[]): readonly string[] =>
	[...Map.groupBy(changes, ({wasEnabled, isEnabled}) => `${stateWord(wasEnabled)} → ${stateWord(isEnabled)}`)]
		.map(([states, switched]) => `${listNames(switched)}: ${states}`);
