import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {test} from 'node:test';
import {withKeysTable} from '../../source/build/readme-keys.ts';

const root = path.resolve(import.meta.dirname, '../..');

const readme = await readFile(path.join(root, 'README.md'), 'utf8');

test('the table of keys in the README is the one that the program makes', () => {
	assert.ok(readme.includes('<!-- keys -->'));
	assert.equal(readme, withKeysTable(readme), 'run: npm run readme-keys');
});

test('every picture of the README exists', () => {
	const pictures = [...readme.matchAll(/!\[[^\]]*\]\((?<file>[^)]+)\)/gu)].map(match => match.groups!['file']!);
	assert.ok(pictures.length > 0);
	assert.deepEqual(pictures.filter(picture => !existsSync(path.join(root, picture))), []);
});
