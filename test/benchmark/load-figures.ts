import {ratio, type Figure} from './figures.ts';
import {measureEffect, measureHeldKey, medianOf, openSubject, quantileOf, quiet, residentMegabytes, type KeyFigures} from './measure.ts';
import type {Subject} from './subjects.ts';

const keyCount = 200;

/** What a key costs that is held down in a long list, and the memory that is taken by then. */
export async function longListFigures(subject: Subject, bundled: Subject, fzf: Subject, inkList: Subject): Promise<readonly Figure[]> {
	const ours = await holdKey(subject);
	const theirs = await holdKey(fzf);
	const plain = await holdKey(inkList);
	const {megabytes: firstMegabytes} = await holdKey(bundled);
	// The very first start compiles the service, which is not given back.
	await leave(bundled);
	const {megabytes} = await holdKey(bundled);
	const memory = (what: string, value: number, goal: number): Figure => ({what, value, goal, unit: 'MB'});
	return [
		ratio(
			'key to first byte, 10,000 rows, 33 keys a second, median ÷ fzf',
			medianOf(ours.latencies),
			medianOf(theirs.latencies),
			'fzf',
			2.5,
		),
		ratio('the same, 99th percentile ÷ fzf', quantileOf(ours.latencies, 0.99), quantileOf(theirs.latencies, 0.99), 'fzf', 4),
		ratio('processor time of a key, 10,000 rows ÷ a plain Ink list', ours.processorMilliseconds, plain.processorMilliseconds, 'Ink', 0.6),
		memory('memory with 10,000 rows after 200 keys, remote service', ours.megabytes, 110),
		{
			...memory('memory with 10,000 rows after 200 keys, bundled service', megabytes, 150),
			detail: `${firstMegabytes.toFixed(0)} MB at the very first start`,
		},
	];
}

async function holdKey(subject: Subject): Promise<KeyFigures & {readonly megabytes: number}> {
	await using terminal = await openSubject(subject);
	const figures = await measureHeldKey(terminal, subject.moveKey, keyCount);
	return {...figures, megabytes: await residentMegabytes(terminal.pid)};
}

/** Opens and leaves a program once, so that it keeps what it compiled. */
async function leave(subject: Subject): Promise<void> {
	await using terminal = await openSubject(subject);
	await terminal.press('q').exited;
}

/** What switching all rows of a long list takes until the first row shows it, beside 100 rows. */
export async function bulkFigures(long: Subject, short: Subject): Promise<readonly Figure[]> {
	return [
		ratio(
			'10,000 marked rows switched, to the first changed frame ÷ 100 rows',
			await bulkMilliseconds(long),
			await bulkMilliseconds(short),
			'100 rows',
			5,
		),
	];
}

/** Milliseconds from the key that switches all marked rows off until the screen shows it. */
async function bulkMilliseconds(subject: Subject): Promise<number> {
	await using terminal = await openSubject(subject);
	await terminal.press('a').waitFor(/\d marked/);
	const milliseconds = await measureEffect(terminal, 'D', 'off~');
	return milliseconds;
}

/** What a key of the filter takes in a list that is as long as they get, beside one of 1,000 rows. */
export async function filterFigures(long: Subject, short: Subject): Promise<readonly Figure[]> {
	const longMilliseconds = await filterMilliseconds(long);
	const shortMilliseconds = await filterMilliseconds(short);
	return [
		{what: 'a filter key over 100,000 rows, to the new frame', value: longMilliseconds, goal: 60, unit: 'ms'},
		ratio('the same ÷ over 1,000 rows', longMilliseconds, shortMilliseconds, '1,000 rows', 5),
	];
}

/** Milliseconds from a key of the filter until the list shows how many rows fit; the word narrows the list with each key. */
async function filterMilliseconds(subject: Subject): Promise<number> {
	await using terminal = await openSubject(subject);
	const times: number[] = [];
	for (let round = 0; round < 3; round++) {
		await quiet(terminal);
		await terminal.press('/').waitFor(lines => lines.some(line => line.includes('/')));
		for (const typed of ['g', 'ga', 'gar', 'gard']) {
			times.push(
				await measureEffect(terminal, typed.at(-1)!, lines => lines.some(line => line.includes(`/${typed}`) && / of \d/.test(line))),
			);
		}

		await terminal.press('escape').waitFor(lines => lines.every(line => !line.includes('/gard')));
	}

	return medianOf(times);
}
