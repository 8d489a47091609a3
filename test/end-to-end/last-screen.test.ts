import {after, assert, path, stripVTControlCharacters, suite, test} from '../helpers/node.ts';
import {cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync, type Stats} from 'node:fs';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {startLiveLikeService} from '../helpers/live-like-service.ts';
import type {PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {runCommand} from '../helpers/run-command.ts';
import {modeOf} from '../helpers/temporary-folder.ts';
import {readJsonObject} from '../helpers/request-bodies.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {isFresh} from '../tui/helpers/shown.ts';
import {openUi, says} from './open-ui.ts';

/** The file with the last screen; `undefined` if there is none. */
function screenFile({env}: IsolatedHome): string | undefined {
	const folder = path.join(env['XDG_CACHE_HOME']!, 'switchboard/last-seen');
	const name = existsSync(folder) ? readdirSync(folder).find(each => each.endsWith('-screen.json')) : undefined;
	return name && path.join(folder, name);
}

function contentOf(home: IsolatedHome): string {
	const file = screenFile(home);
	return file === undefined ? '' : readFileSync(file, 'utf8');
}

/** Replaces a name in the stored screen: where it shows up, the stored screen was drawn. */
function tamper(home: IsolatedHome, change: (text: string) => string): void {
	const file = screenFile(home)!;
	writeFileSync(file, change(readFileSync(file, 'utf8')));
}

function storeListAgain(home: IsolatedHome): void {
	const folder = path.dirname(screenFile(home)!);
	const list = path.join(folder, readdirSync(folder).find(each => each.endsWith('-installed.json'))!);
	writeFileSync(list, readFileSync(list, 'utf8').replace('"version":1', '"version": 1'));
}

/** Waits until the stored screen is as wanted. */
const stored = async (home: IsolatedHome, isWanted: (content: string) => boolean): Promise<void> =>
	waitUntil(() => isWanted(contentOf(home)));

const service = await startLiveLikeService();
after(async () => service.close());
const env = {SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey};

/** True where the list is up to date, and the abilities are read as well: a screen with lists that changed since it was drawn is not stored. */
const isWhole = (lines: readonly string[]): boolean => isFresh(lines) && /^ What \w+ does$/m.test(lines.join('\n'));

const nameOnCursor = (lines: readonly string[]): string | undefined =>
	/^ > (?:on|off)\s+(?<name>\S+)/m.exec(lines.join('\n'))?.groups!['name'];

const isOnRow =
	(row: number) =>
	(lines: readonly string[]): boolean =>
		nameOnCursor(lines.slice(row + 2, row + 3)) !== undefined;

/** A home in which the UI was shown and left once, with the cursor on the second row. */
async function useHome(moreEnv: Readonly<Record<string, string>> = {}): Promise<IsolatedHome> {
	const home = createIsolatedHome();
	await using ui = openUi(home, {env: {...env, ...moreEnv}});
	await ui.waitFor(isWhole);
	await ui.press('j').waitFor(isOnRow(2));
	assert.equal((await ui.press('q').exited).exitCode, 0);
	return home;
}

const usedHome = await useHome();

const stampOf = ({ino, size, mtimeMs}: Stats): string => `${ino} ${size} ${mtimeMs}`;

/** A copy of such a home. */
function createUsedHome(): IsolatedHome {
	const home = createIsolatedHome();
	cpSync(usedHome.folder, home.folder, {recursive: true});
	const file = screenFile(home)!;
	let screen = contentOf(home);
	// It is shown only with the lists of its time, and knows them by their stamps.
	for (const name of readdirSync(path.dirname(file))) {
		const [before, after] = [screenFile(usedHome)!, file].map(each => statSync(path.join(path.dirname(each), name)));
		screen = screen.replace(stampOf(before!), stampOf(after!));
	}

	writeFileSync(file, screen);
	return home;
}

/** Moves to the third row, and returns the name on it once that is stored. */
async function moveDown(home: IsolatedHome, ui: PseudoTerminal): Promise<string> {
	await ui.waitFor(isFresh);
	const name = nameOnCursor(await ui.press('j').waitFor(isOnRow(3)))!;
	await stored(home, content => /"installed":\{[^}]*"cursorRow":2/.test(content));
	return name;
}

suite('the screen as it was last seen', () => {
	test('is shown first at the next start, and then becomes the real one', async () => {
		const home = createUsedHome();
		assert.equal(modeOf(screenFile(home)!), '600');
		tamper(home, text => text.replaceAll('pantry', 'PAINTED'));
		await using ui = openUi(home, {env});
		await ui.waitFor(lines => isFresh(lines) && lines.join('\n').includes('pantry') && !lines.join('\n').includes('PAINTED'));
		const output = ui.output.toString();
		assert.match(output, /as of \d\d:\d\d, reading…/);
		assert.notStrictEqual(output.indexOf('PAINTED'), -1);
		assert.ok(output.indexOf('PAINTED') < output.indexOf('pantry'));
		assert.equal(output.split('\u{1B}[?1049h').length, 2);
		await ui.press('q').exited;
		assert.equal(ui.isAlternateScreen, false);
	});

	for (const name of ['NO_COLOR', 'NODE_DISABLE_COLORS']) {
		test(`has nothing of Node.js's own warnings on it with ${name}`, async () => {
			const home = await useHome({[name]: '1'});
			await using ui = openUi(home, {env: {...env, [name]: '1'}});
			await ui.waitFor(isFresh);
			const lines = ui.screen();
			const mark = ui.mark();
			await ui.press('ctrl+l').waitFor(shown => ui.bytesSince(mark).includes('Switchboard') && shown.join('\n') === lines.join('\n'));
			await ui.press('q').exited;
			assert.doesNotMatch(ui.output.toString(), /Warning/);
		});
	}

	test('is kept with the details hidden, as the next start hides them', async () => {
		const home = createUsedHome();
		await using ui = openUi(home, {env, columns: 120});
		await ui.waitFor(isFresh);
		await stored(home, content => content.includes(String.raw`"columns\":120`));
		ui.press('p', 'p', 'j');
		// A key that is drawn together with `q` leaves no screen to store.
		await ui.waitFor(lines => isOnRow(3)(lines) && !lines.join('\n').includes('│'));
		await ui.press('q').exited;
		assert.notEqual(screenFile(home), undefined);
	});

	test('says the day that it is from, on another day', async () => {
		const home = createUsedHome();
		tamper(home, text => text.replace(/"day":"[^"]*"/, '"day":"Thu Jan 01 1970"'));
		await using ui = openUi(home, {env});
		await ui.waitFor(isFresh);
		assert.match(ui.output.toString(), /as of \d{4}-\d\d-\d\d \d\d:\d\d, reading…/);
	});

	test('takes keys: Space switches the record that it shows under the cursor', async () => {
		const home = createUsedHome();
		const countBefore = service.requests.length;
		await using ui = openUi(home, {env});
		const lines = await ui.waitFor(/(?:as of|reads every 15 s).* q quit/s);
		const name = nameOnCursor(lines)!;
		const wanted = says(name, 'on')(lines) ? 'off' : 'on';
		await ui.press('space').waitFor(says(name, wanted));
		const puts = service.requests.slice(countBefore).filter(({method}) => method === 'PUT');
		assert.equal(puts.length, 1);
		assert.equal(readJsonObject(puts[0]!)?.['enabled'], wanted === 'on');
	});

	test('is kept within a second of a change, so that a session that was cut off comes back to the same row and state', async () => {
		const home = createUsedHome();
		await using cut = openUi(home, {env});
		const name = await moveDown(home, cut);
		const wanted = says(name, 'on')(cut.screen()) ? 'off' : 'on';
		await cut.press('space').waitFor(says(name, wanted));
		await stored(home, content =>
			(JSON.parse(content) as {frame: string}).frame.split('\n').some(line => says(name, wanted)([stripVTControlCharacters(line)])),
		);
		cut.kill('SIGKILL');
		await cut.exited;
		const release = service.hold();
		await using ui = openUi(home, {env});
		await ui.waitFor(lines => lines[0]!.includes('as of') && nameOnCursor(lines) === name && says(name, wanted)(lines));
		release();
	});

	test('tells the next start where the cursor was, even if a list was stored since the session was cut off', async () => {
		const home = createUsedHome();
		await using cut = openUi(home, {env});
		const name = await moveDown(home, cut);
		cut.kill('SIGKILL');
		await cut.exited;
		storeListAgain(home);
		await using ui = openUi(home, {env});
		await ui.waitFor(lines => isFresh(lines) && nameOnCursor(lines) === name);
	});

	test('is not shown on another size, without colours, read-only or for another key', async () => {
		const home = createUsedHome();
		tamper(home, text => text.replaceAll('pantry', 'PAINTED'));
		const [file, kept] = [screenFile(home)!, contentOf(home)];
		const others = [
			{env, columns: 90},
			{env: {...env, NO_COLOR: '1'}},
			{env: {...env, LANG: 'C'}},
			{env, args: ['--read-only']},
			{env: {...env, SWITCHBOARD_API_KEY: 'another-key-0123456789'}},
		];
		for (const other of others) {
			await using ui = openUi(home, other);
			await ui.waitFor(/reads every 15 s|key refused/);
			await ui.press('q').exited;
			assert.ok(!ui.output.includes('PAINTED'), JSON.stringify(other));
			// Left while a list arrives, the program has removed it.
			writeFileSync(file, kept);
		}
	});

	test('is ignored if it is half-written or asks the terminal for more than a drawing', async () => {
		const home = createUsedHome();
		const file = screenFile(home)!;
		const kept = contentOf(home).replaceAll('pantry', 'PAINTED');
		for (const wrong of [kept.slice(0, -20), kept.replace('"drawing":"', String.raw`"drawing":"\u001b]52;c;aGFja2Vk\u0007`), '[]']) {
			writeFileSync(file, wrong);
			await using ui = openUi(home, {env});
			await ui.waitFor(isFresh);
			await ui.press('q').exited;
			assert.ok(!ui.output.includes('PAINTED'));
			assert.ok(!ui.output.includes(']52;'));
		}
	});

	test('is not shown once a list was stored since: the rows may be others', async () => {
		const home = createUsedHome();
		tamper(home, text => text.replaceAll('pantry', 'PAINTED'));
		storeListAgain(home);
		await using ui = openUi(home, {env});
		await ui.waitFor(isFresh);
		assert.ok(!ui.output.includes('PAINTED'));
	});

	test('is gone after signing out', async () => {
		const home = createIsolatedHome();
		const login = await runCommand(['login', '--base-url', service.baseAddress, '--api-key-stdin'], {env: home.env, stdin: service.apiKey});
		assert.equal(login.exitCode, 0);
		await using ui = openUi(home);
		await ui.waitFor(isWhole);
		await ui.press('q').exited;
		assert.notEqual(screenFile(home), undefined);
		assert.equal((await runCommand(['logout'], {env: home.env})).exitCode, 0);
		assert.equal(screenFile(home), undefined);
	});

	test('what was marked comes back with the fresh list', async () => {
		const home = createUsedHome();
		await using ui = openUi(home, {env});
		await ui.waitFor(isFresh);
		await ui.press('x').waitFor('1 marked');
		await ui.press('q').exited;
		await using again = openUi(home, {env});
		await again.waitFor(lines => isFresh(lines) && lines.join('\n').includes('1 marked') && nameOnCursor(lines) !== undefined);
	});
});
