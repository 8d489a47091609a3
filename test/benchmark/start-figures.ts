import {setTimeout as delay} from 'node:timers/promises';
import type {ScreenCondition} from '../helpers/emulated-screen.ts';
import {programFile} from '../helpers/run-command.ts';
import {isFresh} from '../tui/helpers/shown.ts';
import {ratio, type Figure} from './figures.ts';
import {measureProcess, measureStart, medianOf, openSubject} from './measure.ts';
import {switchboard, type Environment, type Subject} from './subjects.ts';

/** Below the header, the tabs and the column names. */
const firstListRow = 3;

/** Longer than the program takes to keep a screen for the next start. */
const keepingMilliseconds = 1000;

/**
What somebody waits for who starts the program, beside Node.js doing nothing in the same round.

@param env - leads to a service that the program has seen before.
@param firstName - a name that is on the first screen.
@param executable - the program as one executable.
*/
export async function startFigures(env: Environment, firstName: string, executable: string, rounds: number): Promise<readonly Figure[]> {
	const subject = switchboard(env, firstName);
	const executableSubject: Subject = {...subject, command: executable, args: []};
	const times = new Map<string, number[]>();
	const note = (name: string, milliseconds: number): void => {
		times.set(name, [...(times.get(name) ?? []), milliseconds]);
	};

	for (let round = 0; round < rounds; round++) {
		note('node', await measureProcess(['-e', '0'], env));
		await leaveAtTop(subject, false);
		note('frame', await measureStart(subject, firstName));
		await leaveAtTop(executableSubject, false);
		note('executable', await measureStart(executableSubject, firstName));
		await leaveAtTop(subject, false);
		note('key', await measureStart(subject, hasMoved, {keys: ['j']}));
		await leaveAtTop(subject, true);
		note('cut off, frame', await measureStart(subject, firstName));
		await leaveAtTop(subject, true);
		note('cut off, key', await measureStart(subject, hasMoved, {keys: ['j']}));
		note('version', await measureProcess([programFile, '--version'], env));
		note('installed', await measureProcess([programFile, 'installed', '--json'], env));
	}

	const beside = (what: string, name: string, goal: number): Figure =>
		ratio(what, medianOf(times.get(name)!), medianOf(times.get('node')!), 'node', goal);
	return [
		beside('start to the first frame with data ÷ node', 'frame', 3),
		beside("start to the first key's effect ÷ node", 'key', 6),
		beside('the first frame after a session that was cut off ÷ node', 'cut off, frame', 3),
		beside("the first key's effect after a session that was cut off ÷ node", 'cut off, key', 6),
		ratio(
			'the first frame of the executable ÷ that of dist/cli.js',
			medianOf(times.get('executable')!),
			medianOf(times.get('frame')!),
			'dist/cli.js',
			1.2,
		),
		beside('--version ÷ node', 'version', 1.6),
		beside('installed --json ÷ node', 'installed', 4),
	];
}

/** Leaves the program with the cursor on the first row: whatever moves it later is the effect of a key. */
async function leaveAtTop(subject: Subject, isCutOff: boolean): Promise<void> {
	await using terminal = await openSubject({...subject, ready: isFresh});
	await terminal.press('g').waitFor(isAtTop);
	if (isCutOff) {
		await delay(keepingMilliseconds);
		terminal.kill('SIGKILL');
	} else {
		terminal.press('q');
	}

	await terminal.exited;
}

/** The cursor is on the first row of the list, which the service has confirmed. */
const isAtTop: ScreenCondition = lines => isFresh(lines) && rowOfCursor(lines) === firstListRow;

const rowOfCursor = (lines: readonly string[]): number => lines.findIndex(line => line.startsWith(' >'));

/** The cursor is on the second row. */
const hasMoved: ScreenCondition = lines => rowOfCursor(lines) === firstListRow + 1;
