import {assert, test, type TestContext} from '../../helpers/node.ts';
import {dated} from '../helpers/abilities.ts';
import {isToggle, startDocumentedHome, startHome, togglesOf} from '../helpers/homes.ts';
import {includes, isAnswered, isRecord, jsonAnswer, type LiveLikeService, openApp, openHome, says, small, wide} from '../helpers/kit.ts';

const storedRecord = ({installed}: LiveLikeService, id: number): Record<string, unknown> =>
	installed.filter(entry => isRecord(entry)).find(entry => entry['id'] === id)!;

const lampsBody = {enabled: true, name: 'lamps', category: 'skill', system_capability: false, agent_capability: true};

test('t edits the trigger phrases, and the rest of the record is sent unchanged', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	assert.deepEqual(dated(await app.press('t').shows('Trigger phrases of lamps')), [
		' Trigger phrases of lamps                                           environment',
		'',
		' > Phrases  lamps please, it is dark',
		'   · lamps please',
		'   · it is dark',
		'',
		' enter save  esc back  ctrl+u clear',
	]);
	await app.press(...', light it up', 'enter').says('Saved: lamps listens for “lamps please”, “it is dark” and “light it up”.');
	const phrases = ['lamps please', 'it is dark', 'light it up'];
	assert.deepEqual(togglesOf(service), [{id: 301, body: {...lampsBody, trigger_words: phrases}}]);
	assert.deepEqual(storedRecord(service, 301)['trigger_words'], phrases);
	await app.press('space').shows('> off  lamps');
	assert.deepEqual(togglesOf(service)[1], {id: 301, body: {...lampsBody, enabled: false, trigger_words: phrases}});
});

test('phrases are checked as they are typed, and Enter does not save invalid ones', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: small, until: '> on   lamps'});
	assert.deepEqual(await app.press('t', ...', ab', 'enter').says('“ab” must have at least four letters.'), [
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
	await app.press('c', 'd', 'enter').says('Saved');
	assert.equal(togglesOf(service).length, 1);
});

test('Escape saves nothing, and neither does Enter on unchanged phrases', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.press('t', 'x', 'escape').says('Leave without saving?');
	await app.press('n').shows('is darkx', isAnswered);
	await app.press('escape').says('Leave without saving?');
	await app.press('y').shows('[3 Installed]');
	await app.press('t', 'enter').says('No changes: lamps keeps its trigger phrases.');
	assert.deepEqual(togglesOf(service), []);
});

test('the phrases are sent after a switch under way is answered', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	const release = service.hold({when: isToggle});
	await app.press('space', 't', ...', light it up', 'enter').shows('saving…');
	await app.until(() => service.heldCount() === 1);
	release();
	await app.says('Saved');
	assert.deepEqual(
		togglesOf(service).map(({body}) => body),
		[
			{...lampsBody, enabled: false, trigger_words: ['lamps please', 'it is dark']},
			{...lampsBody, enabled: false, trigger_words: ['lamps please', 'it is dark', 'light it up']},
		],
	);
});

test('other fields that somebody else changed are not overwritten with the phrases', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	Object.assign(storedRecord(service, 301), {category: 'brain_skill', enabled: false});
	await app.press('t', ...', light it up', 'enter').says('Saved');
	assert.deepEqual(togglesOf(service), [
		{id: 301, body: {...lampsBody, enabled: false, category: 'brain_skill', trigger_words: ['lamps please', 'it is dark', 'light it up']}},
	]);
});

test('phrases that the service does not show cannot be edited, and t says why', async (t: TestContext) => {
	const service = await startDocumentedHome(t);
	const app = await openApp(t, {service, size: wide, until: '#101'});
	await app.press('t').says("This service doesn't show the trigger phrases of #101, so they cannot be edited.");
	assert.deepEqual(togglesOf(service), []);
});

test('saving a skill without a trigger phrase asks first, and u restores the phrases', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	await app.press('t', 'ctrl+u', 'enter').says('Save lamps without a trigger phrase?');
	assert.ok(says('A skill starts on a trigger phrase. Without one, nothing that is said starts it.')(app.lines()));
	assert.ok(includes('y save without')(app.lines()));
	await app.press('enter').shows('Trigger phrases of lamps', '> Phrases  separated by commas');
	assert.deepEqual(togglesOf(service), [], 'Enter is no yes');
	await app.press('enter', 'y').says('Saved: lamps has no trigger phrases.');
	assert.deepEqual(storedRecord(service, 301)['trigger_words'], []);
	await app.press('u').says('Undone: lamps listens for “lamps please” and “it is dark” again.');
	assert.deepEqual(
		togglesOf(service).map(({body}) => body),
		[
			{...lampsBody, trigger_words: []},
			{...lampsBody, trigger_words: ['lamps please', 'it is dark']},
		],
	);
	assert.deepEqual(storedRecord(service, 301)['trigger_words'], ['lamps please', 'it is dark']);
});

test('an ability that is not a skill is saved without phrases, without a question', async (t: TestContext) => {
	const service = await startHome(t);
	storedRecord(service, 303)['trigger_words'] = ['watch over us'];
	const app = await openApp(t, {service, size: wide, until: '> on   lamps'});
	await app.press('G', 't').shows('Trigger phrases of nightwatch');
	await app.press('ctrl+u', 'enter').says('Saved: nightwatch has no trigger phrases.');
	assert.deepEqual(storedRecord(service, 303)['trigger_words'], []);
});

test('a refusal after the question is shown at the field, which is still empty', async (t: TestContext) => {
	const {service, app} = await openHome(t, {size: wide, until: '> on   lamps'});
	service.failNext({...jsonAnswer({detail: 'Not now'}, 400), when: isToggle});
	await app.press('t', 'ctrl+u', 'enter', 'y').says('Not now.');
	assert.ok(includes('> Phrases  separated by commas')(app.lines()), app.lines().join('\n'));
	await app.press('escape').says('Leave without saving?');
	await app.press('y', 't').shows(' > Phrases  lamps please, it is dark');
	assert.deepEqual(storedRecord(service, 301)['trigger_words'], ['lamps please', 'it is dark']);
});
