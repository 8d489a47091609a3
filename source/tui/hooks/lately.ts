import type {RecordChange} from '../../changes/compare-lists.ts';
import {findField, plainValue, resourceOf} from '../../changes/fields.ts';
import {firstWords} from '../../interface/format-count.ts';
import {seenElsewhere} from '../../interface/history.ts';
import {stateWord} from '../../interface/installed-lookup.ts';
import {cleanName} from '../../interface/records.ts';
import type {TimeZone} from '../../words/time-zone.ts';
import {createObservable} from '../observable.ts';
import type {UndoEntry} from './undo-history.ts';

export type LateChange = {
	/** In milliseconds since the epoch. */
	readonly at: number;
	/** “you”, “elsewhere” or a name. */
	readonly by: string;
	/** The name of the record, such as “pantry” or “pantry and 2 more”. */
	readonly subject: string;
	/** Such as “on → off” or “phrases changed”. */
	readonly what: string;
	/** The entry that undo takes back, if this is a change of this session and not itself an undo. */
	readonly done?: UndoEntry | undefined;
	/** For a change from outside this session: its keys in the log, as far as undo offers it. */
	readonly earlier?: readonly string[] | undefined;
};

/** No screen shows more. */
const maximumCount = 50;

export type Switched = {readonly name: string; readonly wasEnabled: boolean | undefined; readonly isEnabled: boolean};

/** Returns the switches of one key as one change. */
export function switchedWords(changes: readonly Switched[]): Pick<LateChange, 'subject' | 'what'> {
	const states = new Set(changes.map(({wasEnabled, isEnabled}) => `${stateWord(wasEnabled)} → ${stateWord(isEnabled)}`));
	return {
		subject: firstWords(
			changes.map(({name}) => name),
			1,
		),
		what: states.size === 1 ? [...states][0]! : 'switched',
	};
}

const presenceWords: ReadonlyMap<string, string> = new Map([
	['installed true', 'installed'],
	['installed false', 'uninstalled'],
	['exists true', 'added'],
	['exists false', 'deleted'],
]);

/** Returns the words for changes: one line for each record, or one line for many changes of a kind. */
export function changeWords(changes: readonly RecordChange[], timeZone?: TimeZone): ReadonlyArray<Pick<LateChange, 'subject' | 'what'>> {
	return [...Map.groupBy(changes, change => wordsOf(change, timeZone))].map(([what, same]) => ({
		subject: firstWords(
			same.map(({name}) => cleanName(name)),
			1,
		),
		what,
	}));
}

function wordsOf({kind, field, from, to}: RecordChange, timeZone: TimeZone | undefined): string {
	const {noun, words = () => `new ${noun}`} = findField(resourceOf[kind], field) ?? {};
	return presenceWords.get(`${field} ${plainValue(to)}`) ?? words(from, to, timeZone);
}

/** Returns a sentence about changes by somebody else, such as “anna switched guestwifi off.” */
export function changedByOtherText(by: string | undefined, changes: readonly RecordChange[], timeZone?: TimeZone): string {
	const [{subject, what}] = changeWords(changes, timeZone) as readonly [Pick<LateChange, 'subject' | 'what'>];
	const [{field, to}] = changes as readonly [RecordChange];
	return field === 'enabled'
		? by === undefined
			? `${subject} switched ${stateWord(to as boolean)} elsewhere.`
			: `${by} switched ${subject} ${stateWord(to as boolean)}.`
		: `${by ?? 'Elsewhere'}: ${subject} ${what}.`;
}

/** Returns the author of a change by others for display: in quotes if somebody has the name of the reader's own changes. */
export function authorName(by = ''): string {
	return by === '' ? seenElsewhere : by === 'you' ? '“you”' : by;
}

/**
Returns the last changes, of a session and of others meanwhile, the newest first.

@param onOwn - called with changes of this session, but for switches.
*/
export function createLately(onOwn?: (words: Pick<LateChange, 'subject' | 'what'>) => void) {
	const entries = createObservable<readonly LateChange[]>([]);
	let filled = new WeakSet<LateChange>();
	/** The last switch of each record, with those of the same key. */
	const switches = new Map<number, {readonly late: LateChange; readonly changes: ReadonlyArray<Switched & {readonly id: number}>}>();

	const put = (
		by: 'you' | 'elsewhere',
		changes: ReadonlyArray<Pick<LateChange, 'subject' | 'what'>>,
		{done, earlier}: Pick<LateChange, 'done' | 'earlier'>,
	): readonly LateChange[] => {
		const at = Date.now();
		const added = changes.map(({subject, what}) => ({at, by, subject, what, done, earlier}));
		if (added.length > 0) {
			entries.set([...added, ...entries.get()].slice(0, maximumCount));
		}

		return added;
	};

	const replace = (before: readonly LateChange[], after: readonly LateChange[]): void => {
		const old = new Set(before);
		entries.set(
			entries
				.get()
				.flatMap(entry => (entry === before[0] ? after : old.has(entry) ? [] : [entry]))
				.slice(0, maximumCount),
		);
	};

	return {
		get: entries.get,
		subscribe: entries.subscribe,
		/** @returns the new entries. */
		add(
			by: 'you' | 'elsewhere',
			changes: ReadonlyArray<Pick<LateChange, 'subject' | 'what'>>,
			how: Pick<LateChange, 'done' | 'earlier'> = {},
		): readonly LateChange[] {
			if (by === 'you') {
				for (const words of changes) {
					onOwn?.(words);
				}
			}

			return put(by, changes, how);
		},
		/** Adds the switches of one key. */
		addSwitches(changes: ReadonlyArray<Switched & {readonly id: number}>, done: UndoEntry | undefined): void {
			const [late] = put('you', [switchedWords(changes)], {done});
			for (const {id} of changes) {
				switches.set(id, {late: late!, changes});
			}
		},
		/** Removes the last switch of a record, which had no effect. */
		withdrawSwitch(id: number): void {
			const {late, changes = []} = switches.get(id) ?? {};
			if (late === undefined) {
				return;
			}

			const left = changes.filter(change => change.id !== id);
			const rest = left.length === 0 ? [] : [{...late, ...switchedWords(left)}];
			replace([late], rest);
			for (const change of left) {
				switches.set(change.id, {late: rest[0]!, changes: left});
			}
		},
		/** Removes another change of this session, which had no effect. */
		withdraw(change: RecordChange, timeZone: TimeZone): void {
			const [made] = changeWords([change], timeZone);
			const late = entries.get().find(({by, subject, what}) => by === 'you' && subject === made!.subject && what === made!.what);
			if (late !== undefined) {
				replace([late], []);
			}
		},
		/** Puts the changes from before this session after its own, in place of those known before. */
		fill(earlier: readonly LateChange[]): void {
			const present = entries.get().filter(entry => !filled.has(entry));
			const oldest = present.at(-1)?.at ?? Infinity;
			filled = new WeakSet(earlier);
			entries.set([...present, ...earlier.filter(({at}) => at < oldest)].slice(0, maximumCount));
		},
		/** Replaces entries once more is known about them. */
		replace,
	};
}

export type Lately = ReturnType<typeof createLately>;
