import {assert, mkdirSync, path, readdirSync, readFileSync, rmSync, test, writeFileSync} from '../helpers/node.ts';
import {openUiState} from '../../source/settings/ui-state.ts';
import {runTogether} from '../helpers/run-together.ts';
import {modeOf, temporaryFolder} from '../helpers/temporary-folder.ts';

test("the screens are restored, and two windows keep each other's parts", async () => {
	const configFolder = path.join(temporaryFolder(), 'switchboard');
	const one = openUiState({configFolder});
	const other = openUiState({configFolder});
	assert.deepEqual(one.read(), {});
	assert.equal(await one.update(state => ({...state, screen: 'agents'})), true);
	await other.update(state => ({...state, profiles: {work: {installed: {cursorId: 7}}}}));
	assert.deepEqual(one.read(), {screen: 'agents', profiles: {work: {installed: {cursorId: 7}}}});
	assert.deepEqual([modeOf(path.join(configFolder, 'ui-state.json')), modeOf(configFolder)], ['600', '700']);
});

test('no part is lost when two windows store one at the same time', async () => {
	const configFolder = temporaryFolder();
	await runTogether(
		'settings/ui-state.ts',
		`
		const uiState = opened.openUiState({configFolder: ${JSON.stringify(configFolder)}});
		for (let index = 0; index < 20; index++) {
			await uiState.update(state => ({...state, [\`p\${process.argv[1]}-\${index}\`]: true}));
		}`,
	);
	assert.equal(Object.keys(openUiState({configFolder}).read()).length, 40);
});

test('a broken UI state counts as empty, and is set aside before another one is written', async () => {
	const configFolder = temporaryFolder();
	const file = path.join(configFolder, 'ui-state.json');
	for (const text of ['{', '[]', '{"version":1,"state":[]}']) {
		writeFileSync(file, text);
		const uiState = openUiState({configFolder});
		assert.deepEqual(uiState.read(), {});
		assert.equal(await uiState.update(() => ({screen: 'agents'})), true);
		const aside = readdirSync(configFolder).find(name => name.startsWith('ui-state.json.broken-'));
		assert.equal(readFileSync(path.join(configFolder, aside!), 'utf8'), text);
		rmSync(path.join(configFolder, aside!));
	}
});

test('a UI state of a newer version stays as it is, and that of this run counts', async () => {
	const configFolder = temporaryFolder();
	const file = path.join(configFolder, 'ui-state.json');
	const text = '{"version":99,"state":{"screen":"x"}}';
	writeFileSync(file, text);
	const uiState = openUiState({configFolder});
	assert.deepEqual(uiState.read(), {});
	assert.equal(await uiState.update(state => ({...state, screen: 'agents'})), false);
	assert.deepEqual([uiState.read(), readFileSync(file, 'utf8'), readdirSync(configFolder)], [{screen: 'agents'}, text, ['ui-state.json']]);
});

test('a UI state that cannot be written is reported as such and throws nothing', async () => {
	const configFolder = path.join(temporaryFolder(), 'file');
	writeFileSync(configFolder, '');
	mkdirSync(`${configFolder}-2/ui-state.json`, {recursive: true});
	for (const folder of [configFolder, `${configFolder}-2`]) {
		const uiState = openUiState({configFolder: folder});
		assert.equal(await uiState.update(() => ({screen: 'agents'})), false);
		assert.deepEqual(uiState.read(), {screen: 'agents'});
	}
});
