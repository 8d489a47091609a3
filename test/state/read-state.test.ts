import {assert, path, test} from '../helpers/node.ts';
import {problemsOf, read, stateFolder, withoutPlaces} from './reading.ts';

const version = 'version: 1\n';

test('a state file is read with its prompts, its paths and the places of its names', async () => {
	const folder = stateFolder();
	const state = await read(
		[
			'version: 1',
			'installed:              # by name',
			'  pantry: on',
			'  nightwatch: {enabled: off, triggers: []}',
			'abilities:',
			'  lamplighter: {source: ./lamplighter, category: brain, triggers: [light the lamps]}',
			'agents:',
			'  Hearth: {prompt_file: ./hearth.md, abilities: [pantry, nightwatch]}',
			'  Porch:',
			'    name: Terrace',
			'    prompt: |',
			'      Greet guests.',
			'      Be brief.',
		].join('\n'),
		{folder},
	);
	assert.deepEqual(state.installed, [
		{name: 'pantry', place: {line: 3, column: 3}, isEnabled: true, triggerPhrases: undefined},
		{name: 'nightwatch', place: {line: 4, column: 3}, isEnabled: false, triggerPhrases: []},
	]);
	assert.deepEqual(state.abilities, [
		{
			name: 'lamplighter',
			place: {line: 6, column: 3},
			source: './lamplighter',
			sourcePath: path.join(folder, 'lamplighter'),
			sourcePlace: {line: 6, column: 25},
			category: 'brain_skill',
			description: undefined,
			triggerPhrases: ['light the lamps'],
			isCreationWanted: false,
		},
	]);
	assert.deepEqual(state.agents, [
		{
			key: 'Hearth',
			place: {line: 8, column: 3},
			name: undefined,
			prompt: 'You look after a house.\n',
			abilities: [
				{name: 'pantry', place: {line: 8, column: 50}},
				{name: 'nightwatch', place: {line: 8, column: 58}},
			],
		},
		{key: 'Porch', place: {line: 9, column: 3}, name: 'Terrace', prompt: 'Greet guests.\nBe brief.\n', abilities: undefined},
	]);
});

test('JSON is read as YAML is, indented by tabs as well', async () => {
	const json =
		'{\n\t"version": 1,\n\t"installed": {"pantry": true, "desk": {"enabled": "off"}},\n\t"agents": {"Hearth": {"prompt": "a\\/b\\n"}}\n}\n';
	const yaml = 'version: 1\ninstalled: {pantry: on, desk: {enabled: off}}\nagents: {Hearth: {prompt: "a/b\\n"}}\n';
	assert.deepEqual(withoutPlaces(await read(json)), withoutPlaces(await read(yaml)));
});

test('a state of no more than its version says nothing, and an empty entry says nothing of its record', async () => {
	assert.deepEqual(await read('version: 1'), {label: 'home.yaml', installed: [], abilities: [], agents: []});
	const {installed, agents} = await read('version: 1\ninstalled: {desk: {}}\nagents: {Hearth: {}}\n');
	assert.deepEqual(
		installed.map(({isEnabled, triggerPhrases}) => [isEnabled, triggerPhrases]),
		[[undefined, undefined]],
	);
	assert.deepEqual(
		agents.map(({name, prompt, abilities}) => [name, prompt, abilities]),
		[[undefined, undefined, undefined]],
	);
});

test('names are texts as they are written, whatever YAML or JavaScript make of them', async () => {
	const {installed} = await read('version: 1\ninstalled: {1.0: on, true: on, on: on, __proto__: off, constructor: on, 0x1F: on}\n');
	assert.deepEqual(
		installed.map(({name, isEnabled}) => [name, isEnabled]),
		[
			['1.0', true],
			['true', true],
			['on', true],
			['__proto__', false],
			['constructor', true],
			['0x1F', true],
		],
	);
});

test('trigger phrases are trimmed, and each counts once', async () => {
	const {installed} = await read('version: 1\ninstalled: {desk: {triggers: [" open the desk ", open the desk]}}\n');
	assert.deepEqual(installed[0]!.triggerPhrases, ['open the desk']);
});

test('a category may be the word of tables or of the interface, or its words apart', async () => {
	for (const word of ['brain', 'brain_skill', 'brain skill']) {
		const {abilities} = await read(`version: 1\nabilities: {lamps: {source: ./lamplighter, category: ${word}}}\n`);
		assert.equal(abilities[0]!.category, 'brain_skill');
	}
});

test('a file that is no state file of this version is refused for that alone', async () => {
	assert.deepEqual(await problemsOf(''), ['home.yaml:1:1: The file is empty. Begin it with: version: 1']);
	assert.deepEqual(await problemsOf('# later\n'), ['home.yaml:1:1: The file is empty. Begin it with: version: 1']);
	assert.deepEqual(await problemsOf('null'), ['home.yaml:1:1: The file is empty. Begin it with: version: 1']);
	assert.deepEqual(await problemsOf('- pantry'), ['home.yaml:1:1: This is not a state file. Begin it with: version: 1']);
	assert.deepEqual(await problemsOf('pantry'), ['home.yaml:1:1: This is not a state file. Begin it with: version: 1']);
	assert.deepEqual(await problemsOf('version: 2\nfuture: yes'), [
		'home.yaml:1:10: This is version 2 of the format, which needs a newer Switchboard.',
	]);
	assert.deepEqual(await problemsOf('installed: {pantry: on}'), ['home.yaml:1:1: The file needs the field “version”: write “version: 1”.']);
	assert.deepEqual(await problemsOf('version: "1"'), ['home.yaml:1:10: “version” must be 1, but is “1”.']);
	assert.deepEqual(await problemsOf('version: 0'), ['home.yaml:1:10: “version” must be 1, but is “0”.']);
});

test('all problems are told at once, each at its line and column and in their order', async () => {
	assert.deepEqual(
		await problemsOf(
			[
				'version: 1',
				'instaled: {}',
				'installed:',
				'  pantry: yes',
				'  Pantry: Off',
				'  desk:',
				'  cellar: {enabledd: on, triggers: [x, 12, hello there!], __proto__: on}',
				'  cellar: on',
				'abilities:',
				'  x: {}',
				'  y: {source: lamplighter, category: Skil, source: lamplighter}',
				'agents:',
				'  Hearth: {prompt: 12}',
				'  Porch: {prompt: a, prompt_file: hearth.md}',
				'  Attic: {abilities: [desk, desk, 1, on], name: " "}',
			].join('\n'),
		),
		[
			'home.yaml:2:1: There is no field “instaled” here. Did you mean “installed”?',
			'home.yaml:4:11: “pantry” must be on or off, or a mapping, but is “yes”. Write on.',
			'home.yaml:5:11: “Pantry” must be on or off, or a mapping, but is “Off”. Write off.',
			'home.yaml:6:8: “desk” must be on or off, or a mapping, but is empty.',
			'home.yaml:7:12: There is no field “enabledd” here. Did you mean “enabled”?',
			'home.yaml:7:37: The trigger phrase “x” must have at least four letters.',
			'home.yaml:7:40: An entry of “triggers” must be text, but is “12”. Put it in quotes.',
			"home.yaml:7:44: The trigger phrase “hello there!” may contain only letters, digits, spaces, ' and -, not “!”.",
			'home.yaml:7:59: There is no field “__proto__” here. Known fields: enabled, triggers.',
			'home.yaml:8:3: “cellar” occurs twice, first in line 7.',
			'home.yaml:10:6: “x” needs the field “source”.',
			'home.yaml:11:38: “category” must be one of skill, brain, daemon, local, brain_skill, background_daemon, brain skill, background daemon, but is “Skil”. Write skill.',
			'home.yaml:11:44: “source” occurs twice, first in line 11.',
			'home.yaml:13:20: “prompt” must be text, but is “12”. Put it in quotes.',
			'home.yaml:14:35: “prompt” and “prompt_file” cannot be used together.',
			'home.yaml:15:29: “desk” occurs twice, first in line 15.',
			'home.yaml:15:35: An entry of “abilities” must be text, but is “1”. Put it in quotes.',
			'home.yaml:15:49: A name is empty.',
		],
	);
});

test('a file with a problem in each line tells twenty, and how many more there are', async () => {
	const problems = await problemsOf(`version: 1\n${Array.from({length: 60}, (_, index) => `x${index}: on\n`).join('')}`);
	assert.equal(problems.length, 21);
	assert.equal(problems.at(-1), 'home.yaml: and 40 more');
});

const longDescription = `abilities: {a: {source: lamplighter, description: ${'x'.repeat(20_001)}}}\n`;

const manyPhrases = `installed: {a: {triggers: [${Array.from({length: 101}, (_, index) => `phrase ${index}`).join(', ')}]}}\n`;

const syntax: ReadonlyArray<readonly [what: string, text: string, problem: RegExp]> = [
	['a line that is no entry', 'installed:\n  pantry: on\n  desk\n  cellar: on\n', /^home\.yaml:4:3: This is not YAML: Implicit keys/],
	['a text that does not end', 'agents: {Hearth: {prompt: "a}}\n', /^home\.yaml:\d+:\d+: This is not YAML: Missing closing "quote\.$/],
	['a tab as indentation', 'installed:\n\tpantry: on\n', /^home\.yaml:\d+:\d+: This is not YAML: Tabs are not allowed as indentation\.$/],
	['a second document', '---\nversion: 1\n', /^home\.yaml:2:1: A second document begins here: a state file is one\.$/],
	['an anchor', 'installed: {pantry: &a on}\n', /^home\.yaml:2:24: Anchors are not supported: remove “&a”\.$/],
	['an alias', 'installed: {pantry: *a}\n', /^home\.yaml:2:21: Aliases are not supported: write out what “\*a” means\.$/],
	['a merge key', 'installed: {<<: on}\n', /^home\.yaml:2:13: Merge keys are not supported: write the fields out\.$/],
	['a tag', 'installed: {pantry: !!str on}\n', /^home\.yaml:2:\d+: Tags are not supported: remove “!!str”\.$/],
	['a tag of its own', 'installed: !set {pantry: on}\n', /^home\.yaml:2:\d+: Tags are not supported: remove “!set”\.$/],
	['no name', 'installed: {null: on}\n', /^home\.yaml:2:13: A name must be text: put it in quotes\.$/],
	['a list for a name', 'installed: {[a]: on}\n', /^home\.yaml:2:13: A name must be text: put it in quotes\.$/],
	['an empty name', 'installed: {"": on}\n', /^home\.yaml:2:13: A name is empty\.$/],
	['a name that nobody sees', 'agents: {"\\u200B": {}}\n', /^home\.yaml:2:10: A name is empty\.$/],
	['a section without entries', 'installed:\n', /^home\.yaml:2:11: “installed” must be a mapping, but is empty\.$/],
	['a list of names', 'installed: [pantry]\n', /^home\.yaml:2:12: “installed” must be a mapping, but is a list\.$/],
	[
		'a text that no service stores',
		'agents: {Hearth: {prompt: "\\0"}}\n',
		/^home\.yaml:2:27: The prompt contains the character U\+0000\.$/,
	],
	[
		'half a character',
		'agents: {Hearth: {prompt: "\\ud800"}}\n',
		/^home\.yaml:2:27: The prompt contains half of a surrogate pair, which is not a character\.$/,
	],
	['a long description', longDescription, /^home\.yaml:2:51: The description may be at most 20000 characters long\.$/],
	['a list of too many phrases', manyPhrases, /^home\.yaml:2:27: There are 101 trigger phrases; an ability may have at most 100\.$/],
];

for (const [what, text, problem] of syntax) {
	test(`${what} is refused at its place`, async () => {
		const problems = await problemsOf(version + text);
		assert.equal(problems.length, 1, problems.join('\n'));
		assert.match(problems[0]!, problem);
	});
}

test('YAML 1.1, in which “yes” is a boolean, is refused', async () => {
	assert.deepEqual(await problemsOf('%YAML 1.1\n---\nversion: 1\ninstalled: {pantry: yes}\n'), [
		'home.yaml:1:1: A state file is YAML 1.2: remove “%YAML 1.1”.',
	]);
	assert.deepEqual(await problemsOf('%YAML 1.2\n---\nversion: 1\n...\n'), []);
});

test('an agent cannot take the name of another one in the file, which would change places with it at every run', async () => {
	assert.deepEqual(await problemsOf('version: 1\nagents:\n  Hearth: {name: porch}\n  Porch: {name: Hearth}\n'), [
		'home.yaml:3:3: “Hearth” cannot be renamed “porch”: that is the name of another agent, in line 4.',
		'home.yaml:4:3: “Porch” cannot be renamed “Hearth”: that is the name of another agent, in line 3.',
	]);
	assert.deepEqual(await problemsOf('version: 1\nagents:\n  A: {name: C}\n  B: {name: c}\n'), [
		'home.yaml:4:3: “B” cannot be renamed “c”: that is the name of another agent, in line 3.',
	]);
	assert.deepEqual(await problemsOf('version: 1\nagents:\n  hearth: {name: Hearth}\n'), []);
});

test('a new name has no character that is not seen, nor a line break', async () => {
	for (const name of [String.raw`Hea\u200brth`, String.raw`Hearth\e[0m`, String.raw`Hearth\U000E0041`, String.raw`Hea\nrth`]) {
		const [problem, ...others] = await problemsOf(`version: 1\nagents:\n  Porch: {name: "${name}"}\n`);
		assert.match(problem!, /^home\.yaml:3:17: The name “Hea ?rth” may not contain an invisible character\.$/);
		assert.deepEqual(others, []);
	}

	assert.deepEqual(await problemsOf('version: 1\nagents:\n  "Hea\\u200brth": {name: "Hearth ❤️"}\n'), [], 'a present name may have one');
});

test('texts of the file reach a message without what a terminal would obey', async () => {
	const problems = await problemsOf('version: 1\n"\\e[31mred\\u202e": 1\ninstalled: {"\\e]0;t\\a": on, a: "\\e[2J"}\n');
	assert.deepEqual(problems, [
		'home.yaml:2:1: There is no field “red” here. Known fields: version, installed, abilities, agents.',
		'home.yaml:3:13: A name is empty.',
		'home.yaml:3:32: “a” must be on or off, or a mapping, but is “”.',
	]);
});
