import {spawn} from 'node:child_process';
import {once} from 'node:events';
import process from 'node:process';
import {setTimeout as delay} from 'node:timers/promises';
import {openPseudoTerminal, type PseudoTerminal} from '../helpers/pseudo-terminal.ts';

/** A program whose screen is measured. It moves down with `j` and switches the row under the cursor with Space. */
export type Subject = {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	/** What the screen shows once it is usable. */
	readonly ready: string;
};

export const medianOf = (values: readonly number[]): number => {
	const sorted = values.toSorted((first, second) => first - second);
	return sorted[Math.floor(sorted.length / 2)]!;
};

const since = (start: bigint): number => Number(process.hrtime.bigint() - start) / 1e6;

/** Milliseconds of a whole process. */
export const measureProcess = async (words: readonly string[], env: Readonly<Record<string, string>>): Promise<number> => {
	const start = process.hrtime.bigint();
	const child = spawn(process.execPath, words, {env, stdio: 'ignore'});
	await once(child, 'exit');
	return since(start);
};

const leave = async (terminal: PseudoTerminal): Promise<void> => {
	terminal.press('ctrl+c');
	await terminal.exited;
};

/** Milliseconds from the start of the process until its screen is usable. */
export const measureScreen = async ({command, args, env, ready}: Subject): Promise<number> => {
	const start = process.hrtime.bigint();
	await using terminal = openPseudoTerminal({command, args, env});
	await terminal.waitFor(ready);
	const milliseconds = since(start);
	await leave(terminal);
	return milliseconds;
};

/** Milliseconds until the first byte that a key brings, and all bytes until the line is quiet. */
const measureKey = async (terminal: PseudoTerminal, key: string): Promise<{readonly milliseconds: number; readonly bytes: number}> => {
	await quiet(terminal);
	const mark = terminal.mark();
	const start = process.hrtime.bigint();
	terminal.press(key);
	while (terminal.bytesSince(mark).length === 0) {
		await delay(0);
	}

	const milliseconds = since(start);
	await quiet(terminal);
	return {milliseconds, bytes: terminal.bytesSince(mark).length};
};

const quiet = async (terminal: PseudoTerminal): Promise<void> => {
	for (let before = -1; before !== terminal.output.length;) {
		before = terminal.output.length;
		await delay(150);
	}
};

export type KeyFigures = {
	readonly moveMilliseconds: number;
	readonly moveBytes: number;
	readonly toggleMilliseconds: number;
	readonly toggleBytes: number;
};

export const measureKeys = async ({command, args, env, ready}: Subject): Promise<KeyFigures> => {
	await using terminal = openPseudoTerminal({command, args, env});
	await terminal.waitFor(ready);
	// The first of each brings more with it: code that is loaded, an age that changes.
	for (const key of ['j', 'space', 'space']) {
		await measureKey(terminal, key);
	}

	const move = await measureKey(terminal, 'j');
	terminal.press('k');
	const toggle = await measureKey(terminal, 'space');
	terminal.press('space');
	await quiet(terminal);
	await leave(terminal);
	return {
		moveMilliseconds: move.milliseconds,
		moveBytes: move.bytes,
		toggleMilliseconds: toggle.milliseconds,
		toggleBytes: toggle.bytes,
	};
};
