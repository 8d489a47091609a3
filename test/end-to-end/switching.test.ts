import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {test, type TestContext} from 'node:test';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {decodeList} from '../../source/interface/lists.ts';
import {type InstalledAbility} from '../../source/interface/records.ts';
import {type RecordingServer} from '../helpers/recorded-requests.ts';
import {startSampleService} from '../tui/helpers/agents.ts';
import {startDocumentedHome, startHome, togglesOf} from '../tui/helpers/homes.ts';
import {cursorLine, isFresh, says} from '../tui/helpers/shown.ts';
import {openUi} from './open-ui.ts';

/*
What is done to many at once, end to end: at both sizes that count, on the service of this project, on one that shows no
more than the interface document does, and on one that behaves as the public one.
*/

type Place = {
	readonly baseAddress: string;
	readonly apiKey: string;
	/** Records requests, and can make them fail. */
	readonly recording?: RecordingServer;
	/** The names and states that the list starts with. */
	readonly rows: ReadonlyArray<readonly [name: string, isEnabled: boolean]>;
};

const sampleRows: Place['rows'] = [
	['morninglights', true],
	['nightwatch', false],
	['pantry', true],
	['goodnight', true],
	['shoppinglist', true],
	['kitchentimer', true],
	['dinnerideas', true],
	['guestwifi', true],
	['medicinetime', true],
	['laundrywatch', true],
	['deskmusic', false],
	['printerqueue', false],
];

const places: Readonly<Record<string, (t: TestContext) => Promise<Place>>> = {
	async 'the bundled service'(t) {
		return {...await startSampleService(t), rows: sampleRows};
	},
	async 'a service that shows nothing but ids'(t) {
		const service = await startDocumentedHome(t);
		return {...service, recording: service, rows: [['#101', true], ['#102', false], ['#103', true]]};
	},
	async 'a service that behaves as the public one'(t) {
		const service = await startHome(t);
		return {...service, recording: service, rows: [['lamps', true], ['pantry', true], ['nightwatch', false]]};
	},
};

/** The service's own list, requested without the program. */
const storedList = async ({baseAddress, apiKey}: Place): Promise<readonly InstalledAbility[]> => {
	const response = await fetch(`${baseAddress}/api/capabilities/get-installed-capabilities/`, {headers: {'x-api-key': apiKey}});
	return decodeList('installed', await response.json())!.records;
};

const storedStates = async (place: Place): Promise<ReadonlyArray<boolean | undefined>> => (await storedList(place)).map(({isEnabled}) => isEnabled);

/** The ids of the switching requests after the first `count`, in order. */
const askedSince = ({recording}: Place, count: number): readonly number[] | undefined =>
	recording && togglesOf(recording).slice(count).map(({id}) => id).toSorted((first, second) => first - second);

const askedCount = ({recording}: Place): number => recording === undefined ? 0 : togglesOf(recording).length;

/** True if the rows on the screen have these states, marked or not, and nothing is pending. */
const showsStates = (rows: Place['rows'], isEnabled: (wasEnabled: boolean) => boolean) => (lines: readonly string[]): boolean => {
	const shown = lines.filter(line => /^[ !*][ >] o(?:n|ff) +\S/.test(line));
	return shown.length > 0 && shown.every(line => {
		const {state, name} = /^[ !*][ >] (?<state>on|off) +(?<name>\S+)/.exec(line)!.groups!;
		return rows.some(([rowName, wasEnabled]) => rowName === name && state === (isEnabled(wasEnabled) ? 'on' : 'off'));
	});
};

/** The name in the row under the cursor. */
const nameIn = (row: string | undefined): string | undefined => /^[ !*]> \S+ +(?<name>\S+)/.exec(row ?? '')?.groups?.['name'];

for (const [columns, rows] of [[80, 24], [40, 10]] as const) {
	for (const [name, open] of Object.entries(places)) {
		test(`many rows are switched, undone and found again at ${columns} by ${rows}, on ${name}`, async (t: TestContext) => {
			const place = await open(t);
			const home = createIsolatedHome();
			await using ui = openUi(home, {
				columns,
				rows,
				env: {SWITCHBOARD_BASE_URL: place.baseAddress, SWITCHBOARD_API_KEY: place.apiKey, SSH_CONNECTION: '192.0.2.1 5 192.0.2.2 22'},
			});
			const total = place.rows.length;
			const onCount = place.rows.filter(([, isEnabled]) => isEnabled).length;
			// A narrow header has no room for them beside how often a service is polled.
			const counts = (shownCount: number) => ([header = '']: readonly string[]): boolean => header.endsWith(' every 15 s') || header.includes(` ${total} installed, ${shownCount} on`);
			const before = await storedList(place);
			const idsOfEnabled = before.filter(({isEnabled}) => isEnabled).map(({id}) => id).toSorted((first, second) => first - second);
			await ui.waitFor(lines => isFresh(lines) && counts(onCount)(lines) && showsStates(place.rows, isEnabled => isEnabled)(lines));

			// All marked rows are switched off: no request is sent for those that are off already.
			ui.write('aD');
			await ui.waitFor(says(`${onCount} switched off.`));
			await ui.waitFor(lines => counts(0)(lines) && showsStates(place.rows, () => false)(lines));
			assert.ok(ui.screen()[1]!.includes(columns === 80 ? `${total} marked` : `${total}`));
			assert.ok((await storedStates(place)).every(isEnabled => !isEnabled));
			assert.deepEqual(askedSince(place, 0) ?? idsOfEnabled, idsOfEnabled);

			// One key undoes all of it.
			const countBeforeUndo = askedCount(place);
			ui.press('u');
			await ui.waitFor(lines => counts(onCount)(lines) && showsStates(place.rows, isEnabled => isEnabled)(lines));
			await ui.waitFor(says(`Undone: ${onCount} switched back.`));
			assert.deepEqual(await storedStates(place), before.map(({isEnabled}) => isEnabled));
			assert.deepEqual(askedSince(place, countBeforeUndo) ?? idsOfEnabled, idsOfEnabled);

			// Rows that are on already are skipped here too, and failed ones can be retried with a key.
			if (place.recording !== undefined) {
				place.recording.failNext({when: ({method}) => method === 'PUT', status: 500});
				const countBefore = askedCount(place);
				ui.press('E');
				await ui.waitFor(says('stays off: The service failed (HTTP 500). R tries again.'));
				assert.equal(ui.screen().filter(line => /^\*[ >] off! /.test(line)).length, 1);
				ui.press('R');
				await ui.waitFor(lines => counts(total)(lines) && askedCount(place) === countBefore + 2 && showsStates(place.rows, () => true)(lines) && lines.every(line => !line.includes('on~')));
			}

			// The filter is shown with its count; the id of the row under the cursor is copied with OSC 52.
			ui.press('escape', 'escape');
			ui.write('/is:on\r');
			const lines = await ui.waitFor(shown => shown[1]!.includes('/is:on') && new RegExp(String.raw`\d+ of ${total}$`).test(shown[1]!));
			assert.ok(showsStates(place.rows.map(([rowName]) => [rowName, true] as const), () => true)(lines));
			ui.press('G', 'y');
			await ui.waitFor(says('is copied'));
			const copied = /\u{1B}\]52;c;(?<text>[\d+/=A-Za-z]+)/u.exec(ui.output.toString('latin1'))?.groups?.['text'] ?? '';
			const copiedId = Number(Buffer.from(copied, 'base64').toString());
			assert.ok(before.some(({id}) => id === copiedId), `${copiedId} is an id of the list`);
			const row = cursorLine(ui.screen());
			assert.match(row ?? '', /^ > on /);

			// Sorting by name from the palette keeps the cursor on its record.
			ui.write(':sort\r');
			const ordered = await ui.waitFor(says('Installed abilities sorted by name.'));
			assert.equal(nameIn(cursorLine(ordered)), nameIn(row));
			ui.press('q');
			assert.equal((await ui.exited).exitCode, 0);
		});
	}
}
