import {assert, Buffer, once, path, process, test} from '../helpers/node.ts';
import {execFile, spawn} from 'node:child_process';
import {chmod, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {provideTool} from '../../source/build/provide-tool.ts';
import {readZip} from '../../source/interface/ability-package/read-zip.ts';
import {sampleHomeFolder} from '../../source/service/sample/read-sample-home.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {createCertificate, type JsonRecord, named, paths, shareTestService, type TestService, waitUntil} from './kit.ts';

/*
A public client of the service that this interface comes from, unmodified from npm, through its commands. It insists on
https, so it is told to trust the certificate of the test. On PostgreSQL the answers are the same (`same-answers.test.ts`).
*/

const program = path.join(await provideTool('openhome-cli'), 'node_modules/openhome-cli/bin/openhome.js');
const certificate = createCertificate();
const home: IsolatedHome = createIsolatedHome();
const certificateFile = path.join(home.folder, 'certificate.pem');
await writeFile(certificateFile, certificate.cert);
type Run = {readonly exitCode: number; readonly stdout: string; readonly json: JsonRecord};

function parseJson(text: string): JsonRecord {
	try {
		return JSON.parse(text) as JsonRecord;
	} catch {
		return {};
	}
}

const environmentOf = () => ({
	...home.env,
	// Where it leaves what it packs.
	TMPDIR: home.folder,
	OPENHOME_API_BASE: service.baseAddress.replace('127.0.0.1', 'localhost'),
	OPENHOME_API_KEY: service.key,
	// Some requests send only its session token; a key can serve as one.
	OPENHOME_JWT: service.key,
	// Otherwise it looks for a newer version of itself.
	OPENHOME_NO_UPDATE: '1',
	NODE_EXTRA_CA_CERTS: certificateFile,
});

async function run(commandArguments: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Run> {
	const env = {...environmentOf(), ...environment};
	return new Promise(resolve => {
		execFile(process.execPath, [program, ...commandArguments], {env, cwd: home.folder, timeout: 60_000}, (error, stdout) =>
			resolve({exitCode: error === null ? 0 : Number(error.code), stdout, json: parseJson(stdout)}),
		);
	});
}

// Node.js reads the trusted certificates once, so this process uses another service on the same data.
const served = await shareTestService({tls: certificate});
const service: TestService = {
	...(await shareTestService({dataFolder: served.dataFolder, isSampleWanted: false})),
	baseAddress: served.baseAddress,
	key: served.key,
};

/** An ability as a folder. */
async function writeAbility(name: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
	const folder = path.join(home.folder, name);
	await rm(folder, {recursive: true, force: true});
	await mkdir(path.join(folder, 'sounds'), {recursive: true});
	for (const [file, content] of Object.entries(files)) {
		await writeFile(path.join(folder, file), content);
	}

	return folder;
}

const lampSource = await readFile(path.join(sampleHomeFolder, 'abilities/morninglights/main.py'), 'utf8');

const lamps = {
	'main.py': lampSource,
	'__init__.py': '',
	'config.json': '{"unique_name": "lamps", "matching_hotwords": ["lamps on"]}',
	'sounds/click.mp3': Uint8Array.from({length: 2000}, (_, index) => (index * 31) % 256),
};

async function deploy(more: readonly string[] = [], environment?: Readonly<Record<string, string>>): Promise<Run> {
	const folder = await writeAbility('lamps', lamps);
	return run(
		[
			'deploy',
			folder,
			'--name',
			'lamps',
			'--description',
			'Switches the lamps.',
			'--category',
			'skill',
			'--triggers',
			'lamps on, lamps off',
			'--json',
			...more,
		],
		environment,
	);
}

async function sourceOf(id: unknown): Promise<ReadonlyMap<string, Buffer>> {
	const {bytes} = await service.ask('GET', paths.source(id));
	const {files} = await readZip(bytes);
	return new Map(files.map(file => [file.path, Buffer.from(file.bytes)]));
}

test('openhome list and status show the abilities', async () => {
	const {json, exitCode} = await run(['list', '--json']);
	assert.equal(exitCode, 0);
	const abilities = json['abilities'] as readonly JsonRecord[];
	const records = await service.read(paths.abilities);
	assert.deepEqual(
		abilities.map(({id, name, category, trigger_words}) => ({id, name, category, trigger_words})),
		records.map(record => ({
			id: String(record['id']),
			name: record['name'],
			category: record['category'],
			trigger_words: record['trigger_words'],
		})),
	);
	assert.equal(named(abilities, 'morninglights')['status'], 'active');
	assert.equal(named(abilities, 'bedtimestory')['status'], 'processing');

	const status = await run(['status', 'pantry', '--json']);
	assert.equal(status.exitCode, 0);
	assert.equal((status.json['ability'] as JsonRecord)['ability_id'], String(named(records, 'pantry')['id']));
});

test('openhome agents shows the agents', async () => {
	const {json, exitCode} = await run(['agents', '--json']);
	assert.equal(exitCode, 0);
	const records = await service.read(paths.agents);
	assert.deepEqual(
		json['agents'],
		records.map(record => ({id: String(record['id']), name: record['name']})),
	);
});

test('openhome reports a wrong key', async () => {
	const agents = await run(['agents', '--json'], {OPENHOME_API_KEY: 'sb_wrong'});
	assert.equal(agents.exitCode, 1);
	assert.match((agents.json['error'] as JsonRecord)['message'] as string, /not a key of this service/);
	assert.equal((await run(['list', '--json'], {OPENHOME_API_KEY: 'sb_wrong'})).exitCode, 1);
	const upload = await deploy([], {OPENHOME_API_KEY: 'sb_wrong', OPENHOME_JWT: 'sb_wrong'});
	assert.equal((upload.json['error'] as JsonRecord)['code'], 'SESSION_EXPIRED');
});

test('openhome deploy uploads a folder, ties it to an agent, and reports a taken name', async () => {
	const pepper = named(await service.read(paths.agents), 'Pepper');
	const {json, exitCode} = await deploy(['--personality', String(pepper['id'])]);
	assert.equal(exitCode, 0, JSON.stringify(json));
	const ability = named(await service.read(paths.abilities), 'lamps');
	assert.equal(json['ability_id'], String(ability['id']));
	assert.equal(json['message'], 'The ability lamps was uploaded, installed and enabled.');
	assert.deepEqual(ability['trigger_words'], ['lamps on', 'lamps off']);
	assert.equal(named(await service.read(paths.installed), 'lamps')['enabled'], true);
	assert.ok((named(await service.read(paths.agents), 'Pepper')['matching_capabilities'] as readonly unknown[]).includes(ability['id']));
	assert.deepEqual(
		await sourceOf(ability['id']),
		new Map(
			Object.entries(lamps)
				.map(([file, content]) => [file, Buffer.from(content as string)] as const)
				.toSorted(([first], [second]) => (first < second ? -1 : 1)),
		),
	);

	const again = await deploy();
	assert.equal(again.exitCode, 1);
	assert.equal((again.json['error'] as JsonRecord)['code'], 'DUPLICATE_NAME');
});

test('openhome deploy reports why an upload is refused', async () => {
	const folder = await writeAbility('broken', {'main.py': lampSource});
	const {json, exitCode} = await run([
		'deploy',
		folder,
		'--name',
		'broken',
		'--description',
		'x',
		'--category',
		'skill',
		'--triggers',
		'broken lamps',
		'--json',
	]);
	assert.equal(exitCode, 1);
	assert.match((json['error'] as JsonRecord)['message'] as string, /__init__\.py is missing/);
});

test('openhome update releases new code', async () => {
	await deploy();
	const ability = named(await service.read(paths.abilities), 'lamps');
	const folder = await writeAbility('lamps', {...lamps, 'main.py': `${lampSource}# second\n`});
	const {json, exitCode} = await run(['update', 'lamps', '--zip', folder, '--message', 'Second', '--json']);
	assert.equal(exitCode, 0, JSON.stringify(json));
	assert.equal(json['message'], 'Version 2 is in use.');
	const source = await sourceOf(ability['id']);
	assert.equal(source.get('main.py')?.toString(), `${lampSource}# second\n`);
	assert.deepEqual(source.get('sounds/click.mp3'), Buffer.from(lamps['sounds/click.mp3']));
	assert.equal((await run(['update', String(ability['id']), '--zip', folder, '--json'])).json['message'], 'Version 3 is in use.');
});

test('openhome assign ties abilities to an agent and enables their trigger phrases there', async () => {
	const {json, exitCode} = await run(['assign', '--agent', 'desk', '--capabilities', 'goodnight,nightwatch', '--json']);
	assert.equal(exitCode, 0, JSON.stringify(json));
	assert.equal(json['count'], 2);
	const abilities = await service.read(paths.abilities);
	assert.deepEqual(
		new Set(named(await service.read(paths.agents), 'Desk')['matching_capabilities'] as readonly unknown[]),
		new Set([named(abilities, 'goodnight')['id'], named(abilities, 'nightwatch')['id']]),
	);
	const installed = await service.read(paths.installed);
	assert.equal(named(installed, 'goodnight')['agent_capability'], true);
	assert.equal(named(installed, 'nightwatch')['agent_capability'], false);
});

test('openhome agents edit changes only the prompt', async () => {
	const before = named(await service.read(paths.agents), 'Hearth');
	const editor = path.join(home.folder, 'editor.sh');
	const seen = path.join(home.folder, 'seen.txt');
	await writeFile(editor, `#!/bin/sh\ncp "$1" '${seen}'\nprintf 'New.\\n\\nSecond paragraph.\\n' > "$1"\n`);
	await chmod(editor, 0o755);
	const {exitCode, stdout} = await run(['agents', 'edit', 'hearth'], {EDITOR: editor});
	assert.equal(exitCode, 0, stdout);
	assert.equal(await readFile(seen, 'utf8'), before['description']);
	assert.deepEqual(named(await service.read(paths.agents), 'Hearth'), {...before, description: 'New.\n\nSecond paragraph.\n'});
});

test('openhome validate finds nothing wrong with the sources of the sample home', async () => {
	const pantry = named(await service.read(paths.abilities), 'pantry');
	const folder = await writeAbility('pantry', Object.fromEntries(await sourceOf(pantry['id'])));
	const {json, exitCode} = await run(['validate', folder, '--json']);
	assert.deepEqual([json['errors'], json['warnings']], [[], []]);
	assert.equal(exitCode, 0);
});

/** Runs a command that goes on, and hands over what it prints and its input. */
function start(...words: readonly string[]) {
	const child = spawn(process.execPath, [program, ...words], {
		env: environmentOf(),
		cwd: home.folder,
		stdio: ['pipe', 'pipe', 'ignore'],
		timeout: 60_000,
	});
	let printed = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		printed += text;
	});
	return {
		child,
		waitFor: async (text: string) => waitUntil(() => printed.includes(text)),
		async [Symbol.asyncDispose]() {
			if (child.exitCode !== null || child.signalCode !== null) {
				return;
			}

			child.kill('SIGKILL');
			await once(child, 'exit');
		},
	};
}

test('openhome trigger prints what the phrase would start', async () => {
	const {id} = named(await service.read(paths.agents), 'Hearth');
	const {json, exitCode} = await run(['trigger', 'good morning', '--agent', String(id), '--json']);
	assert.equal(exitCode, 0);
	assert.equal(json['response'], 'This would start morninglights (skill). Abilities are not run here.');
});

test('openhome chat is greeted and answered, and openhome logs shows the same and the log lines', async () => {
	const {id} = named(await service.read(paths.agents), 'Hearth');
	await using logs = start('logs', '--agent', String(id));
	await using calls = start('logs', '--call-logs', '--agent', String(id));
	await logs.waitFor('This is Hearth.');
	await calls.waitFor('Connected to call logs');
	await using chat = start('chat', String(id));
	await chat.waitFor('This is Hearth.');
	chat.child.stdin.write('good morning\n');
	const answer = 'This would start morninglights (skill). Abilities are not run here.';
	await chat.waitFor(answer);
	await logs.waitFor('would start morninglights.');
	await logs.waitFor(answer);
	await calls.waitFor(answer);
	chat.child.stdin.write('/quit\n');
	await chat.waitFor('Disconnected');
});
