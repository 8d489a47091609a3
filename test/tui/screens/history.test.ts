import {assert, createHash, test, type TestContext} from '../../helpers/node.ts';
import type {HistoryEntry} from '../../../source/interface/history.ts';
import {historyLine} from '../../../source/tui/screens/history/history-screen.tsx';
import {changeWords} from '../../../source/tui/hooks/lately.ts';
import {named, paths, startTestService} from '../../service/running-service.ts';
import {openApp, openHome, type OpenAppOptions} from '../helpers/open-home.ts';
import {boxOf, cursorLine, includes, isAnswered, type LiveLikeService, says, small, storedState, togglesOf, wide} from '../helpers/kit.ts';

const entry = (id: number, fields: Partial<HistoryEntry> = {}): HistoryEntry => ({
	id,
	at: new Date().toISOString(),
	by: 'anna',
	key: 'laptop',
	via: 'this machine',
	kind: 'installed',
	name: 'lamps',
	record: 301,
	field: 'enabled',
	from: false,
	to: true,
	...fields,
});

const agentEntry = (id: number, fields: Partial<HistoryEntry>): HistoryEntry =>
	entry(id, {kind: 'agent', name: 'Hearth', record: 1, field: 'prompt', ...fields});

const long = 'You look after the house.\n'.repeat(60);

const few: readonly HistoryEntry[] = [
	entry(9),
	entry(8, {by: 'bob', name: 'pantry', record: 302, field: 'triggers', from: ['food'], to: ['food', 'what is there']}),
	agentEntry(7, {
		from: long,
		to: {
			characters: long.length + 5,
			sha256: createHash('sha256').update(`${long}Now.\n`).digest('hex'),
			difference: '@@ -60,1 +60,2 @@\n You look after the house.\n+Now.\n',
		},
	}),
	agentEntry(6, {from: 'One.\nTwo.\nThree.\n', to: 'One.\nTwo!\nThree.\n'}),
	entry(5, {by: 'script', name: 'nightwatch', record: 303, field: 'installed', from: false, to: true}),
	entry(4, {at: '2024-02-03T12:00:00.000Z', from: true, to: false}),
];

type HistoryOptions = OpenAppOptions & {readonly history?: readonly unknown[]; readonly keys?: never};

const isRead = (lines: readonly string[]): boolean =>
	lines[0]!.startsWith(' History') && !includes('Reading')(lines) && lines.at(-1) !== '';

async function open(t: TestContext, {history = few, ...options}: HistoryOptions = {}) {
	const {app, service} = await openHome(t, {size: wide, history, ...options});
	await app.press('H').shows(isRead);
	return {app, service};
}

/** The lines that are not empty, without the time of day. */
const shown = (lines: readonly string[]): readonly string[] =>
	lines.filter(line => line !== '').map(line => line.replaceAll(/\d\d:\d\d(?::\d\d)?/g, '00:00'));

const historyQueries = ({requests}: LiveLikeService): readonly string[] =>
	requests.filter(({path}) => path === '/history').map(({query}) => query);

test('H lists who changed what in the list that is shown, the newest first, at 80 columns and at 40', async t => {
	const {app} = await open(t);
	assert.deepEqual(shown(app.lines()), [
		' History: installed abilities                                       environment',
		' > today 00:00 anna       lamps           off → on',
		'   today 00:00 bob        pantry          triggers: food → food, what is there',
		'   today 00:00 script     nightwatch      installed',
		'   2024-02-03  anna       lamps           on → off',
		' enter difference  R revert  = board  / filter  j/k move  esc back',
	]);
	assert.deepEqual(shown(await app.resize(small).shows(lines => lines.length === small.rows)), [
		' History: installed abili…  environment',
		' > 00:00 anna    lamps  off → on',
		'   00:00 bob     pantry  triggers: foo…',
		'   00:00 script  nightwatch  installed',
		'   2024-02 anna    lamps  on → off',
		' enter difference  R revert  esc back',
	]);
	assert.match(cursorLine(await app.press('j', 'escape', 'j').shows('> on   pantry'))!, /pantry/);
});

test('a row is read out with words in place of columns', () => {
	const {label} = historyLine(few[1]!, {isCursor: true, now: Date.now(), width: 80});
	assert.equal(label.replace(/\d\d:\d\d/, '00:00'), '> 00:00, bob, pantry, triggers: food → food, what is there');
});

test('the time of a timer is in the zone of the person, here and in the last changes', () => {
	const to = {enabled: true, at: '2030-01-01T00:00:00.000Z', note: ''};
	const entry = {...few[1]!, kind: 'installed', field: 'timer', from: null, to} as const;
	const timeZone = {zone: 'Asia/Kathmandu', isOwn: true};
	assert.match(historyLine(entry, {isCursor: true, now: Date.now(), width: 80, timeZone}).label, /none → on 2030-01-01 05:45$/);
	assert.deepEqual(changeWords([entry], timeZone), [{subject: 'pantry', what: 'on 2030-01-01 05:45'}]);
});

test('names, ways and texts of a hostile history neither move nor colour anything, and nothing in a difference is hidden', async t => {
	const history = [
		agentEntry(3, {
			name: '\u{1B}[31m界面\u{202E}x',
			by: 'bo\u{1B}]0;o\u{7}b',
			via: 'v\u{9B}31m',
			key: null,
			from: 'one\n',
			to: 'o\u{200B}ne\u{1B}[2J\n',
		}),
		agentEntry(2, {field: 'name', name: '\u{1B}[0m', from: 'a\nb', to: {characters: 'x', sha256: 3}}),
		{id: 1, kind: 'agent'},
	];
	const {app} = await open(t, {history, screen: 'agents'});
	assert.deepEqual(shown(app.lines()).slice(1, -1), [
		' > today 00:00 bob        界面x           prompt: 1 line → 1 line (1 changed)',
		'   today 00:00 anna       #1              name: a b → {"characters":"x","sha25…',
	]);
	assert.deepEqual(shown(await app.press('enter').shows('Change 3')).slice(1, -1), [
		' When    00:00',
		' Who     bob',
		' Via     v',
		' What    agent 界面x, id 1',
		' Change  prompt: 1 line → 1 line (1 changed)',
		' @@ -1 +1 @@',
		' -one',
		String.raw` +o\u{200b}ne\u{1b}[2J`,
	]);
});

test('Enter shows the whole difference of a prompt, which a page does not have, and r reads it again if that fails', async t => {
	const {app, service} = await open(t, {screen: 'agents'});
	assert.match(cursorLine(app.lines())!, /prompt: 1,560 → 1,565 characters$/);
	service.failNext({when: ({path}) => path === '/history', status: 403});
	await app.press('enter').says('The difference could not be read.');
	assert.deepEqual(shown(await app.press('r').shows('+Now.')), [
		' Change 7                                                           environment',
		' When    00:00',
		' Who     anna, with the key laptop',
		' Via     this machine',
		' What    agent Hearth, id 1',
		' Change  prompt: 60 lines → 61 lines',
		' … 57 unchanged lines',
		'  You look after the house.',
		'  You look after the house.',
		'  You look after the house.',
		' +Now.',
		' esc back  R revert  / search',
	]);
	await app.press('escape', 'j', 'enter').shows('-Two.');
	assert.match(cursorLine(await app.press('escape').shows(isRead))!, /3 lines → 3 lines \(1 changed\)$/);
});

test('H on an opened record shows its own history, by its id and its name', async t => {
	const {app, service} = await openHome(t, {size: wide, history: few});
	await app.press('enter').shows(lines => lines[0]!.startsWith(' lamps'));
	await app.press('H').shows(lines => lines[0]!.startsWith(' History: lamps') && includes('2024-02-03')(lines));
	assert.deepEqual([...new Set(historyQueries(service))], ['record=301&record=lamps&kind=installed']);
	await app.press('escape').shows(lines => lines[0]!.startsWith(' lamps'));
});

test('older pages are read as the cursor nears the end, one at a time, and r reads what is new and leaves the cursor on its change', async t => {
	const history = Array.from({length: 250}, (_, index) => entry(250 - index, {by: `person ${250 - index}`}));
	const {app, service} = await open(t, {history});
	await app.press('j', 'ctrl+d').shows(lines => cursorLine(lines)!.includes('person 239'));
	// The newest page is also read again once the changes from before this session are known.
	const older = (): readonly string[] => historyQueries(service).filter(query => query.includes('before'));
	assert.deepEqual(older(), []);
	await app.press('G').shows('100 of 200');
	await app.press('G').shows('200 of 250');
	await app.press('G', 'G').shows(lines => cursorLine(lines)!.includes('person 1 '));
	history.unshift(entry(251, {by: 'newest'}));
	const lines = await app.press('r').shows('251 of 251');
	assert.match(cursorLine(lines)!, /person 1 /);
	assert.deepEqual(older(), ['kind=installed&before=151', 'kind=installed&before=51']);
});

test('a filter shows the changes with all words, and reads on where the person moves on', async t => {
	const history = Array.from({length: 150}, (_, index) => entry(150 - index, {by: index === 140 ? 'Zoë' : `bob${index}`}));
	const {app} = await open(t, {history});
	await app.write('/zoe !pantry').says('None of the newest 100 changes matches “zoe !pantry”. j reads older ones. Esc clears the filter.');
	const lines = await app.press('enter', 'j').shows('Zoë');
	assert.match(lines[0]!, /\/zoe !pantry 1 of 150 · environment$/);
	await app.press('escape').shows('of 150 · environment');
	await app.press('escape').shows('> on   lamps');
});

test('a history that cannot be read says why and which key to press, and an empty one that it is empty', async t => {
	const {app, service} = await openHome(t, {size: wide, history: []});
	service.failNext({when: ({path}) => path === '/history', status: 403});
	await app
		.press('H')
		.shows(says('! The history could not be read. The service does not allow this with your key (HTTP 403).'), says('r tries again.'));
	await app.press('r').shows('No changes yet.');
});

test('of a service without a history the first line says that the changes of others are not in it', async t => {
	const {app} = await openHome(t, {size: wide});
	await app.press('H').shows(lines => lines[1] === " This service keeps no history: others' changes are not in it.");
	await app.resize(small).shows(lines => lines[1] === " Others' changes are not in it.");
});

test('R reverts a change after a question, u undoes that, and nothing is sent before the answer', async t => {
	const {app, service} = await open(t);
	assert.deepEqual(boxOf(await app.press('R').shows(lines => boxOf(lines).length > 0)), [
		'Revert the change of lamps?',
		'',
		'on → off',
		'',
		'y revert  n no',
	]);
	assert.deepEqual(togglesOf(service), []);
	await app.press('y').says('lamps is off.');
	await app.press('u').says('Undone: lamps is on again.');
	assert.equal(storedState(service, 301), true);
	await app.press('G', 'R').says('lamps is already as it was before this change.');
});

test('the prompt, the name, the abilities and the phrases that were are brought back too', async t => {
	const cases = [
		{screen: 'agents', given: agentEntry(1, {from: 'Once.', to: 'x'}), question: /^prompt: /, done: 'Reverted the change of Hearth.'},
		{
			screen: 'agents',
			given: agentEntry(1, {field: 'name', from: 'Fireside', to: 'Hearth'}),
			question: /^name: Hearth → Fireside$/,
			done: 'Reverted the change of Hearth.',
		},
		{
			screen: 'installed',
			given: entry(1, {field: 'triggers', from: ['dark'], to: ['x']}),
			question: /^triggers: .* → dark$/,
			done: 'Reverted the change of lamps.',
		},
	] as const;
	for (const {screen, given, question, done, ...rest} of cases) {
		const {app} = await open(t, {screen, history: [given]});
		const box = boxOf(await app.press('R').shows(lines => boxOf(lines).length > 0));
		assert.match(box[2]!, question);
		await app.press('y').says(done);
		await app.press('u').says('cannotUndo' in rest ? 'Cannot undo' : 'Undone:');
	}
});

test('where something came after it, the question says what', async t => {
	const {app, service} = await open(t, {
		history: [
			entry(3, {by: 'bob', name: 'pantry', record: 302, from: false, to: true}),
			entry(2, {name: 'pantry', record: 302, from: false, to: false}),
			entry(1, {name: 'pantry', record: 302, from: false, to: null}),
		],
	});
	const box = boxOf(await app.press('j', 'R').shows(lines => boxOf(lines).length > 0)).map(line => line.replace(/\d\d:\d\d/, '00:00'));
	assert.deepEqual(box.slice(0, 4), ['Revert the change of pantry?', '', 'on → off', 'After that: off → on, by bob, 00:00.']);
	await app.press('n').shows(isAnswered);
	assert.deepEqual(togglesOf(service), []);
});

test('what cannot be reverted says so, and what to do instead', async t => {
	const cases: ReadonlyArray<readonly [given: HistoryEntry, text: string]> = [
		[
			entry(9, {field: 'installed', from: false, to: true}),
			'lamps: this change cannot be reverted. d on the Installed screen uninstalls it.',
		],
		[
			entry(8, {field: 'installed', from: true, to: false}),
			'lamps: this change cannot be reverted. i on the Abilities screen installs it.',
		],
		[entry(7, {from: null}), 'Not reverted: This change cannot be reverted: it is not known what lamps was before.'],
		[entry(6, {record: 999, name: 'attic'}), 'Not reverted: attic is no longer installed.'],
	];
	const {app, service} = await open(t, {history: cases.map(([given]) => given)});
	for (const [, text] of cases) {
		await app.press('R').says(text);
		app.press('j');
	}

	assert.deepEqual(togglesOf(service), []);
});

test('a read-only run shows a history, and refuses to revert before anything is asked', async t => {
	const {app} = await open(t, {isReadOnly: true});
	assert.match(app.lines().at(-1)!, /^ enter difference {2}= board {2}\/ filter/);
	for (const keys of [['R'], ['u'], ['enter', 'R']]) {
		await app.press(...keys).says('this run is read-only.');
		app.ui.store.dispatch({type: 'dismiss'});
		await app.shows(lines => !says('this run is read-only.')(lines));
	}
});

test('a change that somebody else makes is on the screen at once, and the cursor stays on its change', async t => {
	const service = await startTestService();
	t.after(async () => service.close());
	const installed = await service.read(paths.installed);
	const toggle = async (name: string, isEnabled: boolean): Promise<void> => {
		await service.ask('PUT', paths.editInstalled(named(installed, name)['id']), {body: {enabled: isEnabled}});
	};

	await toggle('nightwatch', true);
	const app = await openApp(t, {size: wide, service: {baseAddress: service.baseAddress, apiKey: service.key}});
	await app.until(() => app.session().records.changeFeed.get().stream === 'open');
	await app.press('H').shows(lines => /nightwatch +off → on$/.test(cursorLine(lines) ?? ''));
	await toggle('pantry', false);
	const lines = await app.shows('pantry');
	assert.match(lines[2]!, /pantry +on → off$/);
	assert.match(cursorLine(lines)!, /nightwatch/);
	assert.deepEqual(boxOf(await app.press('R').shows(frame => boxOf(frame).length > 0)).slice(0, 3), [
		'Revert the change of nightwatch?',
		'',
		'on → off',
	]);
	await app.press('y').shows(frame => /nightwatch +on → off$/.test(frame[2]!));
	assert.equal(named(await service.read(paths.installed), 'nightwatch')['enabled'], false);
});
