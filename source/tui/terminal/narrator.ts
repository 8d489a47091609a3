import {recordNameIn, parseSpokenLines, withoutAge} from './spoken-text.ts';

export type Narration = {
	/** The new lines, in order. */
	readonly news: readonly string[];
	/** The line under the cursor; `undefined` if there is none. */
	readonly current: string | undefined;
	/** True if that line is unchanged, except for its age. */
	readonly isUnchanged: boolean;
	/** True if only the current line of the list has changed, as when a field is typed into. */
	readonly isEdit: boolean;
	/** When delayed lines are due, in milliseconds of the same clock; `undefined` if none are. */
	readonly dueAt: number | undefined;
};

export type Narrator = {
	/** Returns what to read of a frame: what was not read yet, or everything with `isWhole`. */
	narrate(frame: string, now: number, isWhole: boolean): Narration;
};

/** After several keys in a row only the result is of interest, not each step. */
const newsIntervalMilliseconds = 300;

/** A line of which only numbers change, such as the progress of an upload, would otherwise crowd out all others. */
const counterIntervalMilliseconds = 3000;

/** The number of list lines that are remembered as read. */
const maximumListed = 5000;

const shapeOf = (text: string): string => text.replaceAll(/\d+/g, '0').replaceAll(/[#.·█]{2,}/g, '');

/**
Decides what a screen reader reads of the UI's frames: all of a list once, then only the line under the cursor; of the
rest what is new, no faster than one can follow.
*/
export const createNarrator = (): Narrator => {
	let heard: ReadonlySet<string> = new Set();
	let recordsBefore: ReadonlySet<string> = new Set();
	let othersBefore = '';
	let cursorBefore = '';
	let lastNewsAt = -Infinity;
	const listed = new Set<string>();
	const keys = new Set<string>();
	/** The last text that was read of lines that differ only in numbers. */
	const counts = new Map<string, {readonly text: string; readonly saidAt: number}>();

	const quietUntil = (text: string): number => {
		const count = counts.get(shapeOf(text));
		const isCounting = count !== undefined && count.text !== text;
		return Math.max(lastNewsAt + newsIntervalMilliseconds, isCounting ? count.saidAt + counterIntervalMilliseconds : -Infinity);
	};

	const rememberList = (texts: readonly string[]): void => {
		if (listed.size > maximumListed) {
			listed.clear();
		}

		for (const text of texts) {
			listed.add(text);
		}
	};

	return {
		narrate(frame, now, isWhole) {
			const lines = parseSpokenLines(frame);
			const list = lines.filter(({kind}) => kind === 'current' || kind === 'listed').map(({text}) => text);
			const others = lines.filter(({kind}) => kind === 'listed').map(({text}) => withoutAge(text)).join('\n');
			// Rows that were all marked or all switched are still the list that was read.
			const isListNew = list.length > 1 && list.every(text => !recordsBefore.has(recordNameIn(text)));
			const current = lines.find(({kind}) => kind === 'current')?.text;
			const cursor = current === undefined ? '' : `${list.indexOf(current)} ${withoutAge(current)}`;
			const isUnchanged = !isWhole && cursor === cursorBefore && others === othersBefore;
			// Typing a filter changes the list too, but still counts as typing.
			const isEdit = !isWhole && (others === othersBefore || current?.startsWith('/') === true);
			const unlisted = isWhole || isListNew ? list.filter(text => isWhole || !listed.has(text)) : [];
			// The current line is read in any case.
			const isListSaid = unlisted.some(text => text !== current);
			const news: string[] = [];
			const said = new Set<string>();
			let dueAt: number | undefined;
			for (const {kind, text} of lines) {
				if (kind === 'news') {
					const until = quietUntil(text);
					const isHeard = heard.has(withoutAge(text));
					if (isWhole || (!isHeard && now >= until)) {
						news.push(text);
						said.add(text);
					} else if (!isHeard) {
						dueAt = Math.min(dueAt ?? Infinity, until);
					}
				} else if (kind === 'keys') {
					if (isWhole || !keys.has(text)) {
						news.push(text);
						keys.add(text);
					}
				} else if (isListSaid && unlisted.includes(text)) {
					news.push(`  ${text}`);
				}
			}

			if (isListNew || isWhole) {
				rememberList(list);
			}

			for (const text of said) {
				counts.set(shapeOf(text), {text, saidAt: now});
				lastNewsAt = now;
			}

			for (const [shape, {saidAt}] of counts) {
				if (now - saidAt >= counterIntervalMilliseconds) {
					counts.delete(shape);
				}
			}

			// A line that disappeared and comes back is news.
			heard = new Set(lines.filter(({text}) => heard.has(withoutAge(text)) || said.has(text)).map(({text}) => withoutAge(text)));
			recordsBefore = list.length > 0 ? new Set(list.map(text => recordNameIn(text))) : recordsBefore;
			othersBefore = others;
			cursorBefore = cursor;
			return {
				news, current, isUnchanged, isEdit, dueAt,
			};
		},
	};
};
