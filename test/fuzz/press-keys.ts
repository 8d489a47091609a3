import {assert, delay} from '../helpers/node.ts';
import {openUi} from '../end-to-end/open-ui.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {isRecord} from '../helpers/live-like/home.ts';
import {type LiveLikeService, startLiveLikeService} from '../helpers/live-like-service.ts';
import type {PseudoTerminal} from '../helpers/pseudo-terminal.ts';
import type {Failure} from '../helpers/trouble.ts';
import {isFresh} from '../tui/helpers/shown.ts';

const escape = '\u{1B}';

/** Without the keys that leave the program, the service or the terminal: `q`, `P`, `:`, `e`, Ctrl+C and Ctrl+Z. */
const characters = [...'         jjjjjkkkxxvaEDDuuuRsSrrpJKy123333gG?M!tdinU/[]\t\r\r\u{12}\u{C}\u{4}\u{15}\u{7F}\0'];

const sequences = ['[A', '[B', '[C', '[D', '[5~', '[6~', '[Z', 'OP', '', '', '', '', '', ''].map(rest => escape + rest);

const texts = ['lamp', 'is:on', '日本', `${escape}[200~ddd\ry${escape}[201~`, `${escape}[200~never ended`];

const keys = [...characters, ...sequences, ...texts];

const sizes = ['18x4', '20x5', '30x8', '60x15', '80x24', '99x30', '140x50'];

/** Trouble for the next request. Only a closed connection leaves the outcome of a change unknown. */
const failures: readonly Failure[] = [
	{status: 500, body: '{"detail": "boom"}'},
	{status: 503, headers: {'content-type': 'text/html'}, body: '<html>Service Unavailable</html>'},
	{status: 429, headers: {'retry-after': '0'}},
	{status: 404, body: '<!DOCTYPE html><title>Page not found</title>'},
	{status: 403, body: '{"detail": "Not yours"}'},
	{body: 'null', isCarriedOut: true},
	{cut: 'connection'},
	{cut: 'connection', isCarriedOut: true},
	{cut: 'body', body: '[{"id": 1}]', isCarriedOut: true},
	{delayMilliseconds: 200, status: 502},
];

const mistakes = /undefined|NaN|\[object |TypeError|RangeError|^\s+at .+:\d+:\d+/m;

type Random = (limit: number) => number;

/**
Presses keys at random while the service fails at random. Once that is over the screen says what the service stores,
without being asked to read it again, and the cursor stays with its record whatever comes and moves around it.
*/
export async function pressKeys(random: Random): Promise<void> {
	const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
	const service = await startLiveLikeService();
	const trouble = {isOver: false};
	try {
		await using ui = openUi(createIsolatedHome(), {env: {SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey}});
		await ui.waitFor(isFresh);
		for (let step = 0; step < 150; step++) {
			if (random(10) === 0) {
				service.failNext({...pick(failures), when: () => !trouble.isOver});
			}

			if (random(20) === 0) {
				const [columns, rows] = pick(sizes).split('x', 2).map(Number);
				ui.resize(columns!, rows!);
			}

			ui.write(Array.from({length: random(5) === 0 ? 8 : 1}, () => pick(keys)).join(''));
			await delay(random(30));
			assert.doesNotMatch(ui.screen().join('\n'), mistakes);
		}

		trouble.isOver = true;
		await returnToInstalled(ui);
		for (let reads = 0; reads < 20 && !isFresh(ui.screen()); reads++) {
			ui.press('r');
			await delay(200);
		}

		await ui.waitFor(lines => isSame(lines, service), {deadlineMilliseconds: 10_000});
		await ui.waitFor(lines => rowsOn(lines).length === 0 || cursorRows(lines).length === 1);
		const [atCursor] = cursorRows(ui.screen());
		service.installed.unshift({id: 900, name: 'newcomer', enabled: false});
		service.installed.reverse();
		await ui.press('r').waitFor(lines => isSame(lines, service));
		assert.equal(cursorRows(ui.screen())[0], atCursor ?? 'newcomer');

		ui.press('q');
		const {exitCode} = await ui.exited;
		assert.deepEqual([exitCode, ui.isAlternateScreen, ui.cursor.isHidden], [0, false, false]);
		assert.ok(!ui.output.includes(service.apiKey));
	} finally {
		await service.close();
	}
}

/** Closes whatever is open, and shows all of the Installed screen. */
async function returnToInstalled(ui: PseudoTerminal): Promise<void> {
	ui.resize(99, 50);
	// An unfinished paste ends after two seconds; Escape needs a pause so that it does not become part of another key.
	await delay(2300);
	for (let presses = 0; presses < 20 && !isList(ui.screen()); presses++) {
		ui.press('escape');
		await delay(160);
	}

	ui.press('escape');
	await delay(160);
	ui.press('3');
	for (let presses = 0; presses < 4; presses++) {
		await delay(160);
		ui.press('escape');
	}

	await delay(160);
}

const isList = (lines: readonly string[]): boolean => /^ \[?1\D+2\D+3/.test(lines[1] ?? '');

const isSame = (lines: readonly string[], service: LiveLikeService): boolean =>
	rowsOn(lines).toSorted().join('\n') === storedRows(service).toSorted().join('\n');

/** The rows of a list as they are drawn: the name, then the state. */
const rowsOn = (lines: readonly string[]): readonly string[] =>
	lines.flatMap(line => {
		const {state, name} = /^[ !*][ >] (?<state>on~?|off~?)!? +(?<name>\w+)/.exec(line)?.groups ?? {};
		return state === undefined ? [] : [`${name} ${state}`];
	});

const storedRows = ({installed}: LiveLikeService): readonly string[] =>
	installed.filter(entry => isRecord(entry)).map(({name, enabled}) => `${String(name)} ${enabled === true ? 'on' : 'off'}`);

const cursorRows = (lines: readonly string[]): readonly string[] =>
	rowsOn(lines.filter(line => /^[ !*]> /.test(line))).map(row => row.slice(0, row.indexOf(' ')));
