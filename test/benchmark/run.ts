import path from 'node:path';
import process from 'node:process';
import {build} from 'esbuild';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {programFile} from '../helpers/run-command.ts';
import {measureBulkSwitch} from './bulk.ts';
import {
	medianOf,
	measureKeys,
	measureProcess,
	measureScreen,
	type Subject,
} from './measure.ts';

/*
What a person feels, beside a peer in the same run: machines differ and drift, so ratios are what to quote.
- start of a command, beside Node.js doing nothing;
- start of the UI until its rows are on the screen, beside a list of as many rows drawn by Ink alone;
- a key until the screen shows what it did, and the bytes sent for it, beside the same;
- the key that switches all of 10,000 marked rows off until the screen shows it, beside 100 rows: at most five times that.
*/

const rounds = Number(process.env['ROUNDS'] ?? 9);

const uiOf = (home: IsolatedHome): Subject => ({
	command: process.execPath,
	args: [programFile],
	env: home.env,
	ready: 'morninglights',
});

const peerOf = (home: IsolatedHome): Subject => ({
	command: process.execPath,
	args: [path.join(home.folder, 'ink-list.mjs')],
	env: home.env,
	ready: 'row 12',
});

/** The peer is bundled as the program is: what is measured is how it draws, not how it is loaded. */
const buildPeer = async (folder: string): Promise<void> => {
	await build({
		entryPoints: [path.join(import.meta.dirname, 'ink-list.tsx')],
		outfile: path.join(folder, 'ink-list.mjs'),
		bundle: true,
		format: 'esm',
		platform: 'node',
		target: 'node24',
		jsx: 'automatic',
		minify: true,
		define: {'process.env.NODE_ENV': '"production"'},
		// Its developer tools are loaded only when asked for, and are not installed.
		plugins: [{
			name: 'without-developer-tools',
			setup(bundler) {
				bundler.onLoad({filter: /ink\/build\/devtools\.js$/}, () => ({contents: 'export {}'}));
			},
		}],
		banner: {js: 'import {createRequire} from \'node:module\'; const require = createRequire(import.meta.url);'},
		logLevel: 'warning',
	});
};

type Line = {readonly what: string; readonly ours: number; readonly peer: number; readonly unit: string};

const print = (lines: readonly Line[]): void => {
	console.log(`medians of ${rounds} rounds, ours and peer in turn\n`);
	for (const {what, ours, peer, unit} of lines) {
		console.log(`${what.padEnd(48)} ${ours.toFixed(1).padStart(8)} ${unit}   peer ${peer.toFixed(1).padStart(8)} ${unit}   ratio ${(ours / peer).toFixed(2)}`);
	}
};

const home = createIsolatedHome();
await buildPeer(home.folder);
// The first start fills the sample home and the compile cache; it is not counted.
await measureScreen(uiOf(home));
await measureScreen(peerOf(home));

const rows = {
	version: {ours: [] as number[], peer: [] as number[]},
	screen: {ours: [] as number[], peer: [] as number[]},
	move: {ours: [] as number[], peer: [] as number[]},
	moveBytes: {ours: [] as number[], peer: [] as number[]},
	toggle: {ours: [] as number[], peer: [] as number[]},
	toggleBytes: {ours: [] as number[], peer: [] as number[]},
	bulk: {ours: [] as number[], peer: [] as number[]},
};
for (let round = 0; round < rounds; round++) {
	rows.version.ours.push(await measureProcess([programFile, '--version'], home.env));
	rows.version.peer.push(await measureProcess(['-e', '0'], home.env));
	for (const side of ['ours', 'peer'] as const) {
		const subject = side === 'ours' ? uiOf(home) : peerOf(home);
		rows.screen[side].push(await measureScreen(subject));
		const keys = await measureKeys(subject);
		rows.move[side].push(keys.moveMilliseconds);
		rows.moveBytes[side].push(keys.moveBytes);
		rows.toggle[side].push(keys.toggleMilliseconds);
		rows.toggleBytes[side].push(keys.toggleBytes);
	}

	rows.bulk.ours.push(await measureBulkSwitch(10_000));
	rows.bulk.peer.push(await measureBulkSwitch(100));
}

const line = (what: string, unit: string, {ours, peer}: {readonly ours: readonly number[]; readonly peer: readonly number[]}): Line =>
	({
		what, unit, ours: medianOf(ours), peer: medianOf(peer),
	});

print([
	line('switchboard --version, beside node -e 0', 'ms', rows.version),
	line('rows on the screen, beside Ink alone', 'ms', rows.screen),
	line('a move of the cursor shown', 'ms', rows.move),
	line('a move of the cursor sent', 'B', rows.moveBytes),
	line('a toggle shown', 'ms', rows.toggle),
	line('a toggle sent, pending and settled', 'B', rows.toggleBytes),
	line('10,000 rows switched off shown, beside 100', 'ms', rows.bulk),
]);
