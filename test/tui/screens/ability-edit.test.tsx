import {assert, test, type TestContext} from '../../helpers/node.ts';
import {formTexts, readForm} from '../../helpers/request-bodies.ts';
import type {RecordedRequest} from '../../helpers/recorded-requests.ts';
import {dated} from '../helpers/abilities.ts';
import {createHome, isRecord} from '../../helpers/live-like/home.ts';
import {jsonAnswer, type LiveLikeService, openHome, wide} from '../helpers/kit.ts';

type Loose = Record<string, unknown>;

const isEdit = ({path}: RecordedRequest): boolean => path.includes('/edit-capability/');

const storedAbility = ({abilities}: LiveLikeService, id: number): Loose =>
	abilities.filter(entry => isRecord(entry)).find(entry => entry['id'] === id)!;

async function open(t: TestContext, fields: Loose = {}, renamesInstalled = true) {
	const {abilities} = createHome();
	const opened = await openHome(t, {
		size: wide,
		until: '> on   lamps',
		renamesInstalled,
		home: {
			abilities: abilities.map((ability, index) =>
				isRecord(ability) && index === 0 ? {...ability, selected_keys: ['linked-1'], ...fields} : ability,
			),
		},
	});
	const lamps = storedAbility(opened.service, 21);
	await opened.app.press('2').shows('[2 Abilities]');
	await opened.app.shows('> on   lamps');
	return {
		...opened,
		lamps,
		sent: async () =>
			Promise.all(
				opened.service.requests
					.filter(request => isEdit(request))
					.map(async request => Object.values(formTexts((await readForm(request))!)).map(texts => texts.join('|'))),
			),
	};
}

const {length} = 'lamps';

test('e edits an ability, u takes it back, and what stays is sent as it is listed', async (t: TestContext) => {
	const {app, lamps, sent} = await open(t);
	assert.deepEqual(dated(await app.press('e').shows('Edit lamps')), [
		' Edit lamps                                                         environment',
		'',
		' > Name      lamps',
		'   About     What lamps does',
		'   Category  skill  runs on a trigger phrase',
		'   Phrases   lamps please, it is dark',
		'',
		' enter next  ctrl+s save  esc back  up/down move  ctrl+u clear',
	]);
	await app
		.press(...' of mine', 'down', 'down', 'right', 'down', ...', it’s too dark', 'enter')
		.says('Saved: the name and category and trigger phrases of lamps of mine.');
	assert.deepEqual(await sent(), [
		['lamps of mine', 'brain_skill', 'What lamps does', "lamps please,it is dark,it's too dark", '["linked-1"]'],
	]);
	await app.press('u').says('Undone: the ability is called lamps again, and the rest is as it was.');
	assert.deepEqual([lamps['name'], lamps['category'], lamps['trigger_words']], ['lamps', 'skill', ['lamps please', 'it is dark']]);
});

test('a refusal stays in the form, somebody else’s change is said, and what is not shown is asked about', async (t: TestContext) => {
	const {app, service, lamps, sent} = await open(t);
	service.failNext({...jsonAnswer({detail: 'That name is taken'}, 400), when: isEdit});
	await app.press('e', ...'2', 'ctrl+s').says('That name is taken.');
	lamps['name'] = 'lights';
	await app.press('ctrl+s').says('Somebody else changed the name of lights in the meantime. Press Ctrl+S to overwrite it.');
	delete lamps['selected_keys'];
	await app.press('ctrl+s').says('Change lights anyway?');
	await app.press('y').says('Saved: the name of lamps2.');
	assert.deepEqual((await sent()).at(-1), ['lamps2', 'skill', 'What lamps does', 'lamps please,it is dark']);
});

test('a description of several lines is left alone, and nothing typed changes nothing', async (t: TestContext) => {
	const {app, sent} = await open(t, {description: 'Light\nand dark'});
	await app.press('e').shows('several lines: switchboard abilities edit 21 --description -');
	await app.press('ctrl+s').says('No changes: lamps stays as it is.');
	await app.press('e', ...Array.from({length}, () => 'backspace'), 'ctrl+s').shows('Enter a name.');
	await app.press('escape').says('Leave without saving?');
	await app.press('y').shows('[2 Abilities]');
	assert.deepEqual(await sent(), []);
});

test('an installed record that keeps the former name is told', async (t: TestContext) => {
	const {app} = await open(t, {}, false);
	await app.press('e', ...'2', 'ctrl+s').says('Saved: the name of lamps2. The installed ability 301 is still called lamps.');
});
