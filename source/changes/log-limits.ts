import {Buffer} from 'node:buffer';
import type {Line} from './log-lines.ts';

/* Which lines of a log are kept. */

const maximumTexts = 20;

/** Changes have a separate limit, and only the room that the texts leave: they never push out a text. */
const maximumChanges = 10_000;

export const defaultLimits = {fileBytes: 50 * 1024 * 1024, changeBytes: 8 * 1024 * 1024};

/** The share of the changes that stays when some have to go, so that the file is not rewritten with each change. */
const leftPart = 0.9;

/** Returns the newest lines that may be kept, in order. The newest change always stays: it has the last number. */
export function withinLimits(all: readonly Line[], {fileBytes, changeBytes}: typeof defaultLimits): readonly Line[] {
	const {changes = [], others = []} = Object.groupBy(all, ({change}) => (change === undefined ? 'others' : 'changes'));
	const newest = changes.slice(-1);
	const keptOthers = fitting(withoutOldTexts(others), fileBytes - bytesOf(newest));
	const maximumChangeBytes = Math.min(changeBytes, fileBytes - bytesOf(keptOthers));
	const keptChanges = areTooMany(changes.length, bytesOf(changes), maximumChangeBytes)
		? fitting(changes, maximumChangeBytes * leftPart, maximumChanges * leftPart)
		: changes;
	const kept = new Set([...keptOthers, ...keptChanges, ...newest]);
	return all.filter(line => kept.has(line));
}

/** Returns the newest lines whose sizes fit together, and at most this many. */
function fitting(lines: readonly Line[], bytes: number, count = Infinity): readonly Line[] {
	let left = bytes;
	const first = lines.findLastIndex((line, index) => {
		left -= bytesOf([line]);
		return left < 0 || lines.length - index > count;
	});
	return lines.slice(first + 1);
}

/** Returns the size of lines in the file. */
export function bytesOf(lines: readonly Line[]): number {
	return lines.reduce((sum, {text}) => sum + Buffer.byteLength(text) + 1, 0);
}

/** Returns the lines without the oldest texts of any agent that has too many. */
function withoutOldTexts(lines: readonly Line[]): readonly Line[] {
	const counts = new Map<number, number>();
	return lines
		.toReversed()
		.filter(({prompt}) => {
			const count = prompt === undefined ? 0 : (counts.get(prompt.agentId) ?? 0) + 1;
			if (prompt !== undefined) {
				counts.set(prompt.agentId, count);
			}

			return count <= maximumTexts;
		})
		.toReversed();
}

/** Tells whether some changes have to go. */
export function areTooMany(count: number, bytes: number, maximumChangeBytes: number): boolean {
	return count > maximumChanges || bytes > maximumChangeBytes;
}
