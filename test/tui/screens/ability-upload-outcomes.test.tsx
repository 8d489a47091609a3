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
const openFilledForm = async (t: TestContext, service: Place, {files = beacon, size = wide}: FormOptions = {}): Promise<RenderedApp> => {
	const folder = await abilityFolder(files);
	const app = await openApp(t, {service, screen: 'abilities', size});
	app.press('U');
	await app.waitForFrame(includes('> Path'));
	app.paste(folder);
	await app.waitForFrame(frame => includes('files, ')(frame) && includes('   Name      beacon')(frame));
	return app;
};

const formOf = async (requests: readonly RecordedRequest[]): Promise<Readonly<Record<string, readonly string[]>>> =>
	formTexts((await readForm(requests.find(request => isUpload(request))!))!);

test('an uploaded ability is in the list with the cursor on it, and the message has its id', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openFilledForm(t, service);
	app.press('down', 'down', ...'It lights up', 'down', 'right', 'ctrl+s');
	const lines = await app.waitForFrame(
		frame => says('beacon is uploaded (id 25), not installed: i installs it.')(frame) && includes(' > –    beacon')(frame),
	);
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
	app.press('M');
	assert.equal((await app.waitForFrame(includes(' Messages'))).filter(line => line.includes('beacon')).length, 1, 'it is told once');
	app.press('escape');
	await app.waitForFrame(includes('[2 Abilities]'));
	app.press('U');
	await app.waitForFrame(frame => includes('> Path')(frame) && !includes('beacon')(frame));
});

test('the cursor goes to an uploaded ability even if the list was not read before', async (t: TestContext) => {
	const service = await startHome(t);
	const release = service.hold({when: ({method}) => method === 'GET'});
	t.after(release);
	const folder = await abilityFolder(beacon);
	const app = await renderApp(t, {service, screen: 'abilities', size: wide});
	app.press('U');
	await app.waitForFrame(includes('> Path'));
	app.paste(folder);
	await app.waitForFrame(includes('   Name      beacon'));
	app.press('ctrl+s');
	await app.waitForFrame(says('beacon is uploaded. Refreshing the lists…'));
	release();
	await app.waitForFrame(frame => includes(' > –    beacon')(frame) && says('beacon is uploaded (id 25)')(frame));
});

test('an ability uploaded for an agent is installed into that agent', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openFilledForm(t, service);
	await app.waitForFrame(includes('   Agent     none'));
	app.press('up', 'up', 'right', 'ctrl+s');
	await app.waitForFrame(lines => includes(' > on   beacon')(lines) && says('beacon is uploaded (id 25), installed and on.')(lines));
	assert.deepEqual((await formOf(service.requests))['personality_id'], ['1']);
	assert.deepEqual(service.ties.get(1), [21, 22, 25]);
});

test('of an ability that the bundled service has, a new version is released after a question', async (t: TestContext) => {
	const service = await startSampleService(t);
	const app = await openFilledForm(t, service);
	app.press('ctrl+s');
	await app.waitForFrame(says('installed and on.'));
	const again = await openFilledForm(t, service, {files: {...beacon, 'main.py': 'print("new")\n'}});
	again.press('ctrl+s');
	const offered = await again.waitForFrame(says('ctrl+s releases these files as a new version of it.'));
	assert.ok(includes(' > Name      beacon')(offered));
	assert.equal(offered.at(-1), ' enter next  ctrl+s new version  esc back  up/down move  ctrl+r clear');
	assert.ok(!says('elete it first')(offered));
	// Another name is another ability.
	again.press('2');
	await again.waitForFrame(includes('ctrl+s upload'));
	again.press('backspace', 'ctrl+s');
	await again.waitForFrame(says('ctrl+s releases these files as a new version of it.'));
	again.press('ctrl+s');
	await again.waitForFrame(says('Release these files as a new version of beacon?'));
	again.press('n');
	await again.waitForFrame(includes('   [ New version ]'));
	again.press('ctrl+s', 'y');
	await again.waitForFrame(lines => says('Released version 2 of beacon: main.py.')(lines) && includes(' > on   beacon')(lines));
	again.press('u');
	await again.waitForFrame(says('Cannot undo: a new version of beacon was released.'));
});

/** The form with a folder of pantry, which the service has and has refused under that name. */
const openRefusedForm = async (t: TestContext, service: LiveLikeService, main = 'print("new")\n'): Promise<RenderedApp> => {
	service.failNext({...jsonAnswer({detail: 'This name is taken'}, 409), when: isUpload});
	const app = await openFilledForm(t, service, {
		files: {'__init__.py': '', 'main.py': main, 'config.json': '{"unique_name": "beacon", "matching_hotwords": ["light it up"]}'},
	});
	app.press('enter', 'ctrl+u', ...'pantry', 'ctrl+s');
	await app.waitForFrame(says('This name is taken. ctrl+s releases these files as a new version of it.'));
	app.press('ctrl+s', 'y');
	return app;
};

test('a new version replaces the files alone, and one whose answer is lost counts if the service has it', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({cut: 'connection', isCarriedOut: true, when: isRelease});
	const before = structuredClone([service.abilities, service.installed]);
	const app = await openRefusedForm(t, service);
	await app.waitForFrame(
		lines => says('Released version 1.0.0 of pantry: config.json, main.py.')(lines) && includes(' > on   pantry')(lines),
	);
	assert.deepEqual(
		service.sources
			.get(22)!
			.map(({path}) => path)
			.toSorted(),
		['__init__.py', 'config.json', 'main.py'],
	);
	assert.deepEqual([service.abilities, service.installed], before);
	const [released, ...others] = service.requests.filter(request => isRelease(request));
	assert.deepEqual(others, []);
	assert.deepEqual(formTexts((await readForm(released!))!), {committed: ['true'], commit_message: ['Update config.json, main.py']});
});

test('a new version that is lost, or cancelled, is not known to have arrived', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({cut: 'connection', when: isRelease});
	const lost = await openRefusedForm(t, service);
	await lost.waitForFrame(says('pantry does not have the new code yet: it was sent and may still arrive.'));
	const release = service.hold({when: request => request.path.includes('/template-file/')});
	t.after(release);
	const cancelled = await openRefusedForm(t, service);
	await cancelled.waitUntil(() => service.heldCount() === 1);
	cancelled.press('escape');
	await cancelled.waitForFrame(lines => says('Release cancelled. The form is unchanged.')(lines) && includes(' > Name      pantry')(lines));
	assert.equal(service.requests.filter(request => isRelease(request)).length, 1);
});

test('files that the ability has already, or an ability that is not installed, get no new version', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openRefusedForm(t, service);
	await app.waitForFrame(says('Released version'));
	const again = await openRefusedForm(t, service);
	await again.waitForFrame(says('pantry has these files already, so there is nothing to release.'));
	service.installed = [];
	const absent = await openRefusedForm(t, service, 'print("newest")\n');
	await absent.waitForFrame(
		says('pantry is not installed, so the service does not show the release that new code would replace. Install it first.'),
	);
	assert.equal(service.requests.filter(request => isRelease(request)).length, 1);
});

test('an upload works with a service that lists only ids', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openFilledForm(t, service);
	app.press('ctrl+s');
	await app.waitForFrame(lines => says('beacon is uploaded')(lines) && includes('#14')(lines));
	assert.equal(service.abilities.length, 4);
});

test('a refusal is shown at its field, and disappears when the field is edited', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({...jsonAnswer({detail: [{loc: ['body', 'trigger_words'], msg: 'This phrase is spoken for'}]}, 400), when: isUpload});
	const app = await openFilledForm(t, service, {size: small});
	app.press('ctrl+s');
	assert.deepEqual((await app.waitForFrame(includes('> Phrases'))).slice(2), [
		'   About     (what it does)',
		'   Category  skill  runs on a trigger p…',
		' > Phrases   light it up',
		'             ! The service refused the',
		'             request: This phrase is',
		'             spoken for. Correct what',
		'             was sent, then try again.',
		' enter next  ctrl+s upload  esc back',
	]);
	app.press('!');
	await app.waitForFrame(lines => !includes('spoken for')(lines) && includes('not “!”')(lines));
	app.press('backspace', 'ctrl+s');
	await app.waitForFrame(includes('> –    beacon'));
	assert.equal(asked(service, isUpload).length, 2);
});

/** A service that reads no more of an upload than it is told to. */
const startSlowService = async (t: TestContext): Promise<Place & {readonly uploads: readonly IncomingMessage[]}> => {
	const uploads: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		if (request.method === 'POST') {
			uploads.push(request);
			return;
		}

		response.setHeader('content-type', 'application/json');
		response.end('[]');
	});
	return {baseAddress: `http://127.0.0.1:${await listen(t, server)}`, apiKey: 'slow-key-0123456789', uploads};
};

test('a bar shows the progress of an upload, and Escape cancels it and keeps the form', async (t: TestContext) => {
	const service = await startSlowService(t);
	const app = await openFilledForm(t, service, {
		files: {
			...lamps,
			'config.json': '{"unique_name": "beacon", "matching_hotwords": ["light it up"]}',
			'noise.bin': randomBytes(15 * 1024 * 1024),
		},
	});
	app.press('ctrl+s');
	const lines = await app.waitForFrame(frame => frame.some(line => /^ Sending \[█+·+\] +\d+ %, of 15 MB$/.test(line)));
	assert.equal(lines.at(-1), ' esc cancel the upload');
	app.press('x', 'escape');
	const after = await app.waitForFrame(says('Upload cancelled. The form is unchanged.'));
	assert.ok(includes(' > [ Upload ]')(after));
	assert.ok(includes('   Name      beacon')(after));
	const [upload] = service.uploads;
	upload!.on('error', () => undefined).resume();
	await app.waitUntil(() => upload!.destroyed);
	assert.equal(upload!.complete, false);
});

test('an upload that arrived before it was cancelled is reported as uploaded', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openFilledForm(t, service);
	const release = service.hold({when: isUpload, isCarriedOutFirst: true});
	t.after(release);
	app.press('ctrl+s');
	await app.waitForFrame(includes('waiting for the answer…'));
	await app.waitUntil(() => service.abilities.length === 5);
	app.press('escape');
	await app.waitForFrame(says('beacon was uploaded before it could be cancelled (id 25), not installed'));
	await app.waitForFrame(includes(' > –    beacon'));
});

test('an upload cancelled after everything was sent is reported as possibly still arriving', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openFilledForm(t, service);
	const release = service.hold({when: isUpload});
	t.after(release);
	app.press('ctrl+s');
	await app.waitForFrame(includes('waiting for the answer…'));
	await app.waitUntil(() => service.heldCount() === 1);
	app.press('escape');
	await app.waitForFrame(says('The upload was cancelled after everything was sent: beacon may still arrive.'));
	assert.ok(includes(' > [ Upload ]')(app.lines()));
});

test('when the answer is lost, the list tells whether the upload arrived', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({cut: 'connection', isCarriedOut: true, when: isUpload});
	service.failNext({cut: 'connection', when: isUpload});
	const app = await openFilledForm(t, service);
	app.press('ctrl+s');
	await app.waitForFrame(lines => says('beacon is uploaded (id 25), not installed')(lines) && includes(' > –    beacon')(lines));
	const again = await openFilledForm(t, service);
	again.press('ctrl+s');
	await again.waitForFrame(says('It is not in the list of abilities, but it may still arrive.'));
	assert.equal(asked(service, isUpload).length, 2);
});

test('an image is uploaded with the ability, and q waits for the answer', async (t: TestContext) => {
	const service = await startHome(t);
	const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
	const images = await abilityFolder({'face.png': png}, 'images');
	const app = await openFilledForm(t, service);
	app.press('up', 'up', 'up');
	await app.waitForFrame(includes(' > Image'));
	app.paste(`${images}/`);
	app.press('tab');
	await app.waitForFrame(includes('face.png'));
	const release = service.hold({when: isUpload});
	app.press('ctrl+s');
	await app.waitForFrame(includes('waiting for the answer…'));
	app.press('ctrl+c');
	await app.waitForFrame(says('Quitting once 1 change finishes'));
	release();
	await app.waitUntil(() => app.exitCode() === 0);
	assert.deepEqual(app.afterwords(), []);
	assert.equal(findRecord(service.abilities, 25)?.['name'], 'beacon');
	assert.deepEqual(Buffer.from(service.images.get(25)!), png);
});

test('uploading a skill without a trigger phrase asks first, and can still be cancelled', async (t: TestContext) => {
	const service = await startHome(t);
	const app = await openFilledForm(t, service, {files: {...lamps, 'config.json': '{"unique_name": "beacon"}'}});
	app.press('ctrl+s');
	await app.waitForFrame(says('Upload beacon without a trigger phrase?'));
	app.press('n');
	await app.waitForFrame(includes('> [ Upload ]'));
	assert.deepEqual(asked(service, isUpload), []);
	const release = service.hold({when: isUpload});
	app.press('enter', 'y');
	await app.waitForFrame(lines => lines.at(-1) === ' esc cancel the upload');
	await app.waitUntil(() => service.heldCount() === 1);
	release();
	await app.waitForFrame(says('beacon is uploaded (id 25), not installed: i installs it.'));
	assert.deepEqual(await formOf(service.requests), {name: ['beacon'], description: [''], category: ['skill'], trigger_words: ['']});
	assert.equal(asked(service, isUpload).length, 1);
});

test('where the service does not send the source of an ability, the form names another way', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({status: 404, times: 5, when: ({path}) => path.includes('/template-file/')});
	const app = await openRefusedForm(t, service);
	assert.ok(
		includes('   Name      pantry')(
			await app.waitForFrame(says('The service does not send the source of pantry (HTTP 404). Upload it under another name.')),
		),
	);
});
