import assert from 'node:assert/strict';
import test from 'node:test';
import {categories, categoryLabel, isCategory} from '../../source/interface/categories.ts';

test('each known category has a short word of its own', () => {
	assert.deepEqual(categories.map(category => [category, categoryLabel(category)]), [
		['skill', 'skill'],
		['brain_skill', 'brain'],
		['background_daemon', 'daemon'],
		['local', 'local'],
	]);
});

test('an unknown category stands for itself', () => {
	assert.equal(categoryLabel('hologram'), 'hologram');
	// Words that every object knows are no categories.
	assert.deepEqual(['hologram', 'toString', '__proto__', '', null, 7].filter(value => isCategory(value)), []);
	assert.equal(categoryLabel('constructor'), 'constructor');
});
