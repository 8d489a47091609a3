import {assert, mkdirSync, path, test, writeFileSync} from '../helpers/node.ts';
import {readKeyBindings} from '../../source/settings/key-bindings.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

function write(text: string): {readonly configFolder: string; readonly cacheFolder: string; readonly file: string} {
	const folder = temporaryFolder();
	const configFolder = path.join(folder, 'config');
	mkdirSync(configFolder);
	const file = path.join(configFolder, 'config.json');
	writeFileSync(file, text);
	return {configFolder, cacheFolder: path.join(folder, 'cache'), file};
}

test('key bindings are read with their line numbers', () => {
	const {configFolder, file} = write(String.raw`{
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
	assert.deepEqual(readKeyBindings({configFolder}), {
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

test('if “keys” is not an object, its line is known', () => {
	const {configFolder} = write('{\n\t"profiles": {},\n\t"keys": ["q"]\n}\n');
	const {bindings, wrongLine} = readKeyBindings({configFolder});
	assert.deepEqual([bindings, wrongLine], [[], 3]);
});

test('the last of two entries for one action wins, as everywhere in the settings', () => {
	const {configFolder} = write('{"keys": {\n"toggle": "a",\n"toggle": "b"\n}}');
	assert.deepEqual(readKeyBindings({configFolder}).bindings, [{action: 'toggle', keys: ['b'], line: 3}]);
});

test('a settings file that is missing, broken or without “keys” has no key bindings', () => {
	const texts = ['', '{', '[]', 'null', '{"profiles": {}}', '{"keys": {}}'];
	const read = texts.map(text => readKeyBindings({configFolder: write(text).configFolder}));
	assert.deepEqual(
		read.map(({bindings, wrongLine}) => [bindings, wrongLine]),
		texts.map(() => [[], undefined]),
	);
	assert.deepEqual(readKeyBindings({configFolder: path.join(temporaryFolder(), 'nothing')}).bindings, []);
});
