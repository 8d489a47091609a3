import {assert, mkdirSync, path, test, writeFileSync} from '../helpers/node.ts';
import {openUiState} from '../../source/settings/ui-state.ts';
import {modeOf, temporaryFolder} from '../helpers/temporary-folder.ts';

test("the screens are restored, and two windows keep each other's parts", () => {
	const configFolder = path.join(temporaryFolder(), 'switchboard');
	const one = openUiState({configFolder});
	const other = openUiState({configFolder});
	assert.deepEqual(one.read(), {});
	assert.equal(
		one.update(state => ({...state, screen: 'agents'})),
		true,
	);
	other.update(state => ({...state, profiles: {work: {installed: {cursorId: 7}}}}));
	assert.deepEqual(one.read(), {screen: 'agents', profiles: {work: {installed: {cursorId: 7}}}});
	assert.deepEqual([modeOf(path.join(configFolder, 'ui-state.json')), modeOf(configFolder)], ['600', '700']);
});

test('a broken UI state counts as empty', () => {
	const configFolder = temporaryFolder();
	const broken = ['{', '[]', '{"version":99,"state":{"screen":"x"}}', '{"version":1,"state":[]}'];
	const read = broken.map(text => {
		writeFileSync(path.join(configFolder, 'ui-state.json'), text);
		return openUiState({configFolder}).read();
	});
	assert.deepEqual(read, [{}, {}, {}, {}]);
});

test('a UI state that cannot be written is reported as such and throws nothing', () => {
	const configFolder = path.join(temporaryFolder(), 'file');
	writeFileSync(configFolder, '');
	assert.equal(
		openUiState({configFolder}).update(() => ({screen: 'agents'})),
		false,
	);
	mkdirSync(`${configFolder}-2/ui-state.json`, {recursive: true});
	assert.equal(
		openUiState({configFolder: `${configFolder}-2`}).update(() => ({screen: 'agents'})),
		false,
	);
});
