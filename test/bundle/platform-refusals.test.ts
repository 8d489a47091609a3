import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {chmod, link} from 'node:fs/promises';
import {join} from 'node:path';
import process from 'node:process';
import test from 'node:test';
import {abilityFolder, lamps} from './ability-folder.ts';
import {refusalOf} from './refusal-of.ts';

/** May read everything, so that nothing can be refused to it. */
const isRoot = process.getuid?.() === 0;

/** The one system that holds names which differ by case alone, or which are no text. */
const isLinux = process.platform === 'linux';

test('an unreadable file is named', {skip: isRoot}, async () => {
	const folder = await abilityFolder();
	await chmod(join(folder, 'sounds/bell.txt'), 0);
	assert.equal(await refusalOf(folder), 'refused zip_file: “sounds/bell.txt” cannot be read: permission denied.');
});

test('an unreadable folder is named', {skip: isRoot}, async () => {
	const folder = await abilityFolder();
	await chmod(join(folder, 'sounds'), 0);
	const refusal = await refusalOf(folder);
	await chmod(join(folder, 'sounds'), 0o700);
	assert.equal(refusal, 'refused zip_file: “sounds” cannot be read: permission denied.');
});

test('two names that are the same on other systems are refused', {skip: !isLinux}, async () => {
	const folder = await abilityFolder({...lamps, 'Main.py': ''});
	assert.match(await refusalOf(folder), /^refused zip_file: .*are the same file on many systems\.$/);
});

test('a name that cannot be decoded is refused', {skip: !isLinux}, async () => {
	const folder = await abilityFolder();
	await link(join(folder, 'main.py'), Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xFF, 0xFE])]));
	assert.match(await refusalOf(folder), /^refused zip_file: .* undecodable characters\.$/);
});
