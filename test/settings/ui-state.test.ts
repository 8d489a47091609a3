import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test, type TestContext} from 'node:test';
import {openUiState} from '../../source/settings/ui-state.ts';
import {modeOf, temporaryFolder} from './temporary-folder.ts';

test('the screens come back as they were left, and two windows keep both their parts', (t: TestContext) => {
	const configFolder = path.join(temporaryFolder(t), 'switchboard');
	const one = openUiState({configFolder});
	const other = openUiState({configFolder});
	t.assert.deepStrictEqual(one.read(), {});
	t.assert.strictEqual(one.update(state => ({...state, screen: 'agents'})), true);
	other.update(state => ({...state, profiles: {work: {installed: {cursorId: 7}}}}));
	t.assert.deepStrictEqual(one.read(), {screen: 'agents', profiles: {work: {installed: {cursorId: 7}}}});
	t.assert.deepStrictEqual([modeOf(path.join(configFolder, 'ui-state.json')), modeOf(configFolder)], ['600', '700']);
});

test('a broken UI state is an empty one', (t: TestContext) => {
	const configFolder = temporaryFolder(t);
	const broken = ['{', '[]', '{"version":99,"state":{"screen":"x"}}', '{"version":1,"state":[]}'];
	const read = broken.map(text => {
		writeFileSync(path.join(configFolder, 'ui-state.json'), text);
		return openUiState({configFolder}).read();
	});
	t.assert.deepStrictEqual(read, [{}, {}, {}, {}]);
});

test('where the UI state cannot be written, that is answered and nothing fails', (t: TestContext) => {
	const configFolder = path.join(temporaryFolder(t), 'file');
	writeFileSync(configFolder, '');
	t.assert.strictEqual(openUiState({configFolder}).update(() => ({screen: 'agents'})), false);
	mkdirSync(`${configFolder}-2/ui-state.json`, {recursive: true});
	t.assert.strictEqual(openUiState({configFolder: `${configFolder}-2`}).update(() => ({screen: 'agents'})), false);
});
