import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {keyBytes} from '../../helpers/key-bytes.ts';
import {jsonAnswer} from '../../helpers/answers.ts';
import {isRecord} from '../../helpers/live-like/home.ts';
import {type LiveLikeService} from '../../helpers/live-like-service.ts';
import {dated} from '../helpers/abilities.ts';
import {startSampleService} from '../helpers/agents.ts';
import {
	isToggle,
	startDocumentedHome,
	startHome,
	togglesOf,
} from '../helpers/homes.ts';
import {includes, says} from '../helpers/shown.ts';
import {openApp, openHome} from '../helpers/open-home.ts';
import {small, wide} from '../helpers/sizes.ts';

const storedRecord = ({installed}: LiveLikeService, id: number): Record<string, unknown> =>
	installed.filter(entry => isRecord(entry)).find(entry => entry['id'] === id)!;

const lampsBody = {
	enabled: true, name: 'lamps', category: 'skill', system_capability: false, agent_capability: true,
};

test('t edits the trigger phrases, and the rest of the record is sent along as it was', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	app.press('t');
	assert.deepEqual(dated(await app.waitForFrame(includes('Trigger phrases of lamps'))), [
		' Trigger phrases of lamps                                           environment',
		'',
		' > Phrases  lamps please, it is dark',
		'   · lamps please',
		'   · it is dark',
		'',
		' enter save  esc back  ctrl+u clear',
	]);
	app.press(...', light it up', 'enter');
	await app.waitForFrame(says('The trigger phrases of lamps are saved: lamps please, it is dark, light it up.'));
	const phrases = ['lamps please', 'it is dark', 'light it up'];
	assert.deepEqual(togglesOf(service), [{id: 301, body: {...lampsBody, trigger_words: phrases}}]);
	assert.deepEqual(storedRecord(service, 301)['trigger_words'], phrases);
	app.press('space');
	await app.waitForFrame(includes('> off  lamps'));
	assert.deepEqual(togglesOf(service)[1], {id: 301, body: {...lampsBody, enabled: false, trigger_words: phrases}});
});

test('each rule is said as it is typed, and Enter saves nothing that breaks one', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: small, until: '> on   lamps'});
	app.press('t', ...', ab', 'enter');
	assert.deepEqual(await app.waitForFrame(says('“ab” must have at least four letters.')), [
		' Trigger phrases of lamps   environment',
		' > Phrases  mps please, it is dark, ab',
		'            ! “ab” must have at least',
		'            four letters.',
		'   · lamps please',
		'   · it is dark',
		'   · ab',
		'',
		'',
		' enter save  esc back  ctrl+u clear',
	]);
	app.press('c', 'd', 'enter');
	await app.waitForFrame(says('are saved'));
	assert.equal(togglesOf(service).length, 1);
});

test('what the service refuses stands at the field, and what was typed is still in it', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({...jsonAnswer({detail: 'One phrase is taken'}, 400), when: isToggle});
	const app = await openApp(t, {service, size: wide, until: '> on   lamps'});
	app.press('t', ...', light it up', 'enter');
	assert.deepEqual(dated(await app.waitForFrame(says('One phrase is taken.'))).slice(2, 5), [
		' > Phrases  lamps please, it is dark, light it up',
		'            ! The service refused the request: One phrase is taken. Correct',
		'            what was sent, then try again.',
	]);
	app.press('enter');
	await app.waitForFrame(says('are saved'));
	assert.deepEqual(storedRecord(service, 301)['trigger_words'], ['lamps please', 'it is dark', 'light it up']);
});

test('Escape leaves the phrases as they were; Enter on unchanged ones sends nothing', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	app.press('t', 'x', 'escape');
	await app.waitForFrame(includes('[3 Installed]'));
	app.press('t', 'enter');
	await app.waitForFrame(says('The trigger phrases of lamps stay as they are.'));
	assert.deepEqual(togglesOf(service), []);
});

test('a switch under way is answered before the phrases are sent', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	const release = service.hold({when: isToggle});
	app.press('space', 't', ...', light it up', 'enter');
	await app.waitForFrame(includes('saving…'));
	await app.waitUntil(() => service.heldCount() === 1);
	release();
	await app.waitForFrame(says('are saved'));
	assert.deepEqual(togglesOf(service).map(({body}) => body), [
		{...lampsBody, enabled: false, trigger_words: ['lamps please', 'it is dark']},
		{...lampsBody, enabled: false, trigger_words: ['lamps please', 'it is dark', 'light it up']},
	]);
});

test('where the answer is lost the list tells whether the phrases were saved', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({cut: 'connection', isCarriedOut: true, when: isToggle});
	const app = await openApp(t, {service, size: wide, until: '> on   lamps'});
	app.press('t', ...', light it up', 'enter');
	await app.waitForFrame(says('are saved'));
	assert.equal(togglesOf(service).length, 1);
});

test('where the list cannot tell either, it is said that the outcome is not known', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	const isList = ({path}: {readonly path: string}): boolean => path.endsWith('/get-installed-capabilities/');
	const release = service.hold({when: isToggle});
	app.press('t', ...', light it up', 'enter');
	await app.waitUntil(() => service.heldCount() === 1);
	service.failNext({cut: 'connection', isCarriedOut: true, when: isToggle});
	service.failNext({...jsonAnswer({detail: 'out of order'}, 501), when: isList, times: 10});
	release();
	const lines = await app.waitForFrame(says('It is not known whether they are saved: http://127.0.0.1:00000 could not be reached: connection lost.'));
	assert.ok(includes(' > Phrases  lamps please, it is dark, light it up')(lines));
	assert.equal(togglesOf(service).length, 1);
});

test('phrases that somebody else has changed meanwhile are replaced only when that was said', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	storedRecord(service, 301)['trigger_words'] = ['light it down'];
	app.press('t', ...', light it up', 'enter');
	assert.deepEqual(dated(await app.waitForFrame(includes('meanwhile'))).slice(2, 9), [
		' > Phrases  lamps please, it is dark, light it up',
		'            ! The trigger phrases of lamps were changed on the service',
		'            meanwhile: they are now light it down. Enter replaces them all the',
		'            same.',
		'   · lamps please',
		'   · it is dark',
		'   · light it up',
	]);
	assert.deepEqual(togglesOf(service), []);
	app.press('enter');
	await app.waitForFrame(says('are saved'));
	assert.deepEqual(togglesOf(service), [{id: 301, body: {...lampsBody, trigger_words: ['lamps please', 'it is dark', 'light it up']}}]);
});

test('what somebody else has changed beside the phrases is not written over', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	Object.assign(storedRecord(service, 301), {category: 'brain_skill', enabled: false});
	app.press('t', ...', light it up', 'enter');
	await app.waitForFrame(says('are saved'));
	assert.deepEqual(togglesOf(service), [{
		id: 301,
		body: {
			...lampsBody, enabled: false, category: 'brain_skill', trigger_words: ['lamps please', 'it is dark', 'light it up'],
		},
	}]);
});

test('on the bundled service the phrases are stored', async (t: TestContext) => {
	const service = await startSampleService(t);
	const app = await openApp(t, {service, size: wide, until: '> '});
	app.press('t', 'ctrl+u', ...'wake the whole house', 'enter');
	await app.waitForFrame(says('are saved: wake the whole house.'));
	const response = await fetch(`${service.baseAddress}/api/capabilities/get-installed-capabilities/`, {headers: {'x-api-key': service.apiKey}});
	const [first] = await response.json() as ReadonlyArray<Readonly<Record<string, unknown>>>;
	assert.deepEqual(first!['trigger_words'], ['wake the whole house']);
});

test('where the service shows no phrases it is said why they cannot be edited', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service, size: wide, until: '#101'});
	app.press('t');
	await app.waitForFrame(says('This service does not show the trigger phrases of #101: what is there cannot be edited unseen.'));
	assert.deepEqual(togglesOf(service), []);
});

test('a read-only run does not open the phrases', async (t: TestContext) => {
	const {app} = await openHome(t, {size: wide, isReadOnly: true, until: '> on   lamps'});
	app.press('t');
	assert.ok(includes('[3 Installed]')(await app.waitForFrame(says('This run is read-only'))));
});

test('a skill is left without a trigger phrase only after a yes, and u brings the phrases back', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	app.press('t', 'ctrl+u', 'enter');
	await app.waitForFrame(says('Save lamps without a trigger phrase?'));
	assert.ok(says('A skill runs on a trigger phrase: without one, nothing that is said starts it.')(app.lines()));
	assert.ok(includes('y save it without')(app.lines()));
	app.press('enter');
	await app.waitForFrame(lines => includes('Trigger phrases of lamps')(lines) && includes('> Phrases  commas between them')(lines));
	assert.deepEqual(togglesOf(service), [], 'Enter is no yes');
	app.press('enter', 'y');
	await app.waitForFrame(says('lamps has no trigger phrases now.'));
	assert.deepEqual(storedRecord(service, 301)['trigger_words'], []);
	app.press('u');
	await app.waitForFrame(says('lamps has its former trigger phrases again: lamps please, it is dark.'));
	assert.deepEqual(togglesOf(service).map(({body}) => body), [
		{...lampsBody, trigger_words: []}, {...lampsBody, trigger_words: ['lamps please', 'it is dark']},
	]);
	assert.deepEqual(storedRecord(service, 301)['trigger_words'], ['lamps please', 'it is dark']);
});

test('what is refused after the yes stands at the field, which is as empty as it was left', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({...jsonAnswer({detail: 'Not now'}, 400), when: isToggle});
	const app = await openApp(t, {service, size: wide, until: '> on   lamps'});
	app.write(keyBytes('t', 'ctrl+u', 'enter', 'y'));
	await app.waitForFrame(says('Not now.'));
	assert.ok(includes('> Phrases  commas between them')(app.lines()), app.lines().join('\n'));
	app.press('escape', 't');
	await app.waitForFrame(includes(' > Phrases  lamps please, it is dark'));
	assert.deepEqual(storedRecord(service, 301)['trigger_words'], ['lamps please', 'it is dark']);
});

test('an ability that needs no phrase may lose all of them without a question', async (t: TestContext) => {
	const service = await startHome(t);
	storedRecord(service, 303)['trigger_words'] = ['watch over us'];
	const app = await openApp(t, {service, size: wide, until: '> on   lamps'});
	app.press('G', 't');
	await app.waitForFrame(includes('Trigger phrases of nightwatch'));
	app.press('ctrl+u', 'enter');
	await app.waitForFrame(says('nightwatch has no trigger phrases now.'));
	assert.deepEqual(storedRecord(service, 303)['trigger_words'], []);
});

test('phrases whose answer is lost and that the list does not show may still arrive', async (t: TestContext) => {
	const service = await startHome(t);
	service.failNext({cut: 'connection', when: isToggle});
	const app = await openApp(t, {service, size: wide, until: '> on   lamps'});
	app.press('t', ...', light it up', 'enter');
	await app.waitForFrame(says('It is not known whether they are saved: http://127.0.0.1:00000 could not be reached: connection lost. The list does not show them, but the change may still arrive.'));
	app.press('escape', 'u');
	await app.waitForFrame(says('It is not known whether the trigger phrases of lamps were saved, so that cannot be undone.'));
	assert.deepEqual(storedRecord(service, 301)['trigger_words'], ['lamps please', 'it is dark']);
});
