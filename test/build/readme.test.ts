import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {test} from 'node:test';
import {withKeysTable} from '../../source/build/readme-keys.ts';
import {isJsonObject, type JsonObject} from '../../source/interface/json.ts';
import {checkKeyOverrides} from '../../source/tui/keys/key-overrides.ts';

const root = path.resolve(import.meta.dirname, '../..');

const readme = await readFile(path.join(root, 'README.md'), 'utf8');

test('the README has the keys that the program has', () => {
	assert.ok(readme.includes('<!-- keys -->'));
	assert.equal(readme, withKeysTable(readme), 'npm run readme-keys mends it');
});

test('every picture of the README is there', () => {
	const pictures = [...readme.matchAll(/!\[[^\]]*\]\((?<file>[^)]+)\)/gu)].map(match => match.groups!['file']!);
	assert.ok(pictures.length > 0);
	assert.deepEqual(pictures.filter(picture => !existsSync(path.join(root, picture))), []);
});

test('the keys of the README\'s example are ones that the program takes', () => {
	const example: unknown = JSON.parse(/```json\n(?<json>\{"keys": .*\})\n```/u.exec(readme)!.groups!['json']!);
	assert.ok(isJsonObject(example));
	const bindings = Object.entries(example['keys'] as JsonObject).map(([action, value]) => ({action, keys: value === null ? [] : [value].flat() as string[], line: 1}));
	assert.deepEqual(checkKeyOverrides({bindings, wrongLine: undefined}).problems, []);
	assert.ok(bindings.length > 2);
});
