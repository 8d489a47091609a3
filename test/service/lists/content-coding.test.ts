import assert from 'node:assert/strict';
import {test} from 'node:test';
import {chooseCoding} from '../../../source/service/lists/content-coding.ts';

const cases = [
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
] as const;

for (const [header, coding] of cases) {
	test(`a client that accepts ${header ?? 'does not say what'} gets ${coding ?? 'the list as it is'}`, () => {
		assert.equal(chooseCoding(header), coding);
	});
}
