import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import test from 'node:test';
import {detectImageType} from '../../../source/interface/ability-package/image-type.ts';

test('an image is recognised by its bytes', () => {
	assert.equal(detectImageType(Buffer.from('89504e470d0a1a0a0000000d', 'hex')), 'image/png');
	assert.equal(detectImageType(Buffer.from('ffd8ffe000104a464946', 'hex')), 'image/jpeg');
});

test('other files are not accepted as images', () => {
	const pretenders = ['', 'GIF89a', '<svg xmlns="…">', '\u{89}PNG', 'PK\u{3}\u{4}'];
	assert.deepEqual(pretenders.filter(bytes => detectImageType(Buffer.from(bytes)) !== undefined), []);
});
