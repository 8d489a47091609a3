import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
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

/** A look of the pictures: the colours of texts and of what is behind them, the sixteen of a terminal each. */
type Look = {
	readonly foreground: string;
	readonly background: string;
	readonly grey: string;
	readonly texts: readonly string[];
	readonly blocks: readonly string[];
};

const darkColors = [
	'#3b4252 #e06c75 #8fbf7f #e5c07b #81a1c1 #c792ea #6cc7d1 #d8dee9',
	'#6b7488 #ff8a93 #b5e0a6 #ffdd99 #9fc0e6 #e0b3ff #8fe3ec #ffffff',
].flatMap(colors => colors.split(' '));

/** Shown unless a viewer asks for the other one. */
const dark: Look = {foreground: '#d8dee9', background: '#1b1f27', grey: '#858d9c', texts: darkColors, blocks: darkColors};

const light: Look = {
	foreground: '#24292f',
	background: '#f6f8fa',
	grey: '#6e7781',
	texts: [
		'#24292f #cf222e #1a7f37 #8a5d00 #0969da #8250df #1b7c83 #57606a',
		'#57606a #a40e26 #2c7a3f #7d4e00 #0550ae #6639ba #136061 #24292f',
	].flatMap(colors => colors.split(' ')),
	blocks: [
		'#24292f #ffcecb #aceebb #fae17d #b6e3ff #ecd8ff #a6dde2 #d0d7de',
		'#57606a #ffaba8 #6fdd8b #eac54f #80ccff #d8b9ff #7fcad1 #afb8c1',
	].flatMap(colors => colors.split(' ')),
};

/** Returns the rules for the colours that a picture uses, by their classes. */
function rulesOf(names: readonly string[], look: Look): string {
	const colorOf = (name: string): string =>
		({fg: look.foreground, bg: look.background, gr: look.grey})[name] ??
		(name.startsWith('t') ? look.texts : look.blocks)[Number(name.slice(1))]!;
	return names.map(name => `.${name}{fill:${colorOf(name)}}`).join('');
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const rowsOf = ({rows}: Terminal): readonly number[] => Array.from({length: rows}, (_, row) => row);

/** Returns an SVG picture of what a terminal shows in its first rows. */
export function pictureOf(terminal: Terminal, title: string, rows = terminal.rows): string {
	return framed({cols: terminal.cols, rows}, title, Array.from({length: rows}, (_, row) => rowOf(terminal, row, row * cellHeight)).flat());
}

function framed({cols, rows}: Pick<Terminal, 'cols' | 'rows'>, title: string, parts: readonly string[]): string {
	const width = Math.ceil(cols * cellWidth + 2 * margin);
	const height = rows * cellHeight + 2 * margin;
	const used = [
		...new Set([...parts.join('').matchAll(/class="(?<color>fg|bg|gr|[tk]\d+)[" ]/g)].map(({groups}) => groups!['color']!)),
	].toSorted();
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
		`<title>${escaped(title)}</title>`,
		`<style>text{white-space:pre}.bold{font-weight:bold}.dim{opacity:.6}.line{text-decoration:underline}${rulesOf([...new Set(['bg', ...used])], dark)}`,
		`@media (prefers-color-scheme:light){${rulesOf([...new Set(['bg', ...used])], light)}}</style>`,
		`<rect width="${width}" height="${height}" rx="8" class="bg"/>`,
		...parts,
		'</svg>',
		'',
	].join('\n');
}

type Part = {readonly column: number; readonly columns: number; readonly look: string; readonly text: string};

/** Returns the elements of a row, as if it were the first. */
function rowOf(terminal: Terminal, row: number, top = 0): readonly string[] {
	const place = ({column, columns}: Part): readonly [left: string, width: string] => [
		(margin + column * cellWidth).toFixed(1),
		(columns * cellWidth).toFixed(1),
	];
	const {blocks, texts} = partsOf(terminal, row);
	return [
		...blocks.map(block => {
			const [left, width] = place(block);
			return `<rect x="${left}" y="${margin + top}" width="${width}" height="${cellHeight}" class="${block.look}"/>`;
		}),
		...texts.map(text => {
			const [left, width] = place(text);
			return `<text x="${left}" y="${margin + top + 13}" textLength="${width}" class="${text.look}">${escaped(text.text)}</text>`;
		}),
	];
}

/**
Returns the cells of a row in blocks with the same colour behind, and in texts of the same style. A text neither begins nor ends with a
space, nor holds two in a row: some browsers draw such spaces as none, and stretch the rest to the length of all.
*/
function partsOf(terminal: Terminal, row: number): {readonly blocks: readonly Part[]; readonly texts: readonly Part[]} {
	const line = terminal.buffer.active.getLine(terminal.buffer.active.viewportY + row);
	const blocks: Part[] = [];
	const texts: Part[] = [];
	let styleBefore = '';
	for (let column = 0; column < terminal.cols; column++) {
		const cell = line?.getCell(column);
		if (cell === undefined || cell.getWidth() === 0) {
			continue;
		}

		const {style, behind} = styleOf(cell);
		const [characters, columns] = [cell.getChars(), cell.getWidth()];
		/** Adds the cell to the last part if that has the same look and ends so near, or begins another. */
		const add = (parts: Part[], look: string, farthest: number): void => {
			const last = parts.at(-1);
			const distance = last === undefined ? Infinity : column - last.column - last.columns;
			if (last?.look === look && distance <= farthest) {
				parts[parts.length - 1] = {
					...last,
					columns: last.columns + distance + columns,
					text: last.text + ' '.repeat(distance) + characters,
				};
			} else {
				parts.push({column, columns, look, text: characters});
			}
		};

		if (behind !== 'bg') {
			add(blocks, behind, 0);
		}

		if (characters.trim() !== '') {
			add(texts, style, styleBefore === style ? 1 : 0);
		}

		styleBefore = style;
	}

	return {blocks, texts};
}

/** Returns the classes of a cell's text, and of what is behind it. */
function styleOf(cell: IBufferCell): {readonly style: string; readonly behind: string} {
	const nameOf = (isPalette: boolean, color: number, kind: 't' | 'k', otherwise: 'fg' | 'bg'): string =>
		isPalette ? (color < 16 ? `${kind}${color}` : 'gr') : otherwise;
	const [text, behind] = cell.isInverse()
		? [nameOf(cell.isBgPalette(), cell.getBgColor(), 't', 'bg'), nameOf(cell.isFgPalette(), cell.getFgColor(), 'k', 'fg')]
		: [nameOf(cell.isFgPalette(), cell.getFgColor(), 't', 'fg'), nameOf(cell.isBgPalette(), cell.getBgColor(), 'k', 'bg')];
	const looks = [text, ...(cell.isBold() ? ['bold'] : []), ...(cell.isDim() ? ['dim'] : []), ...(cell.isUnderline() ? ['line'] : [])];
	return {behind, style: looks.join(' ')};
}

/** The contents of a terminal for a while: its rows, each as the elements of a row. */
type FilmFrame = {readonly rows: readonly string[]; readonly seconds: number};

const frameOf = (terminal: Terminal, seconds: number): FilmFrame => ({
	rows: rowsOf(terminal).map(row => rowOf(terminal, row).join('')),
	seconds,
});

const root = path.resolve(import.meta.dirname, '../..');

type Shot = {
	readonly name: string;
	readonly title: string;
	/** The keys, chunk by chunk, each typed once the screen has settled. */
	readonly keys: readonly string[];
	/** A text that must be on the screen. */
	readonly shows: string;
	readonly columns?: number;
};

const shots: readonly Shot[] = [
	{name: 'installed', title: 'The Installed screen', keys: ['j'], shows: 'live'},
	{name: 'filter', title: 'The Installed screen with a filter and a mark', keys: ['/light is:on\r', 'xj'], shows: 'of 12'},
	{name: 'agent', title: 'An agent with its abilities and its prompt', keys: ['1', '\r'], shows: 'Abilities'},
	{
		name: 'history',
		title: 'The history of the installed abilities',
		keys: [' ', 'j', ' ', 'jj', '+', '07:00', ' guests', '\r', 'y', 'H'],
		shows: 'timer',
	},
	{name: 'conversation', title: 'A conversation with an agent', keys: ['1', 'T', 'good morning\r'], shows: 'good morning'},
	{name: 'narrow', title: 'The Installed screen at 40 columns', keys: ['jj', '+', '07:00\r', 'y'], shows: 'until', columns: 40},
];

const settleMilliseconds = 400;

const programWords = [process.execPath, path.join(root, 'dist/cli.js')];

const save = async (name: string, picture: string): Promise<void> => writeFile(path.join(root, 'media', `${name}.svg`), picture);

/** The film of the README: what is typed, what must be on the screen then, and for how long it is shown. */
const scenes: ReadonlyArray<readonly [typed: string, shows: string, seconds: number]> = [
	['switchboard\r', 'live', 1.6],
	['/', '/_', 0.6],
	['l', '/l', 0.3],
	['ight', '/light', 1.2],
	['\r', 'light', 0.8],
	['j', 'light', 0.8],
	[' ', 'light', 2],
	['u', 'light', 2],
	['\u{1B}', 'deskmusic', 1.2],
	['q', '$ ', 0.6],
	['switchboard plan home.yaml', 'plan home.yaml', 0.8],
	['\r', 'pantry', 3.5],
];

/** Where nothing moves, the picture after the switch says most. */
const stillScene = scenes.findIndex(([typed]) => typed === ' ');

if (import.meta.main) {
	const home = await mkdtemp(path.join(os.tmpdir(), 'switchboard-pictures-'));
	try {
		await mkdir(path.join(root, 'media'), {recursive: true});
		for (const shot of shots) {
			await take(shot, home);
		}

		await takeFilm(home);
	} finally {
		await rm(home, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
	}
}

async function take({name, title, keys, shows, columns}: Shot, home: string): Promise<void> {
	const folder = path.join(home, name);
	await mkdir(folder);
	await withTerminal({words: programWords, folder, columns}, async ({screen, type, settled}) => {
		await settled('live');
		for (const chunk of keys) {
			await type(chunk);
		}

		await settled(shows);
		await save(name, pictureOf(screen, title));
	});
}

/** Runs a program in a terminal until `run` is done. */
async function withTerminal(
	{words, folder, columns = 80}: {readonly words: readonly string[]; readonly folder: string; readonly columns?: number | undefined},
	run: (terminal: {
		readonly screen: Terminal;
		readonly type: (chunk: string) => Promise<void>;
		/** Waits until this is on the screen, and nothing changes any more. */
		readonly settled: (wanted: string) => Promise<void>;
	}) => Promise<void>,
): Promise<void> {
	const screen = new xterm.Terminal({cols: columns, rows: 24, allowProposedApi: true});
	const [command = '', ...rest] = words;
	const program = spawn(command, rest, {
		cols: columns,
		rows: 24,
		cwd: folder,
		env: {
			PATH: `${path.join(folder, 'bin')}${path.delimiter}${process.env['PATH']!}`,
			HOME: folder,
			XDG_CONFIG_HOME: path.join(folder, 'config'),
			XDG_DATA_HOME: path.join(folder, 'data'),
			XDG_CACHE_HOME: path.join(folder, 'cache'),
			XDG_STATE_HOME: path.join(folder, 'state'),
			LANG: 'C.UTF-8',
			TERM: 'xterm-256color',
			PS1: '$ ',
		},
	});
	let changedAt = Date.now();
	program.onData(data => {
		changedAt = Date.now();
		screen.write(data);
	});
	const text = (): string =>
		Array.from(
			{length: screen.rows},
			(_, row) => screen.buffer.active.getLine(screen.buffer.active.viewportY + row)?.translateToString() ?? '',
		).join('\n');
	const settled = async (wanted: string): Promise<void> => {
		const end = Date.now() + 20_000;
		while (!text().includes(wanted) || Date.now() - changedAt < settleMilliseconds) {
			if (Date.now() > end) {
				throw new Error(`“${wanted}” is not on the screen:\n${text()}`);
			}

			await delay(20);
		}
	};

	const {promise: ended, resolve: end} = Promise.withResolvers<void>();
	program.onExit(() => end());
	try {
		await run({
			screen,
			settled,
			async type(chunk) {
				program.write(chunk);
				await delay(settleMilliseconds);
				await settled('');
			},
		});
	} finally {
		program.kill();
		await ended;
	}
}

async function takeFilm(home: string): Promise<void> {
	const folder = path.join(home, 'film');
	await mkdir(path.join(folder, 'bin'), {recursive: true});
	await writeFile(path.join(folder, 'bin/switchboard'), `#!/bin/sh\nexec '${programWords.join("' '")}' "$@"\n`, {mode: 0o755});
	await writeFile(
		path.join(folder, 'home.yaml'),
		'version: 1\ninstalled:\n  pantry: off\n  nightwatch: {enabled: on, triggers: [keep watch]}\n',
	);
	await withTerminal({words: ['bash', '--norc', '--noprofile'], folder}, async ({screen, type, settled}) => {
		await type('switchboard profiles use local >/dev/null; clear\r');
		const frames: FilmFrame[] = [];
		for (const [typed, shows, seconds] of scenes) {
			await type(typed);
			await settled(shows);
			frames.push(frameOf(screen, seconds));
		}

		await type('clear\r');
		await type('switchboard plan home.yaml\r');
		await settled('to change');
		await save('plan', pictureOf(screen, 'A plan in the shell', 6));
		await save('switchboard', filmOf(screen, 'Switchboard: a filter, a switch, its undo, and a plan', frames, stillScene));
	});
}

/**
Returns a moving SVG picture, which begins anew at its end. Rows that stand in several frames are drawn once.

@param still - the frame to show where nothing moves.
*/
function filmOf(size: Pick<Terminal, 'cols' | 'rows'>, title: string, frames: readonly FilmFrame[], still: number): string {
	const names = new Map<string, string>();
	for (const row of frames.flatMap(({rows}) => rows)) {
		names.set(row, names.get(row) ?? `r${names.size}`);
	}

	const total = frames.reduce((sum, {seconds}) => sum + seconds, 0);
	let shownAt = 0;
	const rules = frames.map(({seconds}, index) => {
		const [from, to] = [shownAt, shownAt + seconds].map(at => `${((at / total) * 100).toFixed(2)}%`);
		shownAt += seconds;
		const hidden = index === 0 ? '' : '0%{visibility:hidden}';
		return `@keyframes f${index}{${hidden}${from}{visibility:visible}${to}{visibility:hidden}}`;
	});
	return framed(size, title, [
		'<style>',
		'.f{visibility:hidden}.still{visibility:visible}',
		'@media (prefers-reduced-motion: no-preference){',
		...rules,
		...frames.map((_, index) => `.f${index}{animation:f${index} ${total}s step-end infinite}`),
		'}',
		'</style>',
		'<defs>',
		...[...names].filter(([row]) => row !== '').map(([row, name]) => `<g id="${name}">${row}</g>`),
		'</defs>',
		...frames.map(({rows}, index) => {
			const uses = rows.map((row, number) => (row === '' ? '' : `<use href="#${names.get(row)!}" y="${number * cellHeight}"/>`));
			return `<g class="f f${index}${index === still ? ' still' : ''}">${uses.join('')}</g>`;
		}),
	]);
}
