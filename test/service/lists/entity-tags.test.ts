import assert from 'node:assert/strict';
import {test} from 'node:test';
import {entityTag, findMatch} from '../../../source/service/lists/entity-tags.ts';

const tag = entityTag('AB12', 'f0');

const matches = [tag, `W/${tag}`, ` ${tag} `, `"other", ${tag}`, `"a,b",${tag},W/"c"`, '*'];

for (const header of matches) {
	test(`a client that has ${header} has the list`, () => {
		assert.equal(findMatch(header, 'AB12', 'f0'), tag);
	});
}

for (const header of [undefined, '', '""', 'AB12-f0', '"AB12"', '"other"', '"*"', '"AB12-f0']) {
	test(`a client that has ${header ?? 'nothing'} does not have the list`, () => {
		assert.equal(findMatch(header, 'AB12', 'f0'), undefined);
	});
}

test('a list in another coding has another tag, by which it is recognized', () => {
	const compressed = entityTag('AB12', 'f0', 'gzip');
	assert.notEqual(compressed, tag);
	assert.equal(findMatch(compressed, 'AB12', 'f0'), compressed);
});

test('a list has another tag once its records have another form', () => {
	assert.equal(findMatch(tag, 'AB12', 'f1'), undefined);
});
