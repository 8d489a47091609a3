import {recordNameIn, parseSpokenLines, withoutAge} from './spoken-text.ts';

export type Narration = {
	/** Lines that are new, in their order. */
	readonly news: readonly string[];
	/** The line under the cursor; `undefined` where there is none. */
	readonly current: string | undefined;
	/** True where that line stands as it stood before, if older. */
	readonly isUnchanged: boolean;
	/** True where nothing of the list has changed but its current line: what was typed into a field, say. */
	readonly isEdit: boolean;
	/** When what was held back may be said, in milliseconds of the same clock; `undefined` where nothing was. */
	readonly dueAt: number | undefined;
};

export type Narrator = {
	/** What a frame has that was not said. With `isWhole` all of it is. */
	narrate(frame: string, now: number, isWhole: boolean): Narration;
};

/** Whoever types or presses keys in a row wants the end of it, not each step. */
const restMilliseconds = 300;

/** A line of which only numbers change, such as how far an upload is, would never let anyone else speak. */
const countRestMilliseconds = 3000;

/** So many lines of lists are known as said. */
const maximumListed = 5000;

const shapeOf = (text: string): string => text.replaceAll(/\d+/g, '0').replaceAll(/[#.·█]{2,}/g, '');

/**
Tells what is to be said of the frames of a UI, for somebody who listens: all of a list once, then only the line that
the cursor is on; of everything else what is new, no faster than it can be followed.
*/
export const createNarrator = (): Narrator => {
	let heard: ReadonlySet<string> = new Set();
	let recordsBefore: ReadonlySet<string> = new Set();
	let othersBefore = '';
	let placeBefore = '';
	let lastNewsAt = -Infinity;
	const listed = new Set<string>();
	const keys = new Set<string>();
	/** What was said last of lines that are the same but for numbers. */
	const counts = new Map<string, {readonly text: string; readonly saidAt: number}>();

	const restUntil = (text: string): number => {
		const count = counts.get(shapeOf(text));
		const isCounting = count !== undefined && count.text !== text;
		return Math.max(lastNewsAt + restMilliseconds, isCounting ? count.saidAt + countRestMilliseconds : -Infinity);
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
			// Rows that are all marked, or all switched, are the list that was said.
			const isListNew = list.length > 1 && list.every(text => !recordsBefore.has(recordNameIn(text)));
			const current = lines.find(({kind}) => kind === 'current')?.text;
			const place = current === undefined ? '' : `${list.indexOf(current)} ${withoutAge(current)}`;
			const isUnchanged = !isWhole && place === placeBefore && others === othersBefore;
			// What is typed into a filter changes what it leaves of the list, but is typed all the same.
			const isEdit = !isWhole && (others === othersBefore || current?.startsWith('/') === true);
			const unlisted = isWhole || isListNew ? list.filter(text => isWhole || !listed.has(text)) : [];
			// The current line is said in any case.
			const isListSaid = unlisted.some(text => text !== current);
			const news: string[] = [];
			const said = new Set<string>();
			let dueAt: number | undefined;
			for (const {kind, text} of lines) {
				if (kind === 'news') {
					const until = restUntil(text);
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
				if (now - saidAt >= countRestMilliseconds) {
					counts.delete(shape);
				}
			}

			// What is gone and comes again is news.
			heard = new Set(lines.filter(({text}) => heard.has(withoutAge(text)) || said.has(text)).map(({text}) => withoutAge(text)));
			recordsBefore = list.length > 0 ? new Set(list.map(text => recordNameIn(text))) : recordsBefore;
			othersBefore = others;
			placeBefore = place;
			return {
				news, current, isUnchanged, isEdit, dueAt,
			};
		},
	};
};
