import {delay, once, process, readFile, spawn} from '../helpers/node.ts';
import type {ScreenCondition} from '../helpers/emulated-screen.ts';
import {openPseudoTerminal, type PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import type {Environment, Subject} from './subjects.ts';

/** The value below which a share of the values lie; 0.5 is the median. */
export function quantileOf(values: readonly number[], share: number): number {
	const sorted = values.toSorted((first, second) => first - second);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export function medianOf(values: readonly number[]): number {
	return quantileOf(values, 0.5);
}

const since = (start: bigint): number => Number(process.hrtime.bigint() - start) / 1e6;

/** Milliseconds of a whole Node.js process. */
export async function measureProcess(words: readonly string[], env: Environment): Promise<number> {
	const start = process.hrtime.bigint();
	const child = spawn(process.execPath, words, {env, stdio: 'ignore'});
	await once(child, 'exit');
	return since(start);
}

/** Opens a program on a screen of 80×24 and waits until it shows its data. */
export async function openSubject({command, args, env, ready}: Subject): Promise<PseudoTerminal> {
	const terminal = openPseudoTerminal({command, args, env});
	await terminal.waitFor(ready, {deadlineMilliseconds: 60_000});
	return terminal;
}

/**
Milliseconds from the start of the process until the screen shows what is waited for. The keys are typed at once, as
somebody does who knows the program.
*/
export async function measureStart(
	{command, args, env}: Subject,
	shown: ScreenCondition,
	{keys = []}: {readonly keys?: readonly string[]} = {},
): Promise<number> {
	const start = process.hrtime.bigint();
	await using terminal = openPseudoTerminal({command, args, env});
	await terminal.press(...keys).waitFor(shown);
	const milliseconds = since(start);
	await terminal.press('ctrl+c').exited;
	return milliseconds;
}

/** Waits until nothing has come for a while. */
export async function quiet(terminal: PseudoTerminal): Promise<void> {
	for (let before = -1; before !== terminal.outputLength; ) {
		before = terminal.outputLength;
		await delay(200);
	}
}

/** All bytes that keys bring, until the line is quiet. */
export async function measureBytes(terminal: PseudoTerminal, ...keys: readonly string[]): Promise<number> {
	await quiet(terminal);
	const before = terminal.outputLength;
	terminal.press(...keys);
	await quiet(terminal);
	return terminal.outputLength - before;
}

/** Milliseconds from a key to what it shows. */
export async function measureEffect(terminal: PseudoTerminal, key: string, shown: ScreenCondition): Promise<number> {
	await quiet(terminal);
	const start = process.hrtime.bigint();
	await terminal.press(key).waitFor(shown, {deadlineMilliseconds: 60_000});
	return since(start);
}

/** Kernel ticks are a hundredth of a second on Linux, whatever the machine (`proc_pid_stat(5)`). */
const millisecondsPerTick = 10;

/** Processor time that a process and its threads took so far, in milliseconds. */
export async function processorTime(pid: number): Promise<number> {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
	// The name of the program stands in parentheses and may hold anything.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick;
}

/** Resident memory of a process, in megabytes. */
export async function residentMegabytes(pid: number): Promise<number> {
	return Number(/(?<=^VmRSS:\s+)\d+(?= kB$)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![0]) / 1024;
}

export type KeyFigures = {
	/** Milliseconds from each key to the first byte after it. */
	readonly latencies: readonly number[];
	/** Processor time of a key, in milliseconds. */
	readonly processorMilliseconds: number;
};

/** Presses a key so many times at a steady pace, as one that is held down comes over a line. */
export async function measureHeldKey(terminal: PseudoTerminal, key: string, count: number, pauseMilliseconds = 30): Promise<KeyFigures> {
	await quiet(terminal);
	const latencies: number[] = [];
	let unanswered: bigint[] = [];
	const unwatch = terminal.onOutput(() => {
		latencies.push(...unanswered.map(pressed => since(pressed)));
		unanswered = [];
	});
	const before = await processorTime(terminal.pid);
	const start = process.hrtime.bigint();
	for (let index = 0; index < count; index++) {
		await delay(Math.max(0, index * pauseMilliseconds - since(start)));
		unanswered.push(process.hrtime.bigint());
		terminal.press(key);
	}

	await quiet(terminal);
	unwatch();
	return {latencies, processorMilliseconds: ((await processorTime(terminal.pid)) - before) / count};
}
