import {assert, assertMapped, assertNone, test} from '../helpers/node.ts';
import {categories, categoryLabel, categoryOf, categoryWords, isCategory} from '../../source/interface/categories.ts';

test('each known category has its own short word', () =>
	assertMapped(categories, category => [category, categoryLabel(category)], [
		['skill', 'skill'],
		['brain_skill', 'brain'],
		['background_daemon', 'daemon'],
		['local', 'local'],
	]));

test('a category is accepted by its short word and by its full name, in any case', () => {
	assert.deepEqual(
		['daemon', 'background_daemon', 'Brain', 'BRAIN_SKILL', ' skill ', 'local'].map(word => categoryOf(word)),
		['background_daemon', 'background_daemon', 'brain_skill', 'brain_skill', 'skill', 'local'],
	);
	assertMapped(['', 'back', 'hologram', 'toString'], word => categoryOf(word), [undefined, undefined, undefined, undefined]);
	assert.deepEqual(categoryWords, ['skill', 'brain', 'daemon', 'local', 'brain_skill', 'background_daemon']);
});

test('an unknown category is shown as it is', () => {
	assert.equal(categoryLabel('hologram'), 'hologram');
	// Words that every object knows are no categories.
	assertNone(['hologram', 'toString', '__proto__', '', null, 7], value => isCategory(value));
	assert.equal(categoryLabel('constructor'), 'constructor');
});
