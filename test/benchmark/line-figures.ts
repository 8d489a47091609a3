import type {Figure} from './figures.ts';
import {measureBytes, medianOf, openSubject, quiet} from './measure.ts';
import type {RowsService} from './start-rows-service.ts';
import type {Subject} from './subjects.ts';

/** Long enough to be past the last row of the window, with the rows below it still many. */
const keysToTheEdge = 30;

/**
What the program sends over the line for one key, and what it asks of the service.

@param short - the program with so few records that both quiet parts stand beneath the list.
*/
export async function lineFigures(
	subject: Subject,
	service: RowsService,
	short: Subject,
	fzf: Subject,
	whiptail: Subject,
): Promise<readonly Figure[]> {
	await using terminal = await openSubject(subject);
	const bytesOf = async (key: string, keyBack: string, measured = terminal): Promise<number> => {
		const bytes: number[] = [];
		for (let count = 0; count < 5; count++) {
			bytes.push(await measureBytes(measured, key));
			await measureBytes(measured, keyBack);
		}

		return medianOf(bytes);
	};

	const requestCount = async (): Promise<number> =>
		(await service.counts()).requests.filter(request => !request.includes('personalities')).length;
	await using shortTerminal = await openSubject(short);
	// The first change of a session brings the part with the last changes.
	await measureBytes(shortTerminal, 'space', 'space');
	const move = await bytesOf('j', 'k', shortTerminal);
	const toggle = await bytesOf('space', 'space', shortTerminal);
	const requestsBefore = await requestCount();
	await measureBytes(terminal, 'space');
	const requests = (await requestCount()) - requestsBefore;
	await measureBytes(terminal, 'space');
	const screen = await bytesOf('2', '3');
	// The first one after a change brings the whole list.
	await measureBytes(terminal, 'r');
	const lineBefore = (await service.counts()).bytes;
	await measureBytes(terminal, 'r');
	const refresh = (await service.counts()).bytes - lineBefore;
	const scroll = await scrollBytes(subject);
	const peers = `fzf ${await scrollBytes(fzf)} B, whiptail ${await scrollBytes(whiptail)} B`;
	const figure = (what: string, value: number, goal: number): Figure => ({what, value, goal, unit: 'B'});
	return [
		figure('a move of the cursor inside the window, with the quiet parts', move, 300),
		figure('a toggle, pending and settled together, with the quiet parts', toggle, 200),
		{...figure('one line of scrolling in a full list', scroll, 400), detail: peers},
		figure('a switch of the screen', screen, 2000),
		{what: 'requests for a toggle', value: requests, goal: 1, unit: 'requests'},
		figure('a refresh of an unchanged list, to and from the service', refresh, 499),
	];
}

/** Bytes of one line of scrolling. */
async function scrollBytes(subject: Subject): Promise<number> {
	await using terminal = await openSubject(subject);
	await quiet(terminal);
	terminal.press(...Array.from({length: keysToTheEdge}, () => subject.moveKey));
	const bytes: number[] = [];
	for (let count = 0; count < 5; count++) {
		bytes.push(await measureBytes(terminal, subject.moveKey));
	}

	return medianOf(bytes);
}
