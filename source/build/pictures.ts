import {
	mkdir,
	mkdtemp,
	rm,
	writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {setTimeout as delay} from 'node:timers/promises';
import {spawn} from '@lydell/node-pty';
import xterm from '@xterm/headless';
import {pictureOf} from './screen-picture.ts';

/* Takes the pictures of the README from the real program, which runs with new sample data in a pseudo-terminal. */

const root = path.resolve(import.meta.dirname, '../..');

type Shot = {
	readonly name: string;
	readonly title: string;
	/** The keys, chunk by chunk, each typed once the screen has settled. */
	readonly keys: readonly string[];
	/** A text that must be on the screen. */
	readonly shows: string;
};

const shots: readonly Shot[] = [
	{
		name: 'installed', title: 'The Installed screen', keys: ['j'], shows: 'live',
	},
	{
		name: 'filter', title: 'The Installed screen with a filter and a mark', keys: ['/light is:on\r', 'xj'], shows: 'of 12',
	},
	{
		name: 'agent', title: 'An agent with its abilities and its prompt', keys: ['1', '\r'], shows: 'Abilities',
	},
];

const settleMilliseconds = 400;

const deadlineMilliseconds = 20_000;

const take = async ({name, title, keys, shows}: Shot, home: string): Promise<void> => {
	const screen = new xterm.Terminal({cols: 80, rows: 24, allowProposedApi: true});
	const program = spawn(process.execPath, [path.join(root, 'dist/cli.js')], {
		cols: 80,
		rows: 24,
		env: {
			PATH: process.env['PATH'],
			HOME: home,
			XDG_CONFIG_HOME: path.join(home, name, 'config'),
			XDG_DATA_HOME: path.join(home, name, 'data'),
			XDG_CACHE_HOME: path.join(home, name, 'cache'),
			XDG_STATE_HOME: path.join(home, name, 'state'),
			LANG: 'C.UTF-8',
			TERM: 'xterm-256color',
		},
	});
	let changedAt = Date.now();
	program.onData(data => {
		changedAt = Date.now();
		screen.write(data);
	});
	const text = (): string => Array.from({length: screen.rows}, (_, row) => screen.buffer.active.getLine(row)?.translateToString() ?? '').join('\n');
	const settled = async (wanted: string): Promise<void> => {
		const end = Date.now() + deadlineMilliseconds;
		while (!text().includes(wanted) || Date.now() - changedAt < settleMilliseconds) {
			if (Date.now() > end) {
				throw new Error(`“${wanted}” is not on the screen of ${name}:\n${text()}`);
			}

			await delay(20);
		}
	};

	const {promise: ended, resolve: end} = Promise.withResolvers<void>();
	program.onExit(() => {
		end();
	});
	try {
		await settled('live');
		for (const chunk of keys) {
			program.write(chunk);
			await delay(settleMilliseconds);
			await settled('');
		}

		await settled(shows);
		await writeFile(path.join(root, 'media', `${name}.svg`), pictureOf(screen, title));
	} finally {
		program.kill();
		await ended;
	}
};

const home = await mkdtemp(path.join(os.tmpdir(), 'switchboard-pictures-'));
try {
	await mkdir(path.join(root, 'media'), {recursive: true});
	for (const shot of shots) {
		await take(shot, home);
	}
} finally {
	await rm(home, {
		recursive: true, force: true, maxRetries: 5, retryDelay: 100,
	});
}
