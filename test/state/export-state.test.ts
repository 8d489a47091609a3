import {assert, test} from '../helpers/node.ts';
import fc from 'fast-check';
import {escapeSequences} from '../../source/interface/clean-text.ts';
import {toSwitchboardError} from '../../source/interface/errors.ts';
import {foldName} from '../../source/interface/name-index.ts';
import type {JsonObject} from '../../source/interface/json.ts';
import {triggerPhraseProblem} from '../../source/interface/names.ts';
import {decodeRecord, type Records, type Resource} from '../../source/interface/records.ts';
import {exportState, stateText, type ExportedRecords} from '../../source/state/export-state.ts';
import {read} from './reading.ts';

const decode = <R extends Resource>(resource: R, records: readonly JsonObject[]): ReadonlyArray<Records[R]> =>
	records.map(record => decodeRecord(resource, record)!);

const account = ({
	agents = [],
	abilities = [],
	installed = [],
}: {
	readonly agents?: readonly JsonObject[];
	readonly abilities?: readonly JsonObject[];
	readonly installed?: readonly JsonObject[];
}): ExportedRecords => ({
	agents: decode('agents', agents),
	abilities: decode('abilities', abilities),
	installed: decode('installed', installed),
});

const yamlOf = (records: ExportedRecords): string => stateText(exportState(records), 'yaml');

test('a state has what the service shows, sorted by name, and prompts as blocks', () => {
	assert.equal(
		yamlOf(
			account({
				abilities: [
					{id: 1, name: 'pantry'},
					{id: 2, name: 'Attic'},
				],
				installed: [
					{id: 11, name: 'pantry', enabled: true, trigger_words: ['what is there', "open it's door"]},
					{id: 12, name: 'Attic', enabled: false, trigger_words: []},
					{id: 13, name: 'desk', enabled: true},
					{id: 14, trigger_words: ['open the desk']},
					{id: 15, name: 'yes'},
				],
				agents: [
					{id: 1, name: 'Porch', description: 'You greet guests.\n\n  Be brief: # always\n', matching_capabilities: [1, 2]},
					{id: 2, name: 'hearth', description: 'Be warm.', matching_capabilities: []},
					{id: 3, name: 'on'},
				],
			}),
		),
		[
			'version: 1',
			'installed:',
			'  "#14":',
			'    triggers:',
			'      - open the desk',
			'  Attic:',
			'    enabled: off',
			'    triggers: []',
			'  desk: on',
			'  pantry:',
			'    enabled: on',
			'    triggers:',
			'      - what is there',
			"      - open it's door",
			'  "yes": {}',
			'agents:',
			'  hearth:',
			'    prompt: Be warm.',
			'    abilities: []',
			'  "on": {}',
			'  Porch:',
			'    prompt: |',
			'      You greet guests.',
			'',
			'        Be brief: # always',
			'    abilities:',
			'      - Attic',
			'      - pantry',
			'',
		].join('\n'),
	);
	assert.equal(yamlOf(account({})), 'version: 1\n');
});

test('a long line is not folded', () => {
	const prompt = 'word '.repeat(500).trim();
	assert.equal(yamlOf(account({agents: [{id: 1, name: 'A', description: prompt}]})), `version: 1\nagents:\n  A:\n    prompt: ${prompt}\n`);
	const lines = `${prompt}\n${prompt}`;
	assert.ok(yamlOf(account({agents: [{id: 1, name: 'A', description: lines}]})).includes(`|-\n      ${prompt}\n      ${prompt}\n`));
});

test('white space at the ends of a prompt and in empty lines is kept', async () => {
	const prompts = [' \n', '\n', '  a\n  b', '\n\na\n\n', 'a\n  \n\t\nb', 'a\n ', '\ta\n', ' ', 'a\r\nb\r', ''];
	const agents = prompts.map((description, index) => ({id: index, name: `a${index}`, description}));
	const state = await read(yamlOf(account({agents})));
	assert.deepEqual(
		state.agents.map(({prompt}) => prompt),
		prompts,
	);
});

test('what no state file can hold is left out, and said', () => {
	const {value, notes} = exportState(
		account({
			installed: [
				{id: 1, name: 'lamps', enabled: true, trigger_words: ['lamps, please']},
				{id: 2, name: 'many', enabled: true, trigger_words: Array.from({length: 101}, (_, index) => `phrase ${index}`)},
			],
			agents: [
				{id: 1, name: 'Hearth', description: 'a\0b'},
				{id: 2, name: 'Porch', description: '\u{D800}'},
			],
		}),
	);
	assert.deepEqual(value, {version: 1, installed: {lamps: true, many: true}, agents: {Hearth: {}, Porch: {}}});
	assert.deepEqual(notes, [
		"Left out the trigger phrases of lamps, which no state file can hold. The trigger phrase “lamps, please” may contain only letters, digits, spaces, ' and -, not “,”.",
		'Left out the trigger phrases of many, which no state file can hold. There are 101 trigger phrases; an ability may have at most 100.',
		'Left out the prompt of Hearth, which no state file can hold. The prompt contains the character U+0000.',
		'Left out the prompt of Porch, which no state file can hold. The prompt contains half of a surrogate pair, which is not a character.',
	]);
});

test('records whose names others have are left out, each with its id, and names that differ in case only are not the same', () => {
	const records = account({
		installed: [
			{id: 1, name: 'Pantry', enabled: true},
			{id: 2, name: 'desk', enabled: true},
			{id: 3, name: 'pantry', enabled: false},
			{id: 6, name: 'desk', enabled: false},
		],
		agents: [
			{id: 4, name: 'Hearth', description: 'Be brief.', matching_capabilities: [21, 23]},
			{id: 5, name: 'HEARTH', matching_capabilities: [22, 23]},
			{id: 7, name: 'Porch'},
			{id: 8, name: 'Porch'},
		],
		abilities: [
			{id: 21, name: 'a'},
			{id: 22, name: 'A'},
			{id: 23, name: 'b'},
			{id: 24, name: 'a'},
		],
	});
	const {value, notes, areNamesShared} = exportState(records, {sources: new Map([21, 22, 24].map(id => [id, `./${id}`]))});
	assert.deepEqual(value, {
		version: 1,
		installed: {Pantry: true, pantry: false},
		abilities: {A: {source: './22'}},
		agents: {HEARTH: {abilities: ['A', 'b']}, Hearth: {prompt: 'Be brief.'}},
	});
	assert.deepEqual(notes, [
		'Left out the installed abilities 2, 6: all are named “desk”, and a state file refers to records by name. With --prune, apply would switch them off.',
		'Left out the agents 7, 8: all are named “Porch”, and a state file refers to records by name.',
		'Left out the sources of the abilities 21, 24: all are named “a”, and a state file refers to records by name.',
		'Left out the abilities of Hearth, which no state file can hold. The abilities 21, 24 are all named “a”.',
	]);
	assert.equal(areNamesShared, true);
	// Abilities that nothing in the state names may share one.
	const {notes: none, areNamesShared: isAnyShared} = exportState({...records, installed: [], agents: []});
	assert.deepEqual([none, isAnyShared], [[], false]);
});

test('the abilities of an agent are left out, with a note, if one of them is not listed', () => {
	const {value, notes} = exportState(
		account({
			agents: [
				{id: 4, name: 'Hearth', matching_capabilities: [21, 9]},
				{id: 5, name: 'Porch', matching_capabilities: [21]},
			],
			abilities: [{id: 21, name: 'a'}],
		}),
	);
	assert.deepEqual(value['agents'], {Hearth: {}, Porch: {abilities: ['a']}});
	assert.deepEqual(notes, [
		'Left out the abilities of Hearth, which no state file can hold. It has the ability 9, which is not in the list of abilities, so its name is not known.',
	]);
});

test('a state that is too large to be read is refused', () => {
	const agents = Array.from({length: 11}, (_, index) => ({id: index, name: `A${index}`, description: 'x'.repeat(100_000)}));
	assert.throws(
		() => yamlOf(account({agents})),
		(error: unknown) => toSwitchboardError(error).kind === 'too-large',
	);
});

const fragments = [
	'\n',
	'\n\n',
	'\r\n',
	'\r',
	'\t',
	' ',
	'  ',
	'#',
	' #',
	': ',
	':',
	'- ',
	'-',
	'? ',
	'|',
	'>',
	'&',
	'*',
	'!',
	'%',
	'@',
	'`',
	'"',
	"'",
	'\\',
	'{',
	'}',
	'[',
	']',
	',',
	'---',
	'...',
	'<<',
	'~',
	'null',
	'yes',
	'on',
	'true',
	'1',
	'1.0',
	'0x1f',
	'2001-01-01',
	'.inf',
	'__proto__',
	'constructor',
	'\u{FEFF}',
	'\u{1B}[31m',
	'\u{9B}2J',
	'\u{85}',
	'\u{2028}',
	'\u{202E}',
	'\u{200B}',
	'\u{E0001}',
	'\u{FFFE}',
	'😀',
	'é',
	'e\u{301}',
	'word',
	'\u{7F}',
	'\b',
];

const oddText = fc.oneof(
	fc
		.array(fc.oneof(fc.constantFrom(...fragments), fc.string({unit: 'binary', maxLength: 5})), {maxLength: 12})
		.map(parts => parts.join('').replaceAll('\0', '')),
	fc.string({unit: 'grapheme'}),
);

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, {nil: undefined});

type RawRecord = JsonObject & {readonly id: number};

const named = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<readonly RawRecord[]> =>
	fc.array(fc.record({name: oddText, ...fields}), {maxLength: 6}).map(records => {
		const withIds = records.map((record, index) => ({...record, id: index + 1}));
		// Records that share a name are refused.
		const names = new Set<string>();
		return withIds.filter(record => {
			const name = foldName(decodeRecord('abilities', record)!.name);
			return names.size < names.add(name).size;
		});
	});

const phrase = fc.stringMatching(/^[ '\-a-zß]{4,20}$/).filter(text => triggerPhraseProblem(text.trim()) === undefined);

const oddAccount = fc
	.record({
		installed: named({enabled: optional(fc.boolean()), trigger_words: optional(fc.array(phrase, {maxLength: 3}))}),
		abilities: named({}),
		agents: named({description: optional(oddText), ties: optional(fc.array(fc.nat(9), {maxLength: 3}))}),
	})
	.map(({agents, abilities, ...rest}) => ({
		...rest,
		abilities,
		agents: agents.map(({ties, ...agent}) => ({
			...agent,
			...(Array.isArray(ties) && {
				matching_capabilities: abilities.length === 0 ? [] : ties.map(tie => abilities[Number(tie) % abilities.length]!.id),
			}),
		})),
	}));

for (const format of ['yaml', 'json'] as const) {
	test(`whatever the names and prompts are, the state is read back to the byte from ${format}, and is safe to print`, async () =>
		fc.assert(
			fc.asyncProperty(oddAccount, async records => {
				const state = exportState(account(records));
				const text = stateText(state, format);
				assert.doesNotMatch(text, escapeSequences);
				assert.doesNotMatch(text, /[\0-\u{8}\u{B}-\u{1F}\u{7F}-\u{9F}\u{202A}-\u{202E}\u{2066}-\u{2069}]/u);
				const {installed, agents} = await read(text);
				const fields = (entries: ReadonlyArray<readonly [string, object]>): string => JSON.stringify(Object.fromEntries(entries));
				const {installed: shown = {}, agents: shownAgents = {}} = state.value as {
					readonly installed?: Readonly<Record<string, boolean | object>>;
					readonly agents?: object;
				};
				assert.equal(
					fields(installed.map(({name, isEnabled, triggerPhrases}) => [name, {enabled: isEnabled, triggers: triggerPhrases}])),
					fields(Object.entries(shown).map(([name, value]) => [name, typeof value === 'boolean' ? {enabled: value} : value])),
				);
				assert.equal(
					fields(agents.map(({key, prompt, abilities}) => [key, {prompt, abilities: abilities?.map(({name}) => name)}])),
					fields(Object.entries(shownAgents)),
				);
			}),
			{numRuns: format === 'yaml' ? 100 : 40},
		));
}

test('the text is the same for records in any order', () =>
	fc.assert(
		fc.property(oddAccount, records => {
			const reversed = Object.fromEntries(Object.entries(records).map(([resource, list]) => [resource, list.toReversed()]));
			assert.equal(yamlOf(account(reversed)), yamlOf(account(records as Parameters<typeof account>[0])));
		}),
		{numRuns: 40},
	));
