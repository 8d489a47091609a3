import {path, spawnSync} from '../helpers/node.ts';
import {buildExecutable} from '../../source/build/executable.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {fillDataFolder} from './fill-data-folder.ts';
import type {Figure} from './figures.ts';
import {lineFigures} from './line-figures.ts';
import {logFigures} from './log-figures.ts';
import {bulkFigures, filterFigures, longListFigures} from './load-figures.ts';
import {openSubject, quiet} from './measure.ts';
import {sshFigures} from './ssh/ssh-figures.ts';
import {startFigures} from './start-figures.ts';
import {startRowsService} from './start-rows-service.ts';
import {buildInkList, fzf, switchboard, whiptail} from './subjects.ts';

/*
What a person feels over a slow line, on a small machine: the built program in a real pseudo-terminal of 80×24, beside
peers in the same run. Machines differ and drift: ratios of medians are what to quote.
*/

/** The parts of the table. */
export const screenParts = ['start', 'log', 'line', 'list', 'bulk', 'filter', 'ssh'] as const;

export type ScreenPart = (typeof screenParts)[number];

const firstRow = 'door000005';

/** A row that is on. */
const loggedRow = 'light000001';

/**
Measures parts of the table.

@param note - told of the figures of each part when it is measured.
*/
export async function measureScreens(
	chosen: readonly ScreenPart[],
	home: IsolatedHome,
	rounds: number,
	note: (figures: Promise<readonly Figure[]>) => Promise<void>,
): Promise<void> {
	refuseMissingPeers();
	const inkList = await buildInkList(home.folder);
	await using dozen = await startRowsService(12);
	await using hundred = await startRowsService(100);
	// What others switch would be shown as changed elsewhere.
	await using untouched = await startRowsService(100);
	await using idle = await openSubject(switchboard({...home.env, ...untouched.env}, firstRow));
	await quiet(idle);
	const idleFrom = Date.now();
	const idleBytes = idle.outputLength;
	const parts: Readonly<Record<ScreenPart, () => Promise<void>>> = {
		async start() {
			await note(startFigures({...home.env, ...dozen.env}, firstRow, await buildExecutable(home.folder), rounds));
		},
		async log() {
			await note(logFigures(dozen, loggedRow, rounds));
		},
		async line() {
			await note(
				lineFigures(
					switchboard({...home.env, ...hundred.env}, firstRow),
					hundred,
					switchboard({...home.env, ...dozen.env}, firstRow),
					await fzf(home.folder, home.env, 1000),
					whiptail(home.env, 200),
				),
			);
		},
		async list() {
			await using service = await startRowsService(10_000);
			await fillDataFolder(path.join(home.env['XDG_DATA_HOME']!, 'switchboard'), 10_000);
			await note(
				longListFigures(
					switchboard({...home.env, ...service.env}, 'of 10000'),
					switchboard(home.env, 'of 10000'),
					await fzf(home.folder, home.env, 10_000),
					inkList(home.env, 10_000),
				),
			);
		},
		async bulk() {
			await using long = await startRowsService(10_000);
			await note(bulkFigures(switchboard({...home.env, ...long.env}, 'of 10000'), switchboard({...home.env, ...hundred.env}, 'of 100')));
		},
		async filter() {
			await using long = await startRowsService(100_000);
			await using short = await startRowsService(1000);
			await note(filterFigures(switchboard({...home.env, ...long.env}, 'of 100000'), switchboard({...home.env, ...short.env}, 'of 1000')));
		},
		async ssh() {
			await note(sshFigures(createIsolatedHome(), dozen, firstRow, rounds));
		},
	};
	for (const name of chosen) {
		await parts[name]();
	}

	const idleMinutes = (Date.now() - idleFrom) / 60_000;
	await note(
		Promise.resolve([
			{
				what: 'in ten minutes when nothing changes',
				value: ((idle.outputLength - idleBytes) / idleMinutes) * 10,
				goal: 0,
				unit: 'B',
				detail: `watched for ${idleMinutes.toFixed(1)} minutes`,
			},
		]),
	);
}

function refuseMissingPeers(): void {
	const missing = ['fzf', 'whiptail', 'ssh'].filter(peer => spawnSync(peer, ['--version']).error !== undefined);
	if (missing.length > 0) {
		throw new Error(
			`The benchmark needs ${missing.join(' and ')}: install ${missing.length > 1 ? 'them' : 'it'} first (Debian: apt-get install ${missing.join(' ').replace('ssh', 'openssh-client')}).`,
		);
	}
}
