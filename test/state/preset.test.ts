import {assert, test} from '../helpers/node.ts';
import {createPresetPlanner, takePreset, type Switchable} from '../../source/state/preset.ts';

const installed = (id: number, name: string, isEnabled: boolean | undefined): Switchable => ({id, name, isEnabled});

const night = {name: 'night', on: ['Nightwatch'], off: ['lamplighter', 'pantry']};

test('a preset holds what is on and what is off, sorted, and leaves out what it cannot hold', () =>
	assert.deepEqual(
		takePreset('now', [
			installed(1, 'pantry', true),
			installed(2, 'nightwatch', false),
			installed(3, 'lamps', true),
			installed(4, 'porch', undefined),
			installed(5, 'radio', true),
			installed(6, 'Radio', false),
			installed(7, 'radio', false),
		]),
		{
			preset: {name: 'now', on: ['lamps', 'pantry'], off: ['Radio', 'nightwatch']},
			leftOut: [
				{name: 'porch', ids: [4], reason: 'unknown-state'},
				{name: 'radio', ids: [5, 7], reason: 'shared-name'},
			],
		},
	));

test('a preset changes what is in another state or in an unknown one, by name in any case, and nothing else', () => {
	const planOf = createPresetPlanner([
		installed(1, 'pantry', true),
		installed(2, 'nightwatch', undefined),
		installed(3, 'lamplighter', false),
		installed(4, 'radio', true),
	]);
	assert.deepEqual(planOf(night), {
		changes: [
			{kind: 'installed', name: 'nightwatch', field: 'enabled', from: null, to: true},
			{kind: 'installed', name: 'pantry', field: 'enabled', from: true, to: false},
		],
		targets: [
			{id: 2, isEnabled: true},
			{id: 3, isEnabled: false},
			{id: 1, isEnabled: false},
		],
		missing: [],
		shared: [],
	});
});

test('a preset leaves alone what is no longer installed, and a name that several have by now', () => {
	const planOf = createPresetPlanner([installed(1, 'Pantry', true), installed(2, 'PANTRY', true)]);
	assert.deepEqual(planOf(night), {
		changes: [],
		targets: [],
		missing: ['Nightwatch', 'lamplighter'],
		shared: [{name: 'pantry', ids: [1, 2]}],
	});
});

test('of names that differ in case only each means the record that it spells', () => {
	const twins = [installed(1, 'pantry', false), installed(2, 'Pantry', true)];
	const {preset} = takePreset('now', twins);
	const planOf = createPresetPlanner(twins.map(record => ({...record, isEnabled: !record.isEnabled})));
	assert.deepEqual(planOf(preset).targets, [
		{id: 2, isEnabled: true},
		{id: 1, isEnabled: false},
	]);
	// The other one must not be switched in its place.
	assert.deepEqual(createPresetPlanner([installed(1, 'pantry', false)])(preset), {
		changes: [],
		targets: [{id: 1, isEnabled: false}],
		missing: ['Pantry'],
		shared: [],
	});
});

test('what is taken as a preset has nothing to change right after', () => {
	const records = [installed(1, 'pantry', true), installed(2, 'nightwatch', false), installed(3, '#7', false)];
	const {preset} = takePreset('now', records);
	const {changes, targets} = createPresetPlanner(records)(preset);
	assert.deepEqual([changes, targets.length], [[], 3]);
});
