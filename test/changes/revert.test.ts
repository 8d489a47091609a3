import {assert, test} from '../helpers/node.ts';
import {planReversal, type KnownRecords} from '../../source/changes/revert.ts';
import {toSwitchboardError} from '../../source/interface/errors.ts';
import type {HistoryEntry} from '../../source/interface/history.ts';
import {decodeRecord} from '../../source/interface/records.ts';

const records: KnownRecords = {
	installed: [
		decodeRecord('installed', {id: 301, name: 'lamps', enabled: false, trigger_words: ['light']})!,
		decodeRecord('installed', {id: 302, name: 'pantry', enabled: true})!,
	],
	agents: [
		decodeRecord('agents', {id: 7, name: 'Hearth', description: 'New prompt.\n', matching_capabilities: [11]})!,
		decodeRecord('agents', {id: 8, name: 'Study', description: 'Read.'})!,
		decodeRecord('agents', {id: 10, name: 'Porch', description: ''})!,
	],
	abilities: [
		{id: 11, name: 'lamps'},
		{id: 12, name: 'pantry'},
		{id: 13, name: 'desk'},
		{id: 14, name: 'Desk'},
		{id: 15, name: 'porch', category: 'skill', description: 'Light.', trigger_words: ['porch light'], selected_keys: []},
	].map(fields => decodeRecord('abilities', fields)!),
};

const entry = (fields: Partial<HistoryEntry>): HistoryEntry => ({
	id: 5,
	at: '2026-11-26T12:03:00.000Z',
	by: 'anna',
	key: 'anna',
	via: 'this machine',
	kind: 'installed',
	name: 'lamps',
	record: 301,
	field: 'enabled',
	from: true,
	to: false,
	...fields,
});

const agentEntry = (fields: Partial<HistoryEntry>): HistoryEntry =>
	entry({kind: 'agent', name: 'Hearth', record: 7, field: 'prompt', from: 'Old prompt.', to: 'New prompt.', ...fields});

const abilityEntry = (fields: Partial<HistoryEntry>): HistoryEntry =>
	entry({kind: 'ability', name: 'porch', record: 15, field: 'description', from: 'Dark.', to: 'Light.', ...fields});

function textOf(given: HistoryEntry): string {
	try {
		const {reversal, isOvertaken, gone} = planReversal(given, records);
		return [
			reversal === undefined ? 'nothing to do' : `${reversal.kind} ${reversal.field} ${JSON.stringify(reversal.to)}`,
			...(isOvertaken ? ['overtaken'] : []),
			...gone.map(name => `${name} is gone`),
		].join(', ');
	} catch (error) {
		return toSwitchboardError(error).message;
	}
}

test('a change is reverted from the record as it is now, or a sentence says why not', () => {
	const cases: ReadonlyArray<readonly [given: HistoryEntry, text: string]> = [
		[entry({}), 'installed enabled true'],
		[entry({from: false, to: true}), 'nothing to do, overtaken'],
		[entry({record: 302, name: 'pantry', from: false, to: true}), 'installed enabled false'],
		[entry({from: null}), 'This change cannot be reverted: it is not known what lamps was before.'],
		[entry({record: 399, name: 'gone\u{1B}[31m'}), 'gone is no longer installed.'],
		[entry({field: 'triggers', from: [], to: ['light']}), 'installed triggers []'],
		[entry({field: 'triggers', from: ['dark'], to: ['dim']}), 'installed triggers ["dark"], overtaken'],
		[
			entry({record: 302, field: 'triggers', from: ['dark'], to: []}),
			'The service does not show the trigger phrases of pantry, so they cannot be edited.',
		],
		[entry({field: 'installed', from: false, to: true}), 'This change of lamps cannot be reverted.'],
		[abilityEntry({}), 'ability description "Dark."'],
		[abilityEntry({from: 'Light.', to: 'Dark.'}), 'nothing to do, overtaken'],
		[abilityEntry({to: {characters: 2000, sha256: 'a', difference: ''}}), 'ability description "Dark.", overtaken'],
		[abilityEntry({field: 'triggers', from: ['dark'], to: ['porch light']}), 'ability triggers ["dark"]'],
		[abilityEntry({field: 'category', from: 'local', to: 'skill'}), 'ability category "local"'],
		[abilityEntry({field: 'name', from: 'LAMPS', to: 'porch'}), 'The name “LAMPS” is taken by ability 11 now.'],
		[abilityEntry({field: 'description', from: null}), 'This change cannot be reverted: it is not known what porch was before.'],
		[abilityEntry({record: 99}), 'porch no longer exists.'],
		[
			abilityEntry({record: 11, name: 'lamps'}),
			'The service does not show category, trigger_words, selected_keys of lamps, which would be lost.',
		],
		[entry({kind: 'ability', field: 'enabled'}), 'This change of lamps cannot be reverted.'],
		[entry({field: 'constructor'}), 'This change of lamps cannot be reverted.'],
		[agentEntry({}), 'agent prompt "Old prompt."'],
		[
			agentEntry({name: 'Porch', record: 10, to: {characters: 1200, sha256: '00', difference: ''}}),
			'agent prompt "Old prompt.", overtaken',
		],
		[agentEntry({to: 'Another.'}), 'agent prompt "Old prompt.", overtaken'],
		[
			agentEntry({from: {characters: 1200, sha256: '00', start: 'You'}}),
			'This change cannot be reverted: it is not known what Hearth was before.',
		],
		[agentEntry({field: 'name', from: 'Fireside', to: 'Hearth'}), 'agent name "Fireside"'],
		[agentEntry({field: 'name', from: 'study', to: 'Hearth'}), 'The name “study” is taken by agent 8 now.'],
		[agentEntry({field: 'abilities', from: ['pantry', 'attic'], to: ['lamps']}), 'agent abilities [12], attic is gone'],
		[agentEntry({field: 'abilities', from: ['lamps'], to: ['pantry']}), 'nothing to do, overtaken'],
		[agentEntry({field: 'abilities', from: ['DESK'], to: []}), 'Several abilities are named “DESK”: 13 (desk), 14 (Desk).'],
		[agentEntry({field: 'abilities', from: ['desk', 'DESK'], to: []}), 'agent abilities [13], overtaken, DESK is gone'],
		[agentEntry({record: 9, name: 'Attic'}), 'Attic no longer exists.'],
	];
	assert.deepEqual(
		cases.map(([given]) => textOf(given)),
		cases.map(([, text]) => text),
	);
});
