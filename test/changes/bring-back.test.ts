import {assert, test} from '../helpers/node.ts';
import {partsLeft, planBack, tiesLeft} from '../../source/changes/bring-back.ts';
import type {Former} from '../../source/changes/removals.ts';
import {toSwitchboardError} from '../../source/interface/errors.ts';
import {decodeRecord} from '../../source/interface/records.ts';

const abilityOf = (id: number, name: string) => decodeRecord('abilities', {id, name, category: 'skill', trigger_words: []})!;

const installedOf = (id: number, abilityId: number, name = 'lamps') =>
	decodeRecord('installed', {id, name, enabled: false, trigger_words: ['lamps please'], capability_id: abilityId, agent_capability: true})!;

const uninstalled: Former = {
	name: 'lamps',
	abilityId: 21,
	ability: undefined,
	installed: installedOf(301, 21),
	isAbsent: false,
	agents: [
		{id: 1, name: 'Hearth'},
		{id: 2, name: 'Porch'},
	],
	losses: [],
	source: undefined,
};

const deleted: Former = {...uninstalled, ability: abilityOf(21, 'lamps'), source: {zip: 'kept'}};

test('what is left to bring back of an ability is found from the lists, and what is in the way of it', () => {
	const [lamps, again, other] = [abilityOf(21, 'lamps'), abilityOf(25, 'lamps'), abilityOf(21, 'heater')];
	const present = installedOf(310, 21);
	const cases: ReadonlyArray<
		readonly [Former, ReadonlyArray<typeof lamps>, ReadonlyArray<typeof present>, own: readonly number[], expected: string]
	> = [
		[uninstalled, [lamps], [], [], 'install, set'],
		[uninstalled, [lamps], [present], [310], 'set'],
		[uninstalled, [lamps], [present], [], 'nothing'],
		[uninstalled, [], [], [], 'not-found'],
		[uninstalled, [other], [], [], 'not-found'],
		[deleted, [], [], [], 'upload, set'],
		[deleted, [again], [], [25], 'install, set'],
		[deleted, [again], [installedOf(310, 25)], [25], 'set'],
		[deleted, [again], [], [], 'conflict'],
		[deleted, [lamps], [], [], 'nothing'],
		// A service may give the former id again.
		[deleted, [lamps], [present], [21], 'set'],
		[{...deleted, source: {reason: 'It was too large.'}}, [], [], [], 'refused'],
		[{...deleted, source: {zip: 'gone'}}, [], [], [], 'upload (refused), set'],
		[{...deleted, installed: undefined, isAbsent: true}, [again], [installedOf(310, 25)], [25], 'uninstall'],
		[{...deleted, installed: undefined, isAbsent: true}, [again], [], [25], ''],
	];
	const found = cases.map(([former, abilities, installed, own]) => {
		try {
			const planned = planBack(former, {abilities, installed}, ({id}) => own.includes(id));
			const parts = planned && partsLeft(planned, name => (name === 'kept' ? Uint8Array.of(1) : undefined));
			return (
				parts?.map(part => `${part.kind}${part.kind === 'upload' && part.problem ? ` (${part.problem.kind})` : ''}`).join(', ') ?? 'nothing'
			);
		} catch (error) {
			return toSwitchboardError(error).kind;
		}
	});
	assert.deepEqual(
		found,
		cases.map(([, , , , expected]) => expected),
	);
});

test('an ability gets its state, its phrases and its flags, and goes back to the agents that still exist and do not have it', () => {
	const planned = planBack(uninstalled, {abilities: [abilityOf(21, 'lamps')], installed: []}, () => false)!;
	assert.deepEqual(partsLeft(planned, () => undefined).at(-1), {
		kind: 'set',
		values: {enabled: false, triggers: ['lamps please']},
		flags: {agent_capability: true},
	});
	const agentOf = (id: number, name: string, ids?: readonly number[]) =>
		decodeRecord('agents', {id, name, ...(ids && {matching_capabilities: ids})})!;
	const {left, gone} = tiesLeft([{former: uninstalled, id: 21}], [agentOf(1, 'Hearth', [22]), agentOf(2, 'Other', [])]);
	assert.deepEqual(
		[left.map(({agent, ties}) => [agent.id, ties]), gone],
		[[[1, [{id: 21, name: 'lamps'}]]], ['There is no agent Porch to use it.']],
	);
	assert.deepEqual(
		tiesLeft([{former: {...uninstalled, agents: [{id: 1, name: 'Hearth'}]}, id: 21}], [agentOf(1, 'Hearth', [21])]).left,
		[],
	);
});
