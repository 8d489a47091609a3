import {assert, test} from '../helpers/node.ts';
import type {ResourceList} from '../../source/client/client.ts';
import {decodeList} from '../../source/interface/lists.ts';
import type {Records, Resource} from '../../source/interface/records.ts';
import {changeText} from '../../source/changes/change.ts';
import {compareWithKnown, type Known} from '../../source/changes/compare-lists.ts';

function listOf<R extends Resource>(resource: R, entries: readonly unknown[], isComplete = true): ResourceList<Records[R]> {
	const {records, leftOutCount} = decodeList(resource, entries)!;
	return {records, leftOutCount, isComplete};
}

const names: Readonly<Record<number, string>> = {1: 'lamps', 2: 'pantry'};

const nameOf = (id: number): string => names[id] ?? `#${id}`;

/** The changes that each list brings, as lines. */
function changesIn<R extends Resource>(resource: R, lists: ReadonlyArray<ResourceList<Records[R]>>): ReadonlyArray<readonly string[]> {
	let known: Known<R> | undefined;
	return lists.map(list => {
		const step = compareWithKnown(resource, known, list, nameOf);
		known = step.known;
		return step.changes.map(change => changeText(change));
	});
}

const [lamp, radio, desk] = [
	{id: 1, name: 'lamp', enabled: true},
	{id: 2, name: 'radio', enabled: true},
	{id: 3, name: 'desk', enabled: false},
];

test('the first list is no change, and the same again neither', () =>
	assert.deepEqual(changesIn('installed', [listOf('installed', [lamp, radio]), listOf('installed', [radio, lamp])]), [[], []]));

test('what comes and goes between whole lists is told', () =>
	assert.deepEqual(
		changesIn('installed', [listOf('installed', [lamp, radio]), listOf('installed', [radio, desk]), listOf('installed', [])]),
		[[], ['+ desk: install', '- lamp: uninstall'], ['- radio: uninstall', '- desk: uninstall']],
	));

test('a part of a list tells what changed in it, and the next whole one the rest', () =>
	assert.deepEqual(
		changesIn('installed', [
			listOf('installed', [lamp, radio]),
			listOf('installed', [{...lamp, enabled: false}, desk], false),
			listOf('installed', [{...lamp, enabled: false}, desk, null]),
			listOf('installed', [{...lamp, enabled: false}, {...radio, enabled: false}, desk]),
		]),
		[[], ['~ lamp: on → off'], [], ['~ radio: on → off', '+ desk: install']],
	));

test('where no list was ever whole, nothing is new or gone', () =>
	assert.deepEqual(
		changesIn('installed', [
			listOf('installed', [lamp], false),
			listOf('installed', [radio], false),
			listOf('installed', [{...radio, enabled: false}, desk], false),
			listOf('installed', [desk]),
		]),
		[[], [], ['~ radio: on → off'], ['- radio: uninstall']],
	));

test('the abilities of an agent are told by name, in an order of their own', () => {
	const agent = {id: 7, name: 'Hearth', matching_capabilities: [2, 1]};
	assert.deepEqual(
		changesIn('agents', [
			listOf('agents', [agent]),
			listOf('agents', [{...agent, matching_capabilities: [1, 2]}]),
			listOf('agents', [{...agent, matching_capabilities: [{capability_id: 1}, {capability_id: 9}]}]),
			listOf('agents', [{id: 7, name: 'Hearth'}]),
		]),
		[[], [], ['~ agent Hearth abilities: lamps, pantry → #9, lamps'], []],
	);
});

test('a new release of an ability is told by the version in use, as far as the service shows one', () => {
	const withVersions = (...versions: ReadonlyArray<readonly [string, boolean]>) => ({
		id: 1,
		name: 'lamps',
		capability_versions: versions.map(([version, isEnabled]) => ({version, is_user_enabled: isEnabled})),
	});
	assert.deepEqual(
		changesIn('abilities', [
			listOf('abilities', [withVersions(['1', true])]),
			listOf('abilities', [withVersions(['2', true], ['1', false])]),
			listOf('abilities', [withVersions(['3', false], ['2', true], ['1', false])]),
			listOf('abilities', [{id: 1, name: 'lamps'}]),
			listOf('abilities', [withVersions(['4', true])]),
		]),
		[[], ['~ ability lamps version: 1 → 2'], [], [], []],
	);
});
