import {assert, Buffer, createServer, type IncomingMessage, randomBytes, test, type TestContext} from '../../helpers/node.ts';
import {abilityFolder, lamps} from '../../bundle/ability-folder.ts';
import {findRecord} from '../../helpers/live-like/home.ts';
import type {RecordedRequest} from '../../helpers/recorded-requests.ts';
import {listen} from '../../helpers/listen.ts';
import {renderApp, type RenderedApp} from '../../helpers/render-app.tsx';
import {formTexts, readForm} from '../../helpers/request-bodies.ts';
import {asked, isRelease, isUpload} from '../helpers/abilities.ts';
import {startSampleService} from '../helpers/agents.ts';
import {startDocumentedHome, startHome} from '../helpers/homes.ts';
import {cursorLine, includes, jsonAnswer, type LiveLikeService, openApp, says, small, wide} from '../helpers/kit.ts';

type Place = {readonly baseAddress: string; readonly apiKey: string};

const beacon = {...lamps, 'config.json': '{"unique_name": "beacon", "matching_hotwords": ["light it up"]}'};

type FormOptions = {readonly files?: Readonly<Record<string, string | Uint8Array>>; readonly size?: typeof wide};

/** The upload form with a folder in it that is ready to be uploaded. */
async function openFilledForm(t: TestContext, service: Place, {files = beacon, size = wide}: FormOptions = {}): Promise<RenderedApp> {
	const folder = await abilityFolder(files);
	const app = await openApp(t, {service, screen: 'abilities', size});
	await app.press('U').shows('> Path');
	await app.paste(folder).shows('files, ', '   Name      beacon');
	return app;
}

async function openFilledHome(t: TestContext, options?: FormOptions) {
	const service = await startHome(t);
	return {service, app: await openFilledForm(t, service, options)};
}

const formOf = async (requests: readonly RecordedRequest[]): Promise<Readonly<Record<string, readonly string[]>>> =>
	formTexts((await readForm(requests.find(request => isUpload(request))!))!);

test('an uploaded ability is in the list with the cursor on it, and the message has its id', async (t: TestContext) => {
	const {service, app} = await openFilledHome(t);
	const lines = await app
		.press('down', 'down', ...'It lights up', 'down', 'right', 'ctrl+s')
		.shows(says('beacon is uploaded (id 25), not installed: i installs it.'), ' > –    beacon');
	assert.match(cursorLine(lines)!, /^ > – {4}beacon +brain +light it up +now$/);
	assert.deepEqual(await formOf(service.requests), {
		name: ['beacon'],
		description: ['It lights up'],
		category: ['brain_skill'],
		trigger_words: ['light it up'],
	});
	assert.deepEqual(
		service.sources
			.get(25)!
			.map(({path}) => path)
			.toSorted(),
		['__init__.py', 'config.json', 'main.py', 'sounds/bell.txt'],
	);
	assert.equal((await app.press('M').shows(' Messages')).filter(line => line.includes('beacon')).length, 1, 'it is told once');
	await app.press('escape').shows('[2 Abilities]');
	await app.press('U').shows(frame => includes('> Path')(frame) && !includes('beacon')(frame));
});

test('the cursor goes to an uploaded ability even if the list was not read before', async (t: TestContext) => {
	const service = await startHome(t);
	const release = service.hold({when: ({method}) => method === 'GET'});
	t.after(release);
	const folder = await abilityFolder(beacon);
	const app = await renderApp(t, {service, screen: 'abilities', size: wide});
	await app.press('U').shows('> Path');
	await app.paste(folder).shows('   Name      beacon');
	await app.press('ctrl+s').says('beacon is uploaded. Refreshing the lists…');
	release();
	await app.shows(' > –    beacon', says('beacon is uploaded (id 25)'));
});

test('an ability uploaded for an agent is installed into that agent', async (t: TestContext) => {
	const {service, app} = await openFilledHome(t);
	await app.shows('   Agent     none');
	await app.press('up', 'right', 'ctrl+s').shows(' > on   beacon', says('beacon is uploaded (id 25), installed and on.'));
	assert.deepEqual((await formOf(service.requests))['personality_id'], ['1']);
	assert.deepEqual(service.ties.get(1), [21, 22, 25]);
});

test('of an ability that the bundled service has, a new version is released after a question', async (t: TestContext) => {
	const service = await startSampleService(t);
	const app = await openFilledForm(t, service);
	await app.press('ctrl+s').says('installed and on.');
	const again = await openFilledForm(t, service, {files: {...beacon, 'main.py': 'print("new")\n'}});
	const offered = await again
		.press('ctrl+s')
		.says('There is already an ability “beacon”. Ctrl+S releases these files as its new version; or choose another name.');
	assert.ok(includes(' > Name      beacon')(offered));
	assert.equal(offered.at(-1), ' enter next  ctrl+s new version  esc back  up/down move  ctrl+u clear');
	assert.ok(!says('elete it first')(offered));
	// Another name is another ability.
	await again.press('2').shows('ctrl+s upload');
	await again
		.press('backspace', 'ctrl+s')
		.says('There is already an ability “beacon”. Ctrl+S releases these files as its new version; or choose another name.');
	await again.press('ctrl+s').says('Release these files as a new version of beacon?');
	await again.press('n').shows('ctrl+s new version');
	await again.press('ctrl+s', 'y').shows(says('Released version 2 of beacon: main.py.'), ' > on   beacon');
	assert.doesNotMatch(again.lines().at(-1)!, /u undo/, 'undo is offered only where it undoes something');
	await again.press('u').says('Cannot undo: a new version of beacon was released.');
});

/** The form with a folder of pantry, which the service has and has refused under that name. */
async function openRefusedForm(t: TestContext, service: LiveLikeService, main = 'print("new")\n'): Promise<RenderedApp> {
	service.failNext({...jsonAnswer({detail: 'This name is taken'}, 409), when: isUpload});
	const app = await openFilledForm(t, service, {
		files: {'__init__.py': '', 'main.py': main, 'config.json': '{"unique_name": "beacon", "matching_hotwords": ["light it up"]}'},
	});
	await app
		.press('enter', 'ctrl+u', ...'pantry', 'ctrl+s')
		.says('There is already an ability “pantry”. Ctrl+S releases these files as its new version; or choose another name.');
	app.press('ctrl+s', 'y');
	return app;
}

test('a new version replaces the files alone, and one whose answer is lost counts if the service has it', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({cut: 'connection', isCarriedOut: true, when: isRelease});
	const withoutVersions = () => service.abilities.map(ability => ({...(ability as object), capability_versions: undefined}));
	const before = structuredClone([withoutVersions(), service.installed]);
	const app = await openRefusedForm(t, service);
	await app.shows(says('Released version 1.0.1 of pantry: config.json, main.py.'), ' > on   pantry');
	assert.deepEqual(
		service.sources
			.get(22)!
			.map(({path}) => path)
			.toSorted(),
		['__init__.py', 'config.json', 'main.py'],
	);
	assert.deepEqual([withoutVersions(), service.installed], before);
	const [released, ...others] = service.requests.filter(request => isRelease(request));
	assert.deepEqual(others, []);
	assert.deepEqual(formTexts((await readForm(released!))!), {committed: ['true'], commit_message: ['Update config.json, main.py']});
});

test('a new version that is lost, or cancelled, is not known to have arrived', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({cut: 'connection', when: isRelease});
	const lost = await openRefusedForm(t, service);
	await lost.says('pantry does not have the new code yet: it was sent and may still arrive.');
	const release = service.hold({when: request => request.path.includes('/template-file/')});
	t.after(release);
	const cancelled = await openRefusedForm(t, service);
	await cancelled.until(() => service.heldCount() === 1);
	await cancelled.press('escape').shows(says('Release cancelled. The form is unchanged.'), ' > Name      pantry');
	assert.equal(service.requests.filter(request => isRelease(request)).length, 1);
});

test('files that the ability has already, or an ability that is not installed, get no new version', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openRefusedForm(t, service);
	await app.says('Released version');
	const again = await openRefusedForm(t, service);
	await again.says('pantry has these files already, so there is nothing to release.');
	service.installed = [];
	const pantry = service.abilities[1] as {capability_versions?: unknown};
	const {capability_versions: versions} = pantry;
	delete pantry.capability_versions;
	const absent = await openRefusedForm(t, service, 'print("newest")\n');
	await absent.says('pantry is not installed, so the service does not show the release that new code would replace. Install it first.');
	// A draft is somebody's work.
	pantry.capability_versions = [
		...(versions as readonly unknown[]),
		{id: 99_022, version: '1.1.0', is_user_enabled: false, is_committed: false},
	];
	const replacing = await openRefusedForm(t, service, 'print("newest")\n');
	await replacing.says('pantry has a draft, version 1.1.0, which this would replace. To replace it: switchboard abilities push');
	assert.equal(service.requests.filter(request => isRelease(request)).length, 1);
});

test('an upload works with a service that lists only ids', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openFilledForm(t, service);
	await app.press('ctrl+s').shows(says('beacon is uploaded'), '#14');
	assert.equal(service.abilities.length, 4);
});

test('a refusal is shown at its field, and disappears when the field is edited', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({...jsonAnswer({detail: [{loc: ['body', 'trigger_words'], msg: 'This phrase is spoken for'}]}, 400), when: isUpload});
	const app = await openFilledForm(t, service, {size: small});
	assert.deepEqual((await app.press('ctrl+s').shows('> Phrases')).slice(2), [
		'   About     (what it does)',
		'   Category  skill  runs on a trigger p…',
		' > Phrases   light it up',
		'             ! The service refused the',
		'             request: This phrase is',
		'             spoken for. Correct what',
		'             was sent, then try again.',
		' enter next  ctrl+s upload  esc back',
	]);
	await app.press('!').shows(lines => !includes('spoken for')(lines) && includes('not “!”')(lines));
	await app.press('backspace', 'ctrl+s').shows('> –    beacon');
	assert.equal(asked(service, isUpload).length, 2);
});

/** A service that reads no more of an upload than it is told to. */
async function startSlowService(t: TestContext): Promise<Place & {readonly uploads: readonly IncomingMessage[]}> {
	const uploads: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		if (request.method === 'POST') {
			uploads.push(request);
			return;
		}

		response.setHeader('content-type', 'application/json');
		response.end('[]');
	});
	// On a busy machine packing takes longer than a connection is kept by default.
	server.keepAliveTimeout = 60_000;
	return {baseAddress: `http://127.0.0.1:${await listen(t, server)}`, apiKey: 'slow-key-0123456789', uploads};
}

test('a bar shows the progress of an upload, and Escape cancels it and keeps the form', async (t: TestContext) => {
	const service = await startSlowService(t);
	const app = await openFilledForm(t, service, {
		files: {
			...lamps,
			'config.json': '{"unique_name": "beacon", "matching_hotwords": ["light it up"]}',
			'noise.bin': randomBytes(15 * 1024 * 1024),
		},
	});
	const lines = await app.press('ctrl+s').shows(/^ Sending \[█+·+\] +\d+ %, of 15 MB$/);
	assert.equal(lines.at(-1), ' esc cancel the upload');
	const after = await app.press('x', 'escape').says('Upload cancelled. The form is unchanged.');
	assert.ok(includes('   Name      beacon')(after));
	const [upload] = service.uploads;
	upload!.on('error', () => undefined).resume();
	await app.until(() => upload!.destroyed);
	assert.equal(upload!.complete, false);
});

test('an upload that arrived before it was cancelled is reported as uploaded', async (t: TestContext) => {
	const {service, app} = await openFilledHome(t);
	const release = service.hold({when: isUpload, isCarriedOutFirst: true});
	t.after(release);
	await app.press('ctrl+s').shows('waiting for the answer…');
	await app.until(() => service.abilities.length === 5);
	await app.press('escape').says('beacon was uploaded before it could be cancelled (id 25), not installed');
	await app.shows(' > –    beacon');
});

test('an upload cancelled after everything was sent is reported as possibly still arriving', async (t: TestContext) => {
	const {service, app} = await openFilledHome(t);
	const release = service.hold({when: isUpload});
	t.after(release);
	await app.press('ctrl+s').shows('waiting for the answer…');
	await app.until(() => service.heldCount() === 1);
	await app.press('escape').says('The upload was cancelled after everything was sent: beacon may still arrive.');
	assert.ok(includes(' > Path')(app.lines()));
});

test('when the answer is lost, the list tells whether the upload arrived', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({cut: 'connection', isCarriedOut: true, when: isUpload});
	service.failNext({cut: 'connection', when: isUpload});
	const app = await openFilledForm(t, service);
	await app.press('ctrl+s').shows(says('beacon is uploaded (id 25), not installed'), ' > –    beacon');
	const again = await openFilledForm(t, service);
	await again.press('ctrl+s').says('It is not in the list of abilities, but it may still arrive.');
	assert.equal(asked(service, isUpload).length, 2);
});

test('an image is uploaded with the ability, and q waits for the answer', async (t: TestContext) => {
	const service = await startHome(t);
	const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
	const images = await abilityFolder({'face.png': png}, 'images');
	const app = await openFilledForm(t, service);
	await app.press('up', 'up').shows(' > Image');
	app.paste(`${images}/`);
	await app.press('tab').shows('face.png');
	const release = service.hold({when: isUpload});
	await app.press('ctrl+s').shows('waiting for the answer…');
	await app.press('ctrl+c').says('Quitting once 1 change finishes');
	release();
	await app.until(() => app.exitCode() === 0);
	assert.deepEqual(app.afterwords(), []);
	assert.equal(findRecord(service.abilities, 25)?.['name'], 'beacon');
	assert.deepEqual(Buffer.from(service.images.get(25)!), png);
});

test('a skill is not uploaded without a trigger phrase', async (t: TestContext) => {
	const {service, app} = await openFilledHome(t, {files: {...lamps, 'config.json': '{"unique_name": "beacon"}'}});
	await app.press('ctrl+s').shows(' > Phrases', 'A skill needs a phrase that starts it.');
	assert.deepEqual(asked(service, isUpload), []);
	await app.press(...'light it up', 'ctrl+s').says('beacon is uploaded (id 25), not installed: i installs it.');
});

/** The folder of an ability that the service has, with the file that says so. */
const tiedTo = (id: number, name: string, address: string) => ({
	...lamps,
	'main.py': 'print("new")\n',
	'config.json': '{"unique_name": "beacon", "matching_hotwords": ["light it up"]}',
	'.openhome.json': JSON.stringify({capability_id: String(id), name, base_address: address}),
});

test('a folder that belongs to an ability is released with its path and Ctrl+S', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openApp(t, {service, screen: 'abilities', size: wide, until: 'pantry'});
	await app.press('U').shows('> Path');
	// The keys come together, before the folder was read.
	app.paste(await abilityFolder(tiedTo(22, 'pantry', service.baseAddress)));
	await app.press('ctrl+s').shows(says('Released version 1.0.1 of pantry: '), ' > on   pantry');
	assert.deepEqual(asked(service, isUpload), []);
	assert.equal(asked(service, isRelease).length, 1);
});

test('a folder that belongs to an ability fills the form, and asks before a release leaves out what was typed', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openApp(t, {service, screen: 'abilities', size: wide, until: 'pantry'});
	await app.press('U').shows('> Path');
	app.paste(await abilityFolder(tiedTo(22, 'pantry', service.baseAddress)));
	await app.shows('; belongs to pantry', '   Name      pantry', 'ctrl+s new version');
	await app.press('down', 'down', ...'It is new', 'ctrl+s').says('Release these files as a new version of pantry?');
	await app.press('n').shows('ctrl+s new version');
	assert.deepEqual(asked(service, isRelease), []);
	await app.press('up', 'x').shows('   About     It is new', 'ctrl+s upload');
});

test('a folder whose ability has another name by now, or is of another service, is for a new one', async (t: TestContext) => {
	const service = await startHome(t);
	for (const files of [tiedTo(22, 'larder', service.baseAddress), tiedTo(22, 'pantry', 'https://other.example')]) {
		const app = await openApp(t, {service, screen: 'abilities', size: wide, until: 'pantry'});
		await app.press('U').shows('> Path');
		await app.paste(await abilityFolder(files)).shows('   Name      beacon', 'ctrl+s upload');
	}
});

test('an upload of nearly the name of an ability asks first', async (t: TestContext) => {
	const service = await startHome(t);
	const folder = await abilityFolder({...lamps, 'config.json': '{"unique_name": "Pan-Try", "matching_hotwords": ["light it up"]}'});
	const app = await openApp(t, {service, screen: 'abilities', size: wide});
	await app.press('U').shows('> Path');
	await app.paste(folder).shows('   Name      Pan-Try');
	const asking = await app.press('ctrl+s').says('Create Pan-Try as well?');
	assert.ok(asking.join('\n').includes('There is an ability of nearly that name: 22 (pantry).'), asking.join('\n'));
	await app.press('n').shows(' > Path');
	assert.deepEqual(asked(service, isUpload), []);
	await app.press('ctrl+s').says('Create Pan-Try as well?');
	await app.press('y').says('Pan-Try is uploaded (id 25)');
});

test('where the service does not send the source of an ability, the form names another way', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({status: 404, times: 5, when: ({path}) => path.includes('/template-file/')});
	const app = await openRefusedForm(t, service);
	assert.ok(
		includes(' > Name      pantry')(
			await app.says('The service does not send the source of pantry (HTTP 404). Replace it in the dashboard.'),
		),
	);
});
