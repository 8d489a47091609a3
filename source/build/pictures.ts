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
import xterm, {type IBufferCell, type Terminal} from '@xterm/headless';

/* Takes the pictures of the README from the real program, which runs with new sample data in a pseudo-terminal. */

const cellWidth = 8.4;
const cellHeight = 18;
const margin = 14;

const foreground = '#d8dee9';
const background = '#1b1f27';

/** The sixteen colours of a terminal. */
const palette = [
	'#3b4252 #e06c75 #8fbf7f #e5c07b #81a1c1 #c792ea #6cc7d1 #d8dee9',
	'#6b7488 #ff8a93 #b5e0a6 #ffdd99 #9fc0e6 #e0b3ff #8fe3ec #ffffff',
].flatMap(colors => colors.split(' '));

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const styleOf = (cell: IBufferCell): string => [
	`fill="${cell.isFgPalette() ? palette[cell.getFgColor()] ?? foreground : foreground}"`,
	...(cell.isBold() ? ['font-weight="bold"'] : []),
	...(cell.isDim() ? ['opacity="0.6"'] : []),
	...(cell.isUnderline() ? ['text-decoration="underline"'] : []),
].join(' ');

type Run = {readonly column: number; readonly columns: number; readonly style: string; readonly text: string};

/** The cells of a row in runs of the same style. */
const runsOf = (terminal: Terminal, row: number): readonly Run[] => {
	const line = terminal.buffer.active.getLine(row);
	const runs: Run[] = [];
	for (let column = 0; column < terminal.cols; column++) {
		const cell = line?.getCell(column);
		if (cell === undefined || cell.getWidth() === 0) {
			continue;
		}

		const style = styleOf(cell);
		const text = cell.getChars() || ' ';
		const last = runs.at(-1);
		if (last?.style === style) {
			runs[runs.length - 1] = {...last, columns: last.columns + cell.getWidth(), text: last.text + text};
		} else {
			runs.push({
				column, columns: cell.getWidth(), style, text,
			});
		}
	}

	return runs.filter(({text}) => text.trim() !== '');
};

/** An SVG picture of what a terminal shows. */
export const pictureOf = (terminal: Terminal, title: string): string => {
	const width = Math.ceil((terminal.cols * cellWidth) + (2 * margin));
	const height = (terminal.rows * cellHeight) + (2 * margin);
	const rows = Array.from({length: terminal.rows}, (_, row) => runsOf(terminal, row).map(({column, columns, style, text}) => {
		const left = (margin + (column * cellWidth)).toFixed(1);
		const baseline = margin + (row * cellHeight) + 13;
		return `<text x="${left}" y="${baseline}" textLength="${(columns * cellWidth).toFixed(1)}" ${style}>${escaped(text)}</text>`;
	})).flat();
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">`,
		`<title>${escaped(title)}</title>`,
		`<rect width="${width}" height="${height}" rx="8" fill="${background}"/>`,
		...rows,
		'</svg>',
		'',
	].join('\n');
};

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

if (import.meta.main) {
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
}
