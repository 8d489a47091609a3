import {type ScreenCondition} from '../helpers/pseudo-terminal.ts';
import {programFile} from '../helpers/run-command.ts';
import {ratio, type Figure} from './figures.ts';
import {measureProcess, measureStart, medianOf} from './measure.ts';
import {switchboard, type Environment} from './subjects.ts';

/** The cursor has left the first row. */
const hasMoved: ScreenCondition = lines => {
	const row = lines.findIndex(line => line.startsWith(' >'));
	return row > 0 && /^ {3}(?:on|off) /.test(lines[row - 1]!);
};

/**
What somebody waits for who starts the program, beside Node.js doing nothing in the same round.

@param env - leads to a service that the program has seen before.
@param firstName - a name that is on the first screen.
*/
export const startFigures = async (env: Environment, firstName: string, rounds: number): Promise<readonly Figure[]> => {
	const subject = switchboard(env, firstName);
	const times = new Map<string, number[]>();
	const note = (name: string, milliseconds: number): void => {
		times.set(name, [...times.get(name) ?? [], milliseconds]);
	};

	// The first start fills the caches; it is not counted.
	await measureStart(subject, firstName);
	for (let round = 0; round < rounds; round++) {
		note('node', await measureProcess(['-e', '0'], env));
		note('frame', await measureStart(subject, firstName));
		note('key', await measureStart(subject, hasMoved, {keys: ['j']}));
		await measureStart(subject, firstName, {isCutOff: true});
		note('cut off, frame', await measureStart(subject, firstName, {isCutOff: true}));
		note('cut off, key', await measureStart(subject, hasMoved, {keys: ['j'], isCutOff: true}));
		note('version', await measureProcess([programFile, '--version'], env));
		note('installed', await measureProcess([programFile, 'installed', '--json'], env));
	}

	const beside = (what: string, name: string, goal: number): Figure =>
		ratio(what, medianOf(times.get(name)!), medianOf(times.get('node')!), 'node', goal);
	return [
		beside('start to the first frame with data ÷ node', 'frame', 3),
		beside('start to the first key\'s effect ÷ node', 'key', 6),
		beside('the first frame after a session that was cut off ÷ node', 'cut off, frame', 3),
		beside('the first key\'s effect after a session that was cut off ÷ node', 'cut off, key', 6),
		beside('--version ÷ node', 'version', 1.6),
		beside('installed --json ÷ node', 'installed', 4),
	];
};
