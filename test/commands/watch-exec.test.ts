import {assert, existsSync, path, process, readFileSync, test, type TestContext, writeFileSync} from '../helpers/node.ts';
import {eventually, startCommand, startInProcess, type RunningCommand} from './running-command.ts';
import {parseJson, startLiveLike} from './kit.ts';

type Loose = Record<string, unknown>;

/** Appends a line of JSON to a file: what the program was told. */
const recorder = String.raw`
const {appendFileSync, readFileSync} = require('node:fs');
const input = readFileSync(0, 'utf8');
const names = Object.keys(process.env).filter(name => /^(SWITCHBOARD|OPENHOME)_/.test(name));
appendFileSync(process.argv[2], JSON.stringify({input, args: process.argv.slice(3), env: Object.fromEntries(names.map(name => [name, process.env[name]]))}) + '\n');
`;

type Told = {readonly input: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>>};

/** A watch with a program, written as a script of Node.js. */
async function start(
	t: TestContext,
	script: string,
	{
		args = '',
		env = {},
		run = startInProcess,
	}: {readonly args?: string; readonly env?: Readonly<Record<string, string>>; readonly run?: typeof startInProcess} = {},
) {
	const place = await startLiveLike(t);
	const program = path.join(place.home.folder, 'a program.cjs');
	const record = path.join(place.home.folder, 'told');
	writeFileSync(program, script);
	const watch = run(['watch', '--interval', '1', '--json', '--exec', `"${process.execPath}" '${program}' ${record} ${args}`], {
		...place.env,
		...env,
	});
	t.after(async () => watch[Symbol.asyncDispose]());
	await watch.waitFor(command => command.errors().includes('Watching.'));
	const told = (): readonly Told[] =>
		existsSync(record)
			? readFileSync(record, 'utf8')
					.split('\n')
					.slice(0, -1)
					.map(line => parseJson(line) as Told)
			: [];
	return {...place, watch, record, told};
}

function changeAll(installed: readonly unknown[], enabled: boolean): void {
	for (const record of installed) {
		(record as Loose)['enabled'] = enabled;
	}
}

test('the program runs once for each change, in order, with the change and without a key', async (t: TestContext) => {
	const {service, watch, told} = await start(t, `${recorder}console.log('told');`, {
		args: "'two words' $HOME ; *",
		env: {
			OPENHOME_API_KEY: 'openhome-key-0123456789',
			OPENHOME_JWT: 'openhome-token-0123456789',
			SWITCHBOARD_DATABASE_URL: 'postgres://user:secret@db.example.com/switchboard',
		},
		// What it prints goes to the standard error of the process.
		run: startCommand,
	});
	const hostile = 'dark\u{1B}]0;x\u{7} room\u{202E}';
	service.installed = service.installed.map(record => ({...(record as Loose), enabled: true}));
	(service.agents[0] as Loose)['name'] = hostile;
	await watch.waitFor(() => told().length === 2);
	const [first, second] = told();
	assert.deepEqual(first!.args, ['two words', '$HOME', ';', '*']);
	const {SWITCHBOARD_CHANGE_AT: at, ...env} = first!.env;
	assert.deepEqual(env, {
		SWITCHBOARD_BASE_URL: service.baseAddress,
		SWITCHBOARD_CHANGE_KIND: 'installed',
		SWITCHBOARD_CHANGE_NAME: 'nightwatch',
		SWITCHBOARD_CHANGE_FIELD: 'enabled',
		SWITCHBOARD_CHANGE_FROM: 'off',
		SWITCHBOARD_CHANGE_TO: 'on',
		SWITCHBOARD_CHANGE_BY: '',
	});
	assert.equal(`${watch.lines()[0]!}\n`, first!.input);
	assert.equal((parseJson(first!.input) as Loose)['at'], at);
	assert.deepEqual([second!.env['SWITCHBOARD_CHANGE_FROM'], second!.env['SWITCHBOARD_CHANGE_TO']], ['Hearth', 'dark room']);
	assert.equal((parseJson(second!.input) as Loose)['to'], hostile);
	// What the program prints is no line of JSON.
	assert.equal(watch.lines().length, 2);
	await watch.waitFor(command => command.errors().match(/^told$/gm)?.length === 2);
});

test('a program that fails is told, and the next change follows', async (t: TestContext) => {
	const {service, watch, told} = await start(t, `${recorder}\nprocess.exitCode = 3;`);
	changeAll(service.installed, false);
	await watch.waitFor(() => told().length === 2);
	const note = (name: string): string => `${process.execPath} ended with exit code 3 for: ~ ${name}: on → off\n`;
	await watch.waitFor(command => command.errors().includes(note('lamps')) && command.errors().includes(note('pantry')));
	assert.deepEqual(
		told().map(({env}) => env['SWITCHBOARD_CHANGE_NAME']),
		['lamps', 'pantry'],
	);
});

test('a program that cannot be run is told, and watching goes on', async (t: TestContext) => {
	const {service, env} = await startLiveLike(t);
	await using watch = startInProcess(['watch', '--interval', '1', '--json', '--exec', './no-such-program --now'], env);
	await watch.waitFor(command => command.errors().includes('Watching.'));
	(service.installed[0] as Loose)['enabled'] = false;
	await watch.waitFor(command =>
		command.errors().endsWith('./no-such-program cannot be run: it was not found. The change was: ~ lamps: on → off\n'),
	);
	(service.installed[0] as Loose)['enabled'] = true;
	await watch.waitFor(command => command.lines().length === 2);
	watch.kill('SIGINT');
	assert.equal(await watch.exited, 0);
});

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/** Writes its process id, then runs until it is ended. */
const endless = "require('node:fs').writeFileSync(process.argv[2], String(process.pid)); setInterval(() => {}, 1000);";

test('the program ends with the watch, which says what it was not run for', async (t: TestContext) => {
	const {service, watch, record} = await start(t, endless);
	changeAll(service.installed, false);
	await watch.waitFor(command => command.lines().length === 2 && existsSync(record) && readFileSync(record, 'utf8') !== '');
	const pid = Number(readFileSync(record, 'utf8'));
	assert.ok(isAlive(pid));
	watch.kill('SIGINT');
	assert.equal(await watch.exited, 0);
	assert.ok(await eventually(() => !isAlive(pid)));
	assert.match(watch.errors(), /\n\S+ was not run for 1 more change\.\n$/);
});

test('a program that does not end when it is told to is ended all the same', async (t: TestContext) => {
	const {service, watch, record} = await start(t, `process.on('SIGTERM', () => {});\n${endless}`);
	(service.installed[0] as Loose)['enabled'] = false;
	await watch.waitFor(() => existsSync(record) && readFileSync(record, 'utf8') !== '');
	watch.kill('SIGINT');
	assert.equal(await watch.exited, 0);
	assert.ok(!isAlive(Number(readFileSync(record, 'utf8'))));
});

test('a second Ctrl+C ends the program too, at once', async (t: TestContext) => {
	const script = `process.on('SIGTERM', () => require('node:fs').writeFileSync(process.argv[2] + '.asked', ''));\n${endless}`;
	const {service, watch, record} = await start(t, script, {run: startCommand});
	(service.installed[0] as Loose)['enabled'] = false;
	await watch.waitFor(() => existsSync(record) && readFileSync(record, 'utf8') !== '');
	watch.kill('SIGINT');
	await watch.waitFor(() => existsSync(`${record}.asked`));
	watch.kill('SIGINT');
	assert.equal(await watch.exited, null);
	assert.ok(await eventually(() => !isAlive(Number(readFileSync(record, 'utf8')))));
});

test('while many changes wait for the program, no new ones are looked for', async (t: TestContext) => {
	const {service, watch, record} = await start(t, endless);
	service.agents = [...service.agents, ...Array.from({length: 150}, (_, index) => ({id: index + 10, name: `Attic ${index}`}))];
	const hasPaused = (command: RunningCommand): boolean => command.errors().includes('has not kept up: 149 changes wait for it.');
	await watch.waitFor(command => hasPaused(command) && existsSync(record));
	const count = service.requests.length;
	watch.kill('SIGTERM');
	assert.equal(await watch.exited, 143);
	assert.equal(service.requests.length, count);
	assert.match(watch.errors(), /was not run for 149 more changes\.\n/);
});
