import {assert, execFileSync, nextTurn, once, path, process, readdirSync, spawn, test, type TestContext, text} from '../helpers/node.ts';
import {open} from 'node:fs/promises';
import type {LiveLikeServiceOptions} from '../helpers/live-like-service.ts';
import type {signalErrors} from '../../source/interface/errors.ts';
import {writeAbility, writeState} from './state-file.ts';
import {startProgram} from '../end-to-end/start-serve.ts';
import {
	ended,
	installedRecord,
	isRead,
	isWrite,
	json,
	jsonError,
	parseJson,
	programFile,
	type RequestFilter,
	startLiveLike,
} from './kit.ts';
import {startCommand} from './running-command.ts';
import {spokenFiles, writeFolder} from './source-folders.ts';

/*
What a signal does to a command that waits: the exit code, and what is told of each record. A signal aborts the command in this process;
that the program makes this of its signals is proved at the end, by real ones.
*/

type Signal = keyof typeof signalErrors;

const endings = {
	SIGINT: [130, 'interrupted', 'Interrupted.'],
	SIGTERM: [143, 'terminated', 'Terminated.'],
	SIGHUP: [129, 'hangup', 'The terminal hung up.'],
} as const satisfies Record<Signal, unknown>;

const signals = Object.keys(endings) as readonly Signal[];

type Place = Awaited<ReturnType<typeof startLiveLike>>;

type Interruption = {
	readonly words: readonly string[];
	readonly home?: () => LiveLikeServiceOptions['home'];
	readonly prepare?: (place: Place) => void;
	/** The requests that get no answer. */
	readonly held: RequestFilter;
	/** The requests that count, and how many come before the signal; more than these are a mistake. */
	readonly counted?: RequestFilter;
	readonly sent?: number;
};

/** Runs a command, and sends it a signal when so many requests have come. What was held is answered afterwards. */
async function interrupt(t: TestContext, signal: Signal, {words, home, prepare, held, counted = held, sent = 1}: Interruption) {
	const place = await startLiveLike(t, {home: home?.() ?? {}});
	prepare?.(place);
	const release = place.service.hold({when: held});
	const interruption = new AbortController();
	const running = place.run(words, {abort: interruption.signal});
	await place.service.waitForRequests(sent, counted);
	interruption.abort(signal);
	const result = await running;
	release();
	await nextTurn();
	// How many lists are read at once is up to the command.
	if (held !== isRead) {
		assert.equal(place.service.requests.filter(counted).length, sent);
	}

	assert.equal(result.exitCode, endings[signal][0]);
	return {...place, result};
}

const names = ['Lamp', 'Radio', 'Desk', 'Porch', 'Attic', 'Cellar', 'Stove'];

const homeOf = (count: number) => ({
	installed: Array.from({length: count}, (_, index) => installedRecord(index + 1, names[index] ?? `Lamp${index + 1}`, true)),
});

/** Seven abilities, of which two are answered, four are sent and wait for their answers, and one is not sent. */
const inTheMiddle = {
	home: () => homeOf(7),
	held: request => isWrite(request) && !/\/[12]\/$/.test(request.path),
	counted: isWrite,
	sent: 6,
} as const satisfies Omit<Interruption, 'words'>;

const notSent = {kind: 'interrupted', message: 'Not sent: the command was interrupted first.'};

const unknownOf = (name: string, state = 'off') => ({
	kind: 'interrupted',
	message: `It is not known whether ${name} is ${state} now: the change was sent and may still arrive. Check with: switchboard installed`,
});

test('Ctrl+C in a bulk command reports every record: done, not known or not sent', async (t: TestContext) => {
	const {result, asked, states} = await interrupt(t, 'SIGINT', {...inTheMiddle, words: ['disable', '--all', '--json']});
	assert.equal(
		result.stdout,
		json(
			names.map((name, index) => ({
				installed_cap_id: index + 1,
				name,
				...(index < 2 && {enabled: false, changed: true}),
				...(index >= 2 && index < 6 && {enabled: null, changed: null, error: unknownOf(name)}),
				...(index === 6 && {enabled: true, changed: false, error: notSent}),
			})),
		),
	);
	assert.deepEqual([result.signal, result.stderr], [null, jsonError('interrupted', 'Interrupted.')]);
	assert.deepEqual(asked().toSorted(), ['GET', 'PUT 1 off', 'PUT 2 off', 'PUT 3 off', 'PUT 4 off', 'PUT 5 off', 'PUT 6 off']);
	// What was sent did arrive, late.
	assert.deepEqual(states(), [false, false, false, false, false, false, true]);
});

test('a bulk command that a signal ends prints a line for every record', async (t: TestContext) => {
	const {result} = await interrupt(t, 'SIGHUP', {...inTheMiddle, words: ['toggle', '--all']});
	assert.equal(
		result.stdout,
		[
			'1\toff\tLamp\tchanged',
			'2\toff\tRadio\tchanged',
			'3\t?\tDesk\tnot known',
			'4\t?\tPorch\tnot known',
			'5\t?\tAttic\tnot known',
			'6\t?\tCellar\tnot known',
			'7\ton\tStove\tnot sent',
			'',
		].join('\n'),
	);
	assert.deepEqual(result.stderr.split('\n').slice(3), [
		'Cellar: It is not known whether Cellar is off now: the change was sent and may still arrive.',
		'Stove: Not sent: the command was interrupted first.',
		'The terminal hung up.',
		'',
	]);
});

/** Abilities that are not installed. */
const rooms = ['attic', 'cellar', 'porch', 'stove', 'garden', 'garage', 'roof'];

const isInstallation: RequestFilter = ({path: place}) => place.includes('/install-capability/');

const isRemoval: RequestFilter = ({path: place}) => place.includes('/uninstall-capability/');

const isCode: RequestFilter = ({path: place}) => /\/(?:release-code|add-capability)\//.test(place);

/** A state of everything in the home of seven abilities. */
const state = [
	'installed: {Lamp: off, Radio: off, Desk: {enabled: off, triggers: [see the desk]}, Porch: off, Attic: off, Cellar: off, Stove: off}',
	'agents: {Hearth: {prompt: Be brief.}}',
].join('\n');

/** What `--json` tells of a record after a signal: a state that is not known is null, and the error begins with a sentence of its own. */
type Told = readonly [name: string, value: unknown, error?: string];

type Report = Interruption & {
	readonly title: string;
	readonly signal?: Signal;
	/** The member of each record that says what it is now. */
	readonly field: string;
	readonly told: readonly Told[];
	readonly arrived?: (place: Place) => void;
};

const mayHaveArrived = (name: string, what: string): string => `It is not known whether ${name} ${what}`;

const reports: readonly Report[] = [
	{
		title: 'disable of one',
		words: ['disable', 'lamp'],
		home: () => homeOf(1),
		held: isWrite,
		field: 'enabled',
		told: [['Lamp', null, mayHaveArrived('Lamp', 'is off now')]],
	},
	{
		title: 'installed edit',
		words: ['installed', 'edit', 'lamp', '--no-triggers'],
		home: () => homeOf(1),
		held: isWrite,
		field: 'trigger_words',
		told: [['Lamp', null, mayHaveArrived('Lamp', 'was changed')]],
	},
	{
		title: 'install',
		words: ['install', ...rooms],
		prepare({service}) {
			service.abilities.push(...rooms.map((name, index) => ({id: 31 + index, name, category: 'skill'})));
		},
		held: request => isInstallation(request) && !/\/3[12]\/$/.test(request.path),
		counted: isInstallation,
		sent: 6,
		field: 'installed',
		told: [
			['attic', true],
			['cellar', true],
			...rooms.slice(2, 6).map(name => [name, null, mayHaveArrived(name, 'is installed')] as const),
			['roof', false, 'Not sent'],
		],
		arrived({service}) {
			const installed = service.installed.map(record => (record as {readonly name: string}).name);
			assert.deepEqual(installed.slice(3).toSorted(), rooms.slice(0, 6).toSorted());
		},
	},
	{
		title: 'uninstall',
		words: ['uninstall', ...names.slice(0, 6), '--yes'],
		signal: 'SIGTERM',
		home: () => homeOf(7),
		held: request => isRemoval(request) && !request.path.endsWith('/1/'),
		counted: isRemoval,
		sent: 5,
		field: 'installed',
		told: [
			['Lamp', false],
			...names.slice(1, 5).map(name => [name, null, mayHaveArrived(name, 'is uninstalled')] as const),
			['Cellar', true, 'Not sent'],
		],
	},
	{
		title: 'abilities push',
		words: ['abilities', 'push', 'lamps', 'pantry', 'cellar', 'attic', 'porch'],
		prepare({home: {folder}}) {
			for (const name of ['lamps', 'pantry', 'cellar', 'attic', 'porch']) {
				writeFolder(path.join(folder, name), spokenFiles('new'));
			}
		},
		held: isCode,
		sent: 4,
		field: 'action',
		told: [
			['lamps', null, mayHaveArrived('lamps', 'has the new code')],
			['pantry', null, mayHaveArrived('pantry', 'has the new code')],
			['cellar', null, 'The request was cancelled'],
			['attic', null, 'The request was cancelled'],
			['porch', null, 'Not sent'],
		],
	},
	{
		title: 'apply',
		...inTheMiddle,
		words: ['apply', 'home.yaml', '--yes'],
		prepare({home: {folder}}) {
			writeState(folder, state);
		},
		field: 'done',
		told: [
			['Lamp', true],
			['Radio', true],
			['Desk', null, mayHaveArrived('Desk', 'has changed')],
			['Desk', false, 'Not sent, because Desk was not switched first'],
			['Porch', null, mayHaveArrived('Porch', 'has changed')],
			['Attic', null, mayHaveArrived('Attic', 'has changed')],
			['Cellar', null, mayHaveArrived('Cellar', 'has changed')],
			['Stove', false, 'Not sent'],
			['Hearth', false, 'Not sent'],
		],
	},
	{
		title: 'apply, whose upload others need',
		words: ['apply', 'home.yaml', '--yes'],
		prepare({home: {folder}}) {
			writeState(folder, 'installed: {porch: off}\nabilities: {porch: {source: ./porch}}');
			writeAbility(folder, 'porch', '');
		},
		held: isWrite,
		field: 'done',
		told: [
			['porch', null, 'The request was cancelled'],
			['porch', false, 'Not sent, because porch was not created first'],
		],
	},
];

type Item = Readonly<Record<string, unknown>> & {readonly error?: {readonly kind: string; readonly message: string}};

for (const {title, signal = 'SIGINT', field, told, arrived, ...interruption} of reports) {
	test(`${signal} in ${title}: --json tells of every record what became of it`, async (t: TestContext) => {
		const {result, ...place} = await interrupt(t, signal, {...interruption, words: [...interruption.words, '--json']});
		const [, kind, sentence] = endings[signal];
		assert.ok(result.stderr.endsWith(jsonError(kind, sentence)), result.stderr);
		const value = parseJson(result.stdout) as readonly Item[] | {readonly changes: readonly Item[]};
		const items = 'changes' in value ? value.changes : value;
		assert.deepEqual(
			items.map(({error, ...item}) => [item['name'], item[field], ...(error === undefined ? [] : [error.message.split(/:|\. /, 1)[0]])]),
			told,
		);
		assert.ok(items.every(({error}) => error === undefined || error.kind === 'interrupted'));
		arrived?.(place);
	});
}

test('an interrupted agents edit or upload says that it may have arrived, without another request', async (t: TestContext) => {
	const edit = await interrupt(t, 'SIGINT', {words: ['agents', 'edit', 'hearth', '--name', 'Hob'], held: isWrite});
	assert.deepEqual(
		edit.result,
		ended(130, '', 'It is not known whether Hearth was changed: the change was sent and may still arrive.\nInterrupted.\n'),
	);
	assert.deepEqual(edit.asked(), ['GET', 'PUT']);
	const upload = await interrupt(t, 'SIGINT', {
		words: ['abilities', 'upload', 'cellar'],
		prepare({home: {folder}}) {
			writeFolder(path.join(folder, 'cellar'));
		},
		held: isWrite,
	});
	assert.equal(upload.result.stdout, '');
	assert.match(upload.result.stderr, /not known whether cellar has arrived[^\n]*\nInterrupted\.\n$/);
});

for (const [what, words] of [
	['a list', ['installed']],
	['the pull of a source', ['abilities', 'pull', 'lamps']],
	['an export', ['export', 'home.yaml']],
] as const) {
	test(`a signal ends ${what} with one line, and leaves no file behind`, async (t: TestContext) => {
		const isSource: RequestFilter = ({path: place}) => place.includes('/template-file/');
		const {result, home} = await interrupt(t, 'SIGTERM', {words, held: what === 'the pull of a source' ? isSource : isRead});
		assert.deepEqual(result, ended(143, '', 'Terminated.\n'));
		assert.deepEqual(readdirSync(home.folder).toSorted(), ['cache', 'config', 'data', 'state']);
	});
}

test('an interruption tells nothing of a silent service', async (t: TestContext) => {
	const {result} = await interrupt(t, 'SIGINT', {words: ['status', '--json'], held: isRead});
	const {reachable, key_accepted: isAccepted} = parseJson(result.stdout) as {readonly reachable: unknown; readonly key_accepted: unknown};
	assert.deepEqual([reachable, isAccepted], [null, null]);
});

test('a signal also ends the final check of the list', async (t: TestContext) => {
	const {result, asked} = await interrupt(t, 'SIGINT', {
		words: ['disable', '--all', '--json'],
		home: () => homeOf(2),
		prepare({service}) {
			service.failNext({cut: 'connection', times: 2, when: ({path: place}) => place.endsWith('/1/')});
			let readCount = 0;
			service.hold({when: request => isRead(request) && ++readCount > 1});
		},
		held: () => false,
		counted: isRead,
		sent: 2,
	});
	const items = parseJson(result.stdout) as readonly Item[];
	assert.deepEqual(
		items.map(({enabled, changed, error}) => [enabled, changed, error?.kind]),
		[
			[null, null, 'unreachable'],
			[false, true, undefined],
		],
	);
	assert.deepEqual(asked().toSorted(), ['GET', 'GET', 'PUT 1 off', 'PUT 1 off', 'PUT 2 off']);
});

/* Real signals. */

for (const signal of signals) {
	test(`the program that gets ${signal} while it waits for an answer has its exit code`, async (t: TestContext) => {
		const {service, env} = await startLiveLike(t);
		const release = service.hold();
		await using command = startCommand(['agents', '--json'], env);
		await service.waitForRequests(1);
		command.kill(signal);
		assert.equal(await command.exited, endings[signal][0]);
		assert.deepEqual([command.lines(), command.errors()], [[], jsonError(endings[signal][1], endings[signal][2])]);
		release();
	});
}

test('SIGINT ends serve with exit 0', async (t: TestContext) => {
	const {home} = await startLiveLike(t);
	await using service = await startProgram(home, ['serve', '--port', '0']);
	assert.match(service.firstLine, /^listening on http:\/\/127\.0\.0\.1:\d+$/);
	assert.equal((await service.stop('SIGINT')).exitCode, 0);
});

test('an interrupted command prints all its output, however slowly it is read', async (t: TestContext) => {
	const {service, env} = await startLiveLike(t, {home: homeOf(2000)});
	const release = service.hold({when: isWrite});
	const child = spawn(process.execPath, [programFile, 'disable', '--all', '--json'], {env, stdio: ['ignore', 'pipe', 'pipe']});
	const closed = once(child, 'close');
	const told = text(child.stderr);
	await service.waitForRequests(4, isWrite);
	child.kill('SIGINT');
	// Standard output is read only when the command has nothing left to say: by then the pipe has been full for long.
	await once(child.stderr, 'data');
	const items = parseJson(await text(child.stdout)) as readonly unknown[];
	assert.deepEqual(await closed, [130, null]);
	release();
	assert.equal(items.length, 2000);
	assert.equal(await told, jsonError('interrupted', 'Interrupted.'));
	assert.equal(service.requests.filter(isWrite).length, 4);
});

test('a signal ends the wait for a named pipe that nobody writes to', async (t: TestContext) => {
	const {home, env} = await startLiveLike(t);
	const pipe = path.join(home.folder, 'pipe.yaml');
	execFileSync('mkfifo', [pipe]);
	for (const [words, signal] of [
		[['plan', pipe], 'SIGTERM'],
		[['agents', 'edit', 'hearth', '--prompt-file', pipe], 'SIGINT'],
	] as const) {
		await using command = startCommand(words, env);
		// It is opened once the command reads it.
		const writer = await open(pipe, 'w');
		command.kill(signal);
		assert.equal(await command.exited, endings[signal][0], command.errors());
		await writer.close();
	}
});
