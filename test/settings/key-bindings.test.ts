import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test, type TestContext} from 'node:test';
import {readKeyBindings} from '../../source/settings/key-bindings.ts';
import {openSettings} from '../../source/settings/settings.ts';
import {temporaryFolder} from './temporary-folder.ts';

const write = (t: TestContext, text: string): {readonly configFolder: string; readonly cacheFolder: string; readonly file: string} => {
	const folder = temporaryFolder(t);
	const configFolder = path.join(folder, 'config');
	mkdirSync(configFolder);
	const file = path.join(configFolder, 'config.json');
	writeFileSync(file, text);
	return {configFolder, cacheFolder: path.join(folder, 'cache'), file};
};

test('keys of the person\'s own are read with the lines that they stand on', (t: TestContext) => {
	const {configFolder, file} = write(t, String.raw`{
	"profiles": {"keys": {"baseAddress": "https://voice.example.com"}},
	"note": "a \"quoted: { text\" with \n in it",

	"keys": {
		"toggle": "space", "quit": ["q",
			"ctrl+q"],
		"delete": null,
		"mark\n": "m", "open": 5, "help": ["?", {"toggle": 1}]
	},
	"other": {"toggle": "not a key of ours"}
}
`);
	t.assert.deepStrictEqual(readKeyBindings({configFolder}), {
		file,
		bindings: [
			{action: 'toggle', keys: ['space'], line: 6},
			{action: 'quit', keys: ['q', 'ctrl+q'], line: 6},
			{action: 'delete', keys: [], line: 8},
			{action: 'mark\n', keys: ['m'], line: 9},
			{action: 'open', keys: undefined, line: 9},
			{action: 'help', keys: undefined, line: 9},
		],
		wrongLine: undefined,
	});
});

test('where keys is no object its line is known', (t: TestContext) => {
	const {configFolder} = write(t, '{\n\t"profiles": {},\n\t"keys": ["q"]\n}\n');
	const {bindings, wrongLine} = readKeyBindings({configFolder});
	t.assert.deepStrictEqual([bindings, wrongLine], [[], 3]);
});

test('of an entry that stands twice the last one counts, as in all of the settings', (t: TestContext) => {
	const {configFolder} = write(t, '{"keys": {\n"toggle": "a",\n"toggle": "b"\n}}');
	t.assert.deepStrictEqual(readKeyBindings({configFolder}).bindings, [{action: 'toggle', keys: ['b'], line: 3}]);
});

test('a settings file that is missing, broken or without keys has none', (t: TestContext) => {
	const texts = ['', '{', '[]', 'null', '{"profiles": {}}', '{"keys": {}}'];
	const read = texts.map(text => readKeyBindings({configFolder: write(t, text).configFolder}));
	t.assert.deepStrictEqual(read.map(({bindings, wrongLine}) => [bindings, wrongLine]), texts.map(() => [[], undefined]));
	t.assert.deepStrictEqual(readKeyBindings({configFolder: path.join(temporaryFolder(t), 'nothing')}).bindings, []);
});

test('storing a profile leaves the keys of the person\'s own as they are', async (t: TestContext) => {
	const {configFolder, cacheFolder} = write(t, '{"keys": {"toggle": "t", "unknown": null}}');
	const settings = await openSettings({configFolder, cacheFolder});
	t.assert.deepStrictEqual(settings.notices, []);
	await settings.saveProfile({name: 'work', baseAddress: 'https://voice.example.com', apiKey: 'sk-work-0123456789'});
	t.assert.deepStrictEqual(readKeyBindings({configFolder}).bindings.map(({action, keys}) => ({action, keys})), [
		{action: 'toggle', keys: ['t']},
		{action: 'unknown', keys: []},
	]);
});
