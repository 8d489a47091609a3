import {assert, test} from '../../helpers/node.ts';
import {chooseCoding, entityTag, findMatch} from '../../../source/service/lists/representations.ts';

test('a client gets a list in the coding that it prefers, or as it is', () => {
	for (const [header, coding] of [
		[undefined, undefined],
		['', undefined],
		['identity', undefined],
		['deflate', undefined],
		['gzip', 'gzip'],
		['GZip', 'gzip'],
		['gzip, deflate, br', 'br'],
		['gzip;q=0.9, br;q=0.8', 'gzip'],
		['br;q=0, gzip', 'gzip'],
		['gzip; q=0', undefined],
		['*', 'br'],
		['*;q=0', undefined],
		['*, br;q=0', 'gzip'],
		['identity, gzip;q=0.5', undefined],
		['gzip;q=nonsense', undefined],
	] as const) {
		assert.equal(chooseCoding(header), coding, header);
	}
});

test('a client has the list whose tag it sends, in this form and in whatever coding', () => {
	const tag = entityTag('AB12', 'f0');
	for (const header of [tag, `W/${tag}`, ` ${tag} `, `"other", ${tag}`, `"a,b",${tag},W/"c"`, '*']) {
		assert.equal(findMatch(header, 'AB12', 'f0'), tag, header);
	}

	for (const header of [undefined, '', '""', 'AB12-f0', '"AB12"', '"other"', '"*"', '"AB12-f0']) {
		assert.equal(findMatch(header, 'AB12', 'f0'), undefined, header);
	}

	const compressed = entityTag('AB12', 'f0', 'gzip');
	assert.notEqual(compressed, tag);
	assert.equal(findMatch(compressed, 'AB12', 'f0'), compressed);
	assert.equal(findMatch(tag, 'AB12', 'f1'), undefined);
});
