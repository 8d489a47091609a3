import {assert, Buffer} from '../helpers/node.ts';
import {after, beforeEach, test} from 'node:test';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {buffer} from 'node:stream/consumers';
import {connectAssistant, lastError, parseJson, runCommand, runOnTerminal, shareServedHome, startInProcess, startLiveLike} from './kit.ts';

const served = await shareServedHome({after});

beforeEach(async () => {
	await served.run(['timers', 'cancel', '--all']);
	await served.run(['enable', 'pantry', 'guestwifi']);
});

/** Runs a command line; times of day and dates are written as one word. */
async function told(line: string) {
	const {stdout, stderr, exitCode} = await served.run(line.match(/'[^']*'|\S+/g)!.map(word => word.replaceAll("'", '')));
	return [exitCode, withoutTimes(stdout), withoutTimes(stderr)] as const;
}

const withoutTimes = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'ISO').replaceAll(/\d\d:\d\d(?!\d)/g, 'TIME');

async function check(rows: ReadonlyArray<readonly [line: string, exitCode: number, stdout: string, stderr: string]>): Promise<void> {
	for (const [line, ...expected] of rows) {
		assert.deepEqual(await told(line), expected, line);
	}
}

const timerOf = async (name: string) => {
	const records = (await served.runJson(['installed'])) as ReadonlyArray<{readonly name: string; readonly timer?: {readonly at: string}}>;
	return records.find(record => record.name === name)!.timer;
};

test('a switch with a timer sets it only where it really switched, and tells what becomes of others', async () => {
	await check([
		['disable pantry --for 2h --note repaired', 0, '10\toff\tpantry\tchanged\n', ''],
		['installed --filter is:timed --columns name', 0, 'pantry\n', ''],
		['timers', 0, 'pantry\tISO\ton\tkey 1\trepaired\tservice\t\n', ''],
		['disable pantry', 0, '10\toff\tpantry\tunchanged\n', ''],
		['disable pantry --until 07:00', 0, '10\toff\tpantry\tchanged\n', 'pantry: its timer (on at TIME by key 1) is replaced.\n'],
		[
			'disable pantry nightwatch deskmusic --for 3h',
			0,
			'10\toff\tpantry\tchanged\n7\toff\tnightwatch\tunchanged\n34\toff\tdeskmusic\tunchanged\n',
			'pantry: its timer (on at TIME by key 1) is replaced.\nnightwatch, deskmusic were off already and stay off. ' +
				'To switch them on then: switchboard timers set nightwatch deskmusic on --for 3h\n',
		],
		[
			"disable nightwatch --until 'tomorrow 18:00' --note 'by hand' --dry-run",
			0,
			'7\toff\tnightwatch\tunchanged\n',
			'nightwatch was off already and stays off. To switch it on then: ' +
				"switchboard timers set nightwatch on --until 'tomorrow TIME' --note 'by hand'\nNothing was changed: this was a dry run.\n",
		],
		[
			'enable pantry --dry-run',
			0,
			'10\ton\tpantry\tchanged\n',
			'pantry: its timer (on at TIME by key 1) would be cancelled.\nNothing was changed: this was a dry run.\n',
		],
		['enable pantry', 0, '10\ton\tpantry\tchanged\n', 'pantry: its timer (on at TIME by key 1) is cancelled.\n'],
		['timers', 0, '', 'There are no timers. Set one with: switchboard disable NAME --for 2h\n'],
		["toggle 'morning*' --for 1d --yes", 0, '4\toff\tmorninglights\tchanged\n', 'morning* matches 1: morninglights\n'],
		['toggle morninglights', 0, '4\ton\tmorninglights\tchanged\n', 'morninglights: its timer (on at TIME by key 1) is cancelled.\n'],
	]);
});

test('timers are set for the end of a state, replaced and cancelled', async () => {
	await check([
		['timers set pantry OFF --for 30m', 0, '10\tISO\tpantry\tset\n', ''],
		['timers set pantry off --for 1h', 0, '10\tISO\tpantry\tset\n', 'pantry: its timer (off at TIME by key 1) is replaced.\n'],
		['timers set nightwatch on --until 07:00 --dry-run', 0, '7\tISO\tnightwatch\tset\n', 'Nothing was changed: this was a dry run.\n'],
		['timers set pantry on --for 1h', 2, '10\tISO\tpantry\tfailed\n', 'pantry is on already.\n'],
		[
			'timers set pantry nightwatch on --for 1h',
			6,
			'10\tISO\tpantry\tfailed\n7\tISO\tnightwatch\tset\n',
			'pantry is on already.\n1 of 2 failed.\nRun the command again for the ones that failed.\n',
		],
		['timers --columns name,state', 0, 'pantry\toff\nnightwatch\ton\n', ''],
		['timers cancel --by nobody', 0, '', 'There is no timer by nobody.\n'],
		["timers cancel --by 'Key 1'", 0, '7\tnightwatch\tcancelled\n10\tpantry\tcancelled\n', ''],
		['timers cancel pantry nightwatch', 0, '10\tpantry\tunchanged\n7\tnightwatch\tunchanged\n', ''],
		['timers cancel --all', 0, '', 'There are no timers.\n'],
	]);
});

test('what cannot be set is refused before anything is sent', async () => {
	await check([
		['disable pantry --until tomorrow', 2, '', '“tomorrow” has no time of day.\nAdd it, as in “tomorrow TIME”.\n'],
		['disable pantry --until 2020-01-01T07:00', 2, '', '2020-01-01TTIME has passed.\nGive a time that is still to come.\n'],
		['disable pantry --for 2h --until 07:00', 2, '', '--for and --until cannot be used together.\nUse one of them.\n'],
		['disable pantry --note x', 2, '', '--note needs --for or --until.\nAdd one of them, or leave out --note.\n'],
		['disable pantry --wait', 2, '', '--wait needs --for or --until.\nAdd one of them, or leave out --wait.\n'],
		['timers set pantry off', 2, '', 'A timer needs --for or --until.\nAs in: --for 2h, or --until TIME\n'],
		[
			'timers set off --for 2h',
			2,
			'',
			'Name installed abilities, and then the state to come: on or off.\nAs in: switchboard timers set pantry off --until TIME\n',
		],
	]);
	assert.equal((await told('disable pantry --for 07:00'))[0], 2);
	assert.equal((await told('disable pantry --for 0.5s'))[0], 2);
	assert.equal((await told(`disable pantry --for 2h --note ${'x'.repeat(101)}`))[0], 2);
	assert.equal((await told('timers cancel pantry --all'))[0], 2);
	assert.equal((await told('timers set pantry lamp off --for 2h'))[0], 4);
	assert.equal(await timerOf('pantry'), undefined);
});

test('JSON has the timer of each ability that has one, and the history tells it', async () => {
	const note = '💡'.repeat(100);
	const [item] = (await served.runJson(['disable', 'pantry', '--for', '2h', '--note', note])) as readonly [
		{readonly timer: {readonly at: string}},
	];
	const {at} = item.timer;
	assert.deepEqual(item, {
		installed_cap_id: 10,
		name: 'pantry',
		enabled: false,
		changed: true,
		timer: {enabled: true, at, by: 'key 1', note},
	});
	const timer = {installed_cap_id: 10, name: 'pantry', enabled: true, at, by: 'key 1', note, kept_by: 'service', overdue: null};
	assert.deepEqual(await served.runJson(['timers']), [timer]);
	assert.deepEqual(await timerOf('pantry'), {enabled: true, at, by: 'key 1', note, overdue: null});
	const [set] = (await served.runJson(['timers', 'set', 'pantry', 'on', '--until', at])) as readonly object[];
	assert.deepEqual(set, {...timer, note: '', changed: true});
	assert.deepEqual(await served.runJson(['timers', 'cancel', 'pantry']), [{installed_cap_id: 10, name: 'pantry', cancelled: true}]);
	assert.deepEqual(await served.runJson(['timers', 'cancel', 'pantry']), [{installed_cap_id: 10, name: 'pantry', cancelled: false}]);
	const refused = await served.run(['timers', 'set', 'pantry', 'off', '--for', '2h', '--json']);
	assert.deepEqual(
		[lastError(refused).kind, parseJson(refused.stdout)],
		[
			'conflict',
			[
				{
					installed_cap_id: 10,
					name: 'pantry',
					enabled: null,
					at: null,
					by: null,
					note: null,
					kept_by: null,
					overdue: null,
					changed: false,
					error: {kind: 'conflict', message: 'pantry is off already.'},
				},
			],
		],
	);
	const [, history] = await told('history pantry --limit 2 --columns field,from,to');
	assert.equal(history, 'timer\ton at ISO\tnone\ntimer\ton at ISO\ton at ISO\n');
});

test('a person reads until when, and who said so', async () => {
	const terminal = async (...words: readonly string[]) => withoutTimes((await runOnTerminal(words, {env: served.env})).slice(1).join('\n'));
	const asked = await runOnTerminal(['disable', 'p*y', '--until', '90m'], {env: served.env, typed: 'n\r'});
	assert.match(asked.join('\n'), /^Switch off 1 ability for 1h30m\? \[y\/N\] n$/m);
	assert.equal(await terminal('disable', 'pantry', '--for', '2h'), 'pantry is off until TIME.');
	assert.equal(await terminal('disable', 'pantry'), 'pantry was already off, until TIME (key 1).');
	const staying = await terminal('disable', 'nightwatch', 'deskmusic', '--for', '2h');
	assert.equal(
		staying,
		'nightwatch was already off.\ndeskmusic was already off.\n' +
			'To switch nightwatch, deskmusic on then: switchboard timers set nightwatch deskmusic on --for 2h',
	);
	assert.equal(await terminal('timers', 'set', 'nightwatch', 'on', '--for', '2h'), 'nightwatch will be switched on at TIME.');
	assert.equal(await terminal('timers', 'cancel', 'nightwatch'), 'The timer of nightwatch (on at TIME by key 1) is cancelled.');
	assert.equal(await terminal('timers', 'cancel', 'nightwatch'), 'nightwatch has no timer.');
	assert.match(await terminal('timers'), /^NAME +WHEN +STATE TO COME +BY +NOTE +KEPT BY +OVERDUE\npantry +TIME +on +key 1 +service *$/m);
});

test('a preset is applied until a time: what it switches goes back, and the rest is told', async () => {
	await served.run(['presets', 'save', 'night']);
	await served.run(['disable', 'pantry', 'guestwifi']);
	const [, dry, notes] = await told('presets apply night --for 2h --dry-run');
	assert.match(
		dry,
		/^~ guestwifi: off → on\n~ guestwifi timer: none → off in 2h\n~ pantry: off → on\n~ pantry timer: none → off in 2h\n2 to change/,
	);
	assert.match(notes, /^9 abilities|were (?:on|off) already and stay/);
	const [exitCode, done, counts] = await told('presets apply night --until 07:00 --yes');
	assert.deepEqual([exitCode, counts.split('\n').slice(-3, -2)], [0, ['2 done, 10 unchanged.']]);
	assert.match(done, /^done\t~ guestwifi: off → on\ndone\t~ guestwifi timer: none → off at TIME\n/);
	assert.equal((await timerOf('pantry')) === undefined, false);
	const [, again] = await told('presets apply night --for 3h --dry-run');
	assert.match(again, /^~ guestwifi timer: off at TIME → off in 3h\n~ pantry timer: off at TIME → off in 3h\n2 to change/);
});

test('an assistant switches for a while', async t => {
	const {call} = await connectAssistant(t, served.env);
	const {value} = await call('switch_installed', {installed: ['pantry'], enabled: false, for: '2h', note: 'x'});
	assert.match(JSON.stringify(value), /"enabled":false,"changed":true,"timer":\{"enabled":true,"at":"[^"]+Z","by":"key 1","note":"x"\}/);
	const {value: refused} = await call('switch_installed', {installed: ['pantry'], enabled: false, until: 'tomorrow'});
	assert.match(JSON.stringify(refused), /has no time of day/);
});

test('undo takes back a switch with its timer, and brings a cancelled timer back', async () => {
	await served.run(['disable', 'pantry', '--for', '2h']);
	const before = await timerOf('pantry');
	await served.run(['enable', 'pantry']);
	const [, back, counts] = await told('undo --yes');
	assert.equal(counts, 'By “enable”, TIME: 1 change.\n1 done, 0 unchanged.\n');
	assert.equal(back, 'done\t~ pantry: on → off\ndone\t~ pantry timer: none → on at TIME\n');
	assert.deepEqual(await timerOf('pantry'), before);
	const [, first] = await told('undo --yes');
	assert.equal(first, 'done\t~ pantry: off → on\n');
	assert.equal(await timerOf('pantry'), undefined);
});

test('the seconds of a timer are counted by the clock of the service, however wrong that of this machine is', async () => {
	const late = encodeURIComponent('const now = Date.now; Date.now = () => now() - 600_000;');
	const env = {...served.env, NODE_OPTIONS: `--import=data:text/javascript,${late}`};
	const {stdout, stderr, exitCode} = await runCommand(['disable', 'pantry', '--for', '2h', '--note', ' wake\tup ', '--json'], {env});
	assert.deepEqual([exitCode, stderr], [0, '']);
	const [{timer}] = parseJson(stdout) as readonly [{readonly timer: {readonly at: string; readonly note: string}}];
	assert.equal(timer.note, 'wake up');
	assert.ok(Math.abs(Date.parse(timer.at) - Date.now() - 7_200_000) < 60_000, timer.at);
});

test('a timer whose answer was lost is looked up', async t => {
	let [isCut, hasSet] = [false, false];
	/** Passes everything on, and cuts the answers to timers off; once `isCut`, also all that is asked afterwards. */
	const line = createServer((request, response) => {
		const pass = async (): Promise<void> => {
			const {
				method = 'GET',
				url = '',
				headers: {host: _, connection: __, 'content-length': ___, ...headers},
			} = request;
			const body = method === 'GET' ? undefined : await buffer(request);
			const answer = await fetch(new URL(url, served.baseAddress), {
				method,
				headers: headers as Record<string, string>,
				...(body !== undefined && {body}),
			});
			if (method === 'PUT' || (isCut && hasSet)) {
				hasSet = true;
				request.socket.destroy();
				return;
			}

			// Its body is unpacked.
			for (const [name, value] of answer.headers) {
				if (!['content-encoding', 'content-length', 'transfer-encoding', 'connection'].includes(name)) {
					response.setHeader(name, value);
				}
			}

			response.statusCode = answer.status;
			response.end(Buffer.from(await answer.arrayBuffer()));
		};

		void pass();
	});
	t.after(() => line.close());
	await new Promise<void>(resolve => {
		line.listen(0, '127.0.0.1', resolve);
	});
	const {port} = line.address() as AddressInfo;
	const env = {...served.env, SWITCHBOARD_BASE_URL: `http://127.0.0.1:${port}`};
	const {stdout, stderr, exitCode} = await runCommand(['disable', 'pantry', '--for', '2h', '--json'], {env});
	assert.deepEqual(
		[exitCode, stderr, withoutTimes(stdout).replaceAll(/\s/g, '')],
		[
			0,
			'',
			'[{"installed_cap_id":10,"name":"pantry","enabled":false,"changed":true,"timer":{"enabled":true,"at":"ISO","by":"key1","note":""}}]',
		],
	);
	[isCut, hasSet] = [true, false];
	assert.match((await runCommand(['timers', 'set', 'pantry', 'on', '--for', '3h'], {env})).stderr, /^Check with: switchboard timers$/m);
});

test('for a service that keeps none a timer is refused before anything is sent, unless the command waits and keeps it', async t => {
	const {run, env, asked, states} = await startLiveLike(t);
	for (const words of [
		['disable', 'pantry', '--for', '2h'],
		['timers', 'set', 'pantry', 'off', '--for', '2h'],
	]) {
		const refused = await run([...words, '--json']);
		assert.deepEqual([refused.exitCode, lastError(refused).kind], [2, 'refused']);
		assert.match(lastError(refused).message, /Add --wait, .* or keep them with: switchboard timers run/);
	}

	assert.equal((await run(['timers', 'cancel', 'pantry'])).stdout, '302\tpantry\tunchanged\n');
	assert.ok(asked().every(request => request === 'GET'));
	const stay = 'Staying until TIME; Ctrl+C leaves pantry off.\n';
	const done = await run(['disable', 'pantry', '--for', '1s', '--wait']);
	assert.deepEqual(
		[done.exitCode, done.stdout, withoutTimes(done.stderr)],
		[0, '302\toff\tpantry\tchanged\n', `${stay}pantry is on now.\n`],
	);
	assert.deepEqual(
		asked().filter(request => request !== 'GET'),
		['PUT 302 off', 'PUT 302 on'],
	);

	await using waiting = startInProcess(['disable', 'pantry', '--for', '2h', '--wait'], env);
	await waiting.waitFor(({lines}) => lines().length > 0);
	assert.equal(withoutTimes((await runCommand(['timers'], {env})).stdout), 'pantry\tISO\ton\tyou\t\tmachine\t\n');
	waiting.kill('SIGINT');
	assert.equal(await waiting.exited, 130);
	assert.match(waiting.errors(), /^pantry stays off: nothing will switch it on\..*\nTo keep the timer: switchboard timers run$/m);
	assert.deepEqual(states(), [true, false, false]);
	assert.equal(withoutTimes((await run(['timers'])).stdout), 'pantry\tISO\ton\tyou\t\t\t\n');
});

test('names come from standard input, and of many that stay as they are only the number is told', async () => {
	const {stdout} = await served.run(['timers', 'set', '-', 'off', '--for', '2h'], {stdin: 'pantry\nguestwifi\n'});
	assert.equal(withoutTimes(stdout), '10\tISO\tpantry\tset\n25\tISO\tguestwifi\tset\n');
	await served.run(['disable', '--all', '--yes']);
	assert.equal((await told('timers'))[1], '');
	assert.equal(
		(await told('disable --all --for 1h --yes'))[2],
		'12 abilities were off already and stay off. To switch them on then: switchboard timers set NAME on --for 1h\n',
	);
});
