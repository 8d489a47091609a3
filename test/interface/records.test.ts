import {assert, assertMapped, assertNone, test} from '../helpers/node.ts';
import {decodeId, decodeRecord, hasMorePhrases, toPublicRecord} from '../../source/interface/records.ts';

test('an id is a whole number of at least 0, or the same in digits', () => {
	assertMapped([0, 7, '7', '007', Number.MAX_SAFE_INTEGER], value => decodeId(value), [0, 7, 7, 7, Number.MAX_SAFE_INTEGER]);
	const others = [
		-1,
		1.5,
		NaN,
		Infinity,
		2 ** 53,
		'9'.repeat(17),
		'9007199254740993',
		'',
		' 7',
		'7 ',
		'+7',
		'-7',
		'1e3',
		'0x7',
		'٧',
		true,
		null,
		undefined,
		[7],
		{id: 7},
	];
	assertNone(others, value => decodeId(value) !== undefined);
});

test("a record is identified by the interface's identifier, else by id", () => {
	assert.equal(decodeRecord('agents', {personality_id: '3', id: 9})?.id, 3);
	assert.equal(decodeRecord('agents', {id: 9})?.id, 9);
	assert.equal(decodeRecord('abilities', {capability_id: 4, id: 9})?.id, 4);
	assert.equal(decodeRecord('abilities', {capability_id: null, id: '9'})?.id, 9);
	assert.equal(decodeRecord('installed', {installed_cap_id: 5, id: 9, capability_id: 1})?.id, 5);
	assert.equal(decodeRecord('installed', {id: 9, capability_id: 1})?.id, 9);
});

test('values that are not records decode to undefined', () => {
	const values = [null, undefined, 'lamps', 7, true, [], [{id: 1}], {}, {name: 'lamps'}, {id: null}, {id: 'seven'}, {id: 1.5}, {id: {}}];
	assertNone(values, value => decodeRecord('abilities', value) !== undefined);
});

test('a record with only its identifier is complete', () => {
	const ability = {category: '', triggerPhrases: [], changedAt: undefined};
	for (const [resource, raw, fields] of [
		['agents', {id: 1}, {prompt: '', abilityIds: undefined}],
		['abilities', {id: 1}, {...ability, description: '', isInstalled: undefined, versions: []}],
		['installed', {id: 1, enabled: true}, {...ability, isEnabled: true, abilityId: undefined, timer: undefined}],
	] as const) {
		assert.deepEqual(decodeRecord(resource, raw), {id: 1, name: '#1', raw, ...fields});
	}
});

test('all fields of an ability are decoded', () => {
	const ability = decodeRecord('abilities', {
		id: '21',
		name: 'lamps',
		category: 'skill',
		description: 'Light\nand dark',
		trigger_words: ['lamps please', 'it is dark'],
		is_installed: true,
		last_updated: '2026-03-04T05:06:07.123456Z',
		capability_versions: [{id: 1, version: '1.0.0', is_user_enabled: false, is_committed: true}, null, 'x', {version: 2}],
	});
	assert.deepEqual(ability && {...ability, raw: undefined}, {
		id: 21,
		name: 'lamps',
		raw: undefined,
		category: 'skill',
		triggerPhrases: ['lamps please', 'it is dark'],
		changedAt: Date.UTC(2026, 2, 4, 5, 6, 7, 123),
		description: 'Light\nand dark',
		isInstalled: true,
		versions: [
			{id: 1, version: '1.0.0', isEnabled: false, isCommitted: true},
			{id: undefined, version: '2', isEnabled: undefined, isCommitted: undefined},
		],
	});
});

test('null and unexpected types in any field are tolerated', () => {
	const strange: readonly unknown[] = [null, true, 7, 'x', [], {}, [null], [[]], [{}], {a: {}}];
	const fields = [
		'name',
		'category',
		'description',
		'trigger_words',
		'last_updated',
		'is_installed',
		'capability_versions',
		'enabled',
		'matching_capabilities',
		'capability_id',
	];
	const decoded = strange.flatMap(value =>
		fields.flatMap(field =>
			(['agents', 'abilities', 'installed'] as const).map(
				resource => decodeRecord(resource, {id: 5, installed_cap_id: 5, personality_id: 5, [field]: value})?.name,
			),
		),
	);
	// Only where the strange value can be read as a name, or as an id, does it count as one.
	assert.deepEqual(
		[...new Set(decoded)].toSorted((first = '', second = '') => (first < second ? -1 : 1)),
		['#5', '#7', '7', 'true', 'x'],
	);
});

test('an unknown category is kept', () => assert.equal(decodeRecord('installed', {id: 1, category: 'hologram'})?.category, 'hologram'));

const enabledValues: ReadonlyArray<readonly [value: unknown, isEnabled: boolean | undefined]> = [
	[true, true],
	[false, false],
	['true', true],
	['False', false],
	[1, true],
	[0, false],
	['1', true],
	['0', false],
	[null, undefined],
	['on', undefined],
	[[], undefined],
	[2, undefined],
];

test('a state is read from a boolean, a number or a word', () => {
	for (const [value, isEnabled] of enabledValues) {
		assert.equal(decodeRecord('installed', {id: 1, enabled: value})?.isEnabled, isEnabled, JSON.stringify(value));
	}
});

test('trigger phrases come as an array or separated by commas', () => {
	const phrasesOf = (value: unknown): readonly string[] | undefined =>
		decodeRecord('installed', {id: 1, trigger_words: value})?.triggerPhrases;
	assert.deepEqual(phrasesOf(['a b', ' ', 7, null, 'c']), ['a b', 'c']);
	assert.deepEqual(phrasesOf('a b, c,,'), ['a b', 'c']);
	assert.deepEqual(phrasesOf(null), []);
});

const times: ReadonlyArray<readonly [value: unknown, time: number | undefined]> = [
	['2026-03-04T05:06:07Z', Date.UTC(2026, 2, 4, 5, 6, 7)],
	['2026-03-04T05:06:07+02:00', Date.UTC(2026, 2, 4, 3, 6, 7)],
	['2026-03-04', Date.UTC(2026, 2, 4)],
	[1_772_600_767, 1_772_600_767_000],
	[1_772_600_767_000, 1_772_600_767_000],
	['yesterday', undefined],
	['version 2', undefined],
	['2026-13-45T99:99:99Z', undefined],
	[1e300, undefined],
	[-1e300, undefined],
	[null, undefined],
	[{}, undefined],
];

for (const [value, time] of times) {
	test(`the time ${JSON.stringify(value)} reads as ${String(time)}`, () =>
		assert.equal(decodeRecord('abilities', {id: 1, last_updated: value})?.changedAt, time));
}

test('the abilities of an agent are ids, digits or records; a missing field is not an empty one', () => {
	const idsOf = (record: object): readonly number[] | undefined => decodeRecord('agents', {id: 1, ...record})?.abilityIds;
	assert.deepEqual(idsOf({matching_capabilities: [1, '2', {id: 3}, {capability_id: '4', id: 9}, null, 'x', {}]}), [1, 2, 3, 4]);
	assert.deepEqual(idsOf({matching_capabilities: []}), []);
	assert.equal(idsOf({matching_capabilities: null}), undefined);
	assert.equal(idsOf({}), undefined);
});

test('texts are cleaned for the screen and kept raw for the service', () => {
	const raw = {id: 1, name: '\u{1B}[31mlamps\u{202E}\n', category: 'sk\u{200B}ill', trigger_words: ['\u{7}ding dong']};
	const record = decodeRecord('installed', raw);
	assert.deepEqual([record?.name, record?.category, record?.triggerPhrases], ['lamps', 'skill', ['ding dong']]);
	assert.equal(record?.raw, raw);
});

test('a record with an invisible name is shown by its id', () =>
	assert.deepEqual(
		['', '  ', '\u{200B}', '\u{1B}[2J', '\u{301}'].map(name => decodeRecord('agents', {id: 8, name})?.name),
		['#8', '#8', '#8', '#8', '#8'],
	));

test('scripts get the record as it came, with the identifier as a number and enabled as a boolean', () => {
	const raw = {id: '301', name: 'lam\u{1B}ps', enabled: 'true', extra: {kept: [1]}, shortcut: null};
	const record = decodeRecord('installed', raw)!;
	assert.deepEqual(toPublicRecord('installed', record), {...raw, installed_cap_id: 301, enabled: true});
	assert.deepEqual(toPublicRecord('agents', decodeRecord('agents', {id: '2'})!), {id: '2', personality_id: 2});
	assert.deepEqual(toPublicRecord('abilities', decodeRecord('abilities', {capability_id: '2'})!), {capability_id: 2});
});

test('fields such as __proto__ do no harm', () => {
	const raw: unknown = JSON.parse('{"id": 1, "__proto__": {"name": "x"}, "constructor": "y", "category": "toString"}');
	const record = decodeRecord('abilities', raw)!;
	assert.equal(record.name, '#1');
	assert.equal(record.category, 'toString');
	assert.equal(Object.getPrototypeOf(toPublicRecord('abilities', record)), Object.prototype);
});

test("so many trigger phrases are decoded as anybody reads, without a second's work for millions", () => {
	for (const phrases of ['a,'.repeat(5_000_000), ','.repeat(5_000_000), Array.from({length: 500_000}, () => 'a')]) {
		const record = decodeRecord('installed', {id: 1, trigger_words: phrases})!;
		assert.ok(record.triggerPhrases.length <= 1000);
		assert.equal(record.raw['trigger_words'], phrases);
		assert.ok(hasMorePhrases(record.raw));
	}

	assert.ok(!hasMorePhrases({trigger_words: 'a,b'}));
});

test('a long description is the same as a short one for whoever reads it', () => {
	const description = `${'two words '.repeat(5000)}\u{1B}[31mred`;
	const agent = decodeRecord('agents', {id: 1, description})!;
	assert.deepEqual(Object.keys(agent).toSorted(), ['abilityIds', 'id', 'name', 'prompt', 'raw']);
	const copy = {...agent};
	assert.equal(copy.prompt, description.replace('\u{1B}[31m', ''));
	assert.equal(agent.prompt, copy.prompt);
});
