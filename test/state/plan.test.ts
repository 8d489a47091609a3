import {assert, test} from '../helpers/node.ts';
import {decodeRecord, type Records, type Resource} from '../../source/interface/records.ts';
import {changeText} from '../../source/changes/change.ts';
import type {Lists} from '../../source/state/plan.ts';
import {planState} from '../../source/state/plan-state.ts';
import type {AbilityEntry, State} from '../../source/state/state.ts';
import {readState} from '../../source/state/read-state.ts';

const listOf = <R extends Resource>(resource: R, records: readonly unknown[], isComplete = true) => ({
	records: records.map((record): Records[R] => decodeRecord(resource, record)!),
	leftOutCount: 0,
	isComplete,
});

const installed = listOf('installed', [
	{id: 301, name: 'pantry', enabled: true, trigger_words: ['what is there', 'pantry list']},
	{id: 302, name: 'nightwatch', enabled: false, trigger_words: []},
	{id: 303, name: 'lamps', enabled: true},
	{id: 304, name: 'radio'},
]);

const abilities = listOf('abilities', [
	{id: 21, name: 'pantry', category: 'skill'},
	{id: 22, name: 'nightwatch', category: 'skill'},
	{id: 24, name: 'desk', category: 'local'},
]);

const agents = listOf('agents', [
	{id: 1, name: 'Hearth', description: 'You look after a house.', matching_capabilities: [21]},
	{id: 2, name: 'Porch', description: 'You greet guests.'},
]);

const lists: Lists = {installed, abilities, agents};

const read = async (text: string): Promise<State> =>
	readState(`version: 1\n${text}`, {label: 'home.yaml', folder: '/', isOutsideAllowed: false, arePathsAllowed: false});

async function plan(text: string, {known = lists, ...options}: {readonly known?: Lists} & Parameters<typeof planState>[2] = {}) {
	const {steps, unchangedCount, problems} = planState(await read(text), known, options);
	return {
		lines: steps.flatMap(({changes}) => changes.map(change => changeText(change))),
		unchangedCount,
		problems: problems.map(({place: {line, column}, kind, message}) => `${line}:${column} ${kind ?? 'usage'} ${message}`),
	};
}

type Outcome = {readonly lines: readonly string[]; readonly unchangedCount: number; readonly problems: readonly string[]};

const fine = (lines: readonly string[], unchangedCount: number): Outcome => ({lines, unchangedCount, problems: []});

const refused = (...problems: readonly string[]): Outcome => ({lines: [], unchangedCount: 0, problems});

const quotedPhrases = {
	known: {installed: listOf('installed', [{id: 301, name: 'pantry', enabled: true, trigger_words: ['what’s there']}])},
};

const twins = {
	known: {
		...lists,
		agents: listOf('agents', [
			{id: 1, name: 'Twin'},
			{id: 2, name: 'twin'},
		]),
	},
};

const renamed = {known: {...lists, agents: listOf('agents', [{id: 1, name: 'Hob'}])}};

/** A service that shows this prompt of Hearth. */
const prompted = (description: string, ...others: readonly object[]) => ({
	known: {agents: listOf('agents', [{id: 1, name: 'Hearth', description}, ...others])},
});

type Row = readonly [title: string, text: string, outcome: Outcome, options?: Parameters<typeof plan>[1]];

const rows: readonly Row[] = [
	['what is as the state says counts as unchanged, by name in any case', 'installed: {PANTRY: on, nightwatch: off}', fine([], 2)],
	['what is not is switched', 'installed: {pantry: off, nightwatch: on}', fine(['~ pantry: on → off', '~ nightwatch: off → on'], 0)],
	['what a state does not name is left alone', '', fine([], 0)],
	['phrases are the same in any order', 'installed: {pantry: {triggers: [pantry list, what is there]}}', fine([], 1)],
	[
		'phrases are a change of their own',
		'installed: {pantry: {enabled: off, triggers: []}}',
		fine(['~ pantry: on → off', '~ pantry triggers: what is there, pantry list → none'], 0),
	],
	[
		'a new phrase is planned with an apostrophe for a quote',
		'installed: {pantry: {triggers: [what’s there, what’s up]}}',
		fine(["~ pantry triggers: what’s there → what’s there, what's up"], 0),
		quotedPhrases,
	],
	['a phrase with a quote that is there stays', 'installed: {pantry: {triggers: [what’s there]}}', fine([], 1), quotedPhrases],
	[
		'phrases that the service does not show cannot be planned',
		'installed:\n  lamps: {triggers: [light the lamps]}',
		refused('3:3 refused The service does not show the trigger phrases of lamps, so they cannot be edited.'),
	],
	['a state that the service does not show is set', 'installed: {radio: off}', fine(['~ radio: ? → off'], 0)],
	[
		'an ability that exists and is not installed is installed first',
		'installed: {desk: off}',
		fine(['+ desk: install', '~ desk: ? → off'], 0),
	],
	[
		'it is not known whether an ability is installed if the list is cut short',
		'installed:\n  desk: off',
		refused('3:3 unintelligible The service does not show whether desk is installed.'),
		{known: {...lists, installed: {...installed, isComplete: false}}},
	],
	[
		'names that fit none or several are problems with their places, all at once',
		'installed:\n  pant: on\nagents:\n  TWIN: {prompt: x}\n  Nobody: {prompt: x}',
		refused(
			'3:3 not-found There is no ability “pant”. Did you mean: pantry',
			'5:3 ambiguous Several are named “TWIN”: 1 (Twin), 2 (twin). Spell it as the one that is meant.',
			'6:3 not-found There is no agent “Nobody”.',
		),
		twins,
	],
	[
		'a name that is nearly right leads to those that may be meant',
		'agents:\n  Herath: {prompt: x}\n  Porch:\n    abilities: [desk, deskk]',
		refused(
			'3:3 not-found There is no agent “Herath”. Did you mean: Hearth',
			'5:23 not-found There is no ability “deskk”. Did you mean: desk',
		),
	],
	['an agent is renamed', 'agents: {hearth: {name: Hob}}', fine(['~ agent Hearth name: Hearth → Hob'], 0)],
	['an agent is found by its new name afterwards', 'agents: {hearth: {name: Hob}}', fine([], 1), renamed],
	['the case of a name is a part of it', 'agents: {hearth: {name: HEARTH}}', fine(['~ agent Hearth name: Hearth → HEARTH'], 0)],
	[
		'an agent is not given a name that another has',
		'agents:\n  Hearth: {name: porch}',
		refused('3:3 conflict The name “porch” is taken by agent 2.'),
	],
	[
		'a prompt differs by more than line breaks of Windows and forms of the same letters',
		String.raw`agents: {Hearth: {prompt: "Café\nNoir"}}`,
		fine([], 1),
		prompted('Cafe\u{301}\r\nNoir'),
	],
	[
		'of such a prompt each line that differs counts',
		String.raw`agents: {Hearth: {prompt: "Café\nBlanc"}}`,
		fine(['~ agent Hearth prompt: 2 lines → 2 lines (2 changed)'], 0),
		prompted('Cafe\u{301}\r\nNoir'),
	],
	[
		'a final line break does not count where no agent shows white space around its prompt',
		String.raw`agents: {Hearth: {prompt: "Be brief.\n"}}`,
		fine([], 1),
		prompted('Be brief.'),
	],
	[
		'a final line break counts where the service is seen to keep white space',
		String.raw`agents: {Hearth: {prompt: "Be brief.\n"}}`,
		fine(['~ agent Hearth prompt: 1 line → 1 line (only the line break at the end)'], 0),
		prompted('Be brief.', {id: 2, name: 'Porch', description: 'Greet.\n'}),
	],
	[
		'a line break at the end of a prompt is no further line',
		String.raw`agents: {Hearth: {prompt: "You look after the house.\n"}}`,
		fine(['~ agent Hearth prompt: 2 lines → 1 line'], 0),
		prompted('One.\nTwo.\n'),
	],
	['ties are compared as a set', 'agents: {Hearth: {abilities: [PANTRY]}}', fine([], 1)],
	[
		'ties are replaced as a whole',
		'agents: {Hearth: {abilities: [pantry, desk]}}',
		fine(['~ agent Hearth abilities: pantry → desk, pantry'], 0),
	],
	['ties are removed', 'agents: {Hearth: {abilities: []}}', fine(['~ agent Hearth abilities: pantry → none'], 0)],
	[
		'where ties are not shown, the change says that all are replaced',
		'agents: {Porch: {abilities: [desk]}}',
		fine(['~ agent Porch abilities: ? → desk (replaces all that it has)'], 0),
	],
	[
		'pruning switches off what is on or unknown and not named',
		'installed: {Pantry: on}',
		fine(['~ lamps: on → off', '~ radio: ? → off'], 1),
		{isPruning: true},
	],
	[
		'pruning leaves alone what an agent of the state has',
		'installed: {nightwatch: off}\nagents: {Hearth: {abilities: [pantry]}}',
		fine(['~ lamps: on → off', '~ radio: ? → off'], 2),
		{isPruning: true},
	],
];

for (const [title, text, outcome, options] of rows) {
	test(title, async () => assert.deepEqual(await plan(text, options), outcome));
}

test('two entries for one agent are a problem', async () => {
	const state = await read('agents:\n  Hearth: {name: Hob}');
	const twice = {...state, agents: [...state.agents, {...state.agents[0]!, key: 'Hob', name: undefined, place: {line: 4, column: 3}}]};
	assert.deepEqual(planState(twice, renamed.known).problems, [
		{place: {line: 4, column: 3}, message: '“Hob” and “Hearth” are the same agent, 1.'},
	]);
});

const lamplighter: AbilityEntry = {
	name: 'lamplighter',
	place: {line: 2, column: 3},
	source: './lamplighter',
	sourcePath: '/lamplighter',
	sourcePlace: {line: 2, column: 25},
	category: 'skill',
	description: undefined,
	triggerPhrases: undefined,
	isCreationWanted: false,
};

test('a name that the same state creates counts as present, and may be meant', async () => {
	const state = {...(await read('installed: {Lamplighter: on}\nagents: {Hearth: {abilities: [lamplighter]}}')), abilities: [lamplighter]};
	const {steps, problems} = planState(state, lists);
	assert.deepEqual(problems, []);
	assert.deepEqual(
		steps.map(({kind}) => kind),
		['create', 'set', 'set'],
	);
	const wrong = {...(await read('agents: {Hearth: {abilities: [lampligter]}}')), abilities: [lamplighter]};
	assert.deepEqual(
		planState(wrong, lists).problems.map(({message}) => message),
		['There is no ability “lampligter”. Did you mean: lamplighter'],
	);
	assert.deepEqual(
		steps.flatMap(({changes}) => changes.map(change => changeText(change))),
		['+ lamplighter: upload ./lamplighter', '~ lamplighter: ? → on', '~ agent Hearth abilities: pantry → lamplighter'],
	);
});

test('names that differ in case only are the records that they spell, wherever a state has them', async () => {
	const twins = (resource: 'abilities' | 'installed' | 'agents', first: object, second: object) =>
		listOf(resource, [
			{id: 1, name: 'Lamp', ...first},
			{id: 2, name: 'lamp', ...second},
		]);
	const known = {
		installed: twins('installed', {enabled: false}, {enabled: true}),
		abilities: twins('abilities', {}, {}),
		agents: twins('agents', {matching_capabilities: []}, {matching_capabilities: [1]}),
	} as Lists;
	assert.deepEqual(
		await plan('installed: {Lamp: on, lamp: off}\nagents: {Lamp: {abilities: [lamp, Lamp]}, lamp: {name: Lantern}}', {known}),
		{
			lines: ['~ Lamp: off → on', '~ lamp: on → off', '~ agent Lamp abilities: none → Lamp, lamp', '~ agent lamp name: lamp → Lantern'],
			unchangedCount: 0,
			problems: [],
		},
	);
	assert.deepEqual((await plan('installed: {Lamp: off}', {known, isPruning: true})).lines, ['~ lamp: on → off']);
	assert.deepEqual((await plan('installed: {LAMP: off}', {known})).problems, [
		'2:13 ambiguous Several are named “LAMP”: 1 (Lamp), 2 (lamp). Spell it as the one that is meant.',
	]);
	// Neither the other one nor both.
	const one = {...known, installed: listOf('installed', [{id: 1, name: 'Lamp', enabled: false}])};
	assert.deepEqual((await plan('installed: {Lamp: on, lamp: off}', {known: one})).lines, [
		'~ Lamp: off → on',
		'+ lamp: install',
		'~ lamp: ? → off',
	]);
	assert.deepEqual((await plan('installed: {Lamp: on, LAMP: off}', {known: one})).problems, [
		'2:23 not-found There is no ability “LAMP”. Did you mean: lamp',
	]);
});

test('an ability is created only where it is certain that there is none', async () => {
	const state = {...(await read('')), abilities: [lamplighter]};
	const messages = (known: Lists): readonly string[] => planState(state, known).problems.map(({message}) => message);
	const sentence = 'The service does not show the names of all its abilities, so it is not known whether it has lamplighter.';
	assert.deepEqual(messages({abilities: {...abilities, isComplete: false}}), [sentence]);
	assert.deepEqual(messages({abilities: listOf('abilities', [{id: 21}])}), [sentence]);
	assert.deepEqual(messages({abilities}), []);
});

test('an ability of nearly the name of another is created only where the state says so', async () => {
	const near = (name: string, isCreationWanted = false): readonly string[] =>
		planState(
			{label: 'home.yaml', installed: [], agents: [], abilities: [{...lamplighter, name, isCreationWanted}]},
			{abilities},
		).problems.map(({kind, place: {line}, message}) => `${line} ${kind} ${message}`);
	for (const name of ['Night Watch', 'night-watch', 'NIGHT_WATCH']) {
		const message = `There is no ability ${name}, but one with nearly the same name: 22 (nightwatch). Write that name, or “create: true” to create another one.`;
		assert.deepEqual([near(name), near(name, true)], [[`2 conflict ${message}`], []]);
	}

	assert.deepEqual(near('nightwatches'), []);
	assert.deepEqual(near('-'), []);
});

test('a source is released where it differs, and the category of an ability cannot change', () => {
	const desk = {...lamplighter, name: 'desk', category: undefined};
	const textsFor = (entry: AbilityEntry, isSame: boolean, version: string): readonly string[] => {
		const state: State = {label: 'home.yaml', installed: [], agents: [], abilities: [entry]};
		const {steps, problems} = planState(state, lists, {comparisons: new Map([[entry, {isSame, version}]])});
		return [...steps.flatMap(({changes}) => changes.map(change => changeText(change))), ...problems.map(({message}) => message)];
	};

	assert.deepEqual(textsFor(desk, true, ''), []);
	assert.deepEqual(textsFor(desk, false, '3'), ['~ desk: release ./lamplighter in place of version 3']);
	assert.deepEqual(textsFor(desk, false, ''), ['~ desk: release ./lamplighter']);
	assert.deepEqual(textsFor({...desk, category: 'skill'}, false, '3'), ['desk has the category local, which cannot be changed to skill.']);
});
