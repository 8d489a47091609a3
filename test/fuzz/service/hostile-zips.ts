import {Buffer} from 'node:buffer';
import {deflateRawSync} from 'node:zlib';
import {type RawEntry, rawZip} from '../../interface/ability-package/raw-zip.ts';
import type {Random} from '../targets.ts';
import {pick} from './hostile-values.ts';

export function soundZip(folder: string): Buffer {
	return rawZip(soundEntries(folder));
}

const soundEntries = (folder: string): readonly RawEntry[] => [
	{name: `${folder}main.py`, content: 'print(1)\n', isDeflated: true},
	{name: `${folder}__init__.py`},
	{name: `${folder}background.py`, content: 'print(2)\n'},
];

const bomb = deflateRawSync(Buffer.alloc(3 * 1024 * 1024), {level: 9});

/** Entries that no zip should have; one of them beside sound ones. */
const oddEntries: ReadonlyArray<(folder: string) => readonly RawEntry[]> = [
	folder => [{name: `${folder}../../outside.py`, content: 'x'}],
	() => [{name: '/etc/passwd', content: 'x'}],
	folder => [{name: String.raw`${folder}..\..\outside.py`, content: 'x'}],
	() => [{name: 'C:/outside.py', content: 'x'}],
	folder => [{name: `${folder}main.py`, content: 'twice'}],
	folder => [{name: `${folder}MAIN.py`, content: 'twice'}],
	folder => [{name: `${folder}main.py/x`, content: 'a file as a folder'}],
	folder => [{name: `${folder}link`, content: '/etc/passwd', mode: 0o12_0777}],
	folder => [{name: `${folder}device`, mode: 0o02_0666}],
	folder => [{name: `${folder}secret`, content: 'x', packed: Buffer.alloc(13), flags: 0x8_01}],
	folder => [{name: `${folder}method`, content: 'x', method: 14}],
	folder => [{name: `${folder}sum`, content: 'x', claimedChecksum: 1}],
	folder => [{name: `${folder}size`, content: 'xyz', claimedSize: 0xff_ff_ff_ff}],
	folder => [{name: `${folder}bomb`, packed: bomb, method: 8, claimedSize: 3 * 1024 * 1024}],
	folder => [{name: `${folder}small-bomb`, packed: bomb, method: 8, claimedSize: 100}],
	folder => [{name: `${folder}rubbish`, packed: Buffer.from('\u{FF}\u{FF}rubbish'), method: 8}],
	folder => [{name: Buffer.concat([Buffer.from(folder), Buffer.from([0xff, 0xfe, 0xed, 0xa0, 0x80])])}],
	folder => [{name: Buffer.concat([Buffer.from(folder), Buffer.from([0x80, 0x81, 0xe9])]), flags: 0}],
	folder => [{name: `${folder}nul\0.py`}],
	folder => [{name: `${folder}${'a/'.repeat(40)}deep`}],
	folder => [{name: `${folder}${'a'.repeat(60_000)}`}],
	folder => [{name: `${folder}${'e\u{301}'.repeat(100)}`}],
	() => [{name: ''}],
	folder => [{name: `${folder}descriptor`, content: 'x', flags: 0x8_08}],
	folder => [{name: `${folder}other`, localName: `${folder}evil`}],
	folder => [{name: `${folder}shared`, content: 'print(1)\n', isDeflated: true, sharedWith: 0}],
	folder => [{name: `${folder}.git/config`, content: 'x'}],
	folder => [{name: `${folder}__pycache__/main.pyc`, content: 'x'}],
	folder => [{name: folder, content: 'bytes of a folder', mode: 0o04_0755}],
	folder => Array.from({length: 2100}, (_value, index) => ({name: `${folder}${index}`})),
];

/**
A zip with the files of an ability, sound or broken in any way.

@param folder - before every path: a name and a slash for an upload, nothing for a release.
*/
export function randomZip(random: Random, folder: string): Buffer {
	const odd = random(3) === 0 ? [] : pick(random, oddEntries)(folder);
	const entries = [...soundEntries(folder).slice(random(8) === 0 ? 1 : 0), ...odd];
	const zip = rawZip(entries, random(12) === 0 ? pick(random, [0, 1, 60_000]) : entries.length);
	switch (random(10)) {
		case 0: {
			return zip.subarray(0, random(zip.length));
		}

		case 1: {
			return withZip64(random, zip);
		}

		case 2:
		case 3: {
			return withChangedBytes(random, zip);
		}

		case 4: {
			return withExtraField(random, zip);
		}

		case 5: {
			return Buffer.concat([zip, Buffer.from('after the end')]);
		}

		case 6: {
			return Buffer.concat([Buffer.from('before the beginning'), zip]);
		}

		default: {
			return zip;
		}
	}
}

/** The record at the end of a zip of more than 65,535 files or 4 GB, and where it is (APPNOTE.TXT 4.3.14, 4.3.15), with lies. */
function withZip64(random: Random, zip: Buffer): Buffer {
	const end = zip.subarray(-22);
	const record = Buffer.alloc(56);
	record.writeUInt32LE(0x06_06_4b_50, 0);
	record.writeBigUInt64LE(44n, 4);
	const lies = [0n, 1n, 2n, BigInt(end.readUInt32LE(16)), 0xff_ff_ff_ffn, 2n ** 53n, 2n ** 64n - 1n];
	for (const offset of [24, 32, 40, 48]) {
		record.writeBigUInt64LE(pick(random, lies), offset);
	}

	const locator = Buffer.alloc(20);
	locator.writeUInt32LE(0x07_06_4b_50, 0);
	locator.writeBigUInt64LE(random(2) === 0 ? BigInt(zip.length - 22) : pick(random, lies), 8);
	locator.writeUInt32LE(1, 16);
	const marked = Buffer.from(end);
	marked.fill(0xff, 8, 20);
	return Buffer.concat([zip.subarray(0, -22), record, locator, marked]);
}

function withChangedBytes(random: Random, zip: Buffer): Buffer {
	const changed = Buffer.from(zip);
	for (let count = 1 + random(4); count > 0; count--) {
		changed[random(changed.length)] = pick(random, [0, 1, 0x7f, 0x80, 0xff, random(256)]);
	}

	return changed;
}

/** An extra field of one file, whose length leads past the end, or a second name for it (APPNOTE.TXT 4.6.9). */
function withExtraField(random: Random, zip: Buffer): Buffer {
	const list = zip.readUInt32LE(zip.length - 6);
	const nameLength = zip.readUInt16LE(list + 28);
	const extra = pick(random, [
		Buffer.from('7570ffff01', 'hex'),
		Buffer.from(`75700b0001${'00'.repeat(4)}2e2e2f782e70`, 'hex'),
		Buffer.from('0100080001000000', 'hex'),
		Buffer.from('00', 'hex'),
	]);
	const changed = Buffer.concat([zip.subarray(0, list + 46 + nameLength), extra, zip.subarray(list + 46 + nameLength)]);
	changed.writeUInt16LE(extra.length, list + 30);
	changed.writeUInt32LE(changed.readUInt32LE(changed.length - 10) + extra.length, changed.length - 10);
	return changed;
}
