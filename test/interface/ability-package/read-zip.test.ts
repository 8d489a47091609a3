import {assert, assertMapped, Buffer, test, writeFile} from '../../helpers/node.ts';
import {join} from 'node:path';
import {crc32, deflateRawSync} from 'node:zlib';
import {abilityLimits} from '../../../source/interface/ability-package/limits.ts';
import {readZip} from '../../../source/interface/ability-package/read-zip.ts';
import {writeZip} from '../../../source/interface/ability-package/write-zip.ts';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {fieldsOf} from '../../helpers/fields-of.ts';
import {temporaryFolder} from '../../helpers/temporary-folder.ts';
import {type RawEntry, rawZip} from './raw-zip.ts';

const mebibyte = 1024 * 1024;

/** The kind and the message of the refusal, or `taken`. */
async function verdictOn(zip: Uint8Array | string): Promise<string> {
	try {
		await readZip(zip);
		return 'taken';
	} catch (error) {
		return error instanceof SwitchboardError && error.field === 'zip_file'
			? `${error.kind}: ${error.message}`
			: `foreign: ${String(error)}`;
	}
}

async function contentsOf(zip: Buffer): Promise<string> {
	const {files} = await readZip(zip);
	return files.map(({bytes}) => Buffer.from(bytes).toString()).join('|');
}

test('a valid zip is read file by file, byte by byte', async () => {
	const bytes = Buffer.from(Array.from({length: 3000}, (_value, index) => index % 251));
	const {files, leftOut} = await readZip(
		rawZip([
			{name: 'lamps/', mode: 0o04_0755},
			{name: 'lamps/main.py', content: 'print(1)\n', isDeflated: true},
			{name: 'lamps/sounds/čin.bin', content: bytes},
			{name: 'lamps/__init__.py'},
		]),
	);
	assert.deepEqual(fieldsOf(files, 'path', 'size'), [
		['lamps/main.py', 9],
		['lamps/sounds/čin.bin', 3000],
		['lamps/__init__.py', 0],
	]);
	assert.equal(Buffer.from(files[0]!.bytes).toString(), 'print(1)\n');
	assert.ok(bytes.equals(files[1]!.bytes));
	assert.deepEqual(leftOut, []);
});

test('a zip is read from a file as well as from memory', async () => {
	const folder = temporaryFolder();
	const path = join(folder, 'lamps.zip');
	await writeFile(path, await writeZip([{path: 'lamps/main.py', bytes: Buffer.from('1')}]));
	assertMapped((await readZip(path)).files, file => file.path, ['lamps/main.py']);
	assert.match(await verdictOn(join(folder, 'none.zip')), /^refused: .*none\.zip” cannot be read/);
});

test('a zip with backslashes between all folders is read as if they were slashes', async () => {
	const windows = [{name: 'lamps\\', mode: 0o04_0755}, {name: 'lamps\\data\\a.txt', content: 'x'}, {name: 'lamps\\.git\\config'}];
	const {files, leftOut} = await readZip(rawZip(windows));
	assert.deepEqual([files.map(({path}) => path), leftOut], [['lamps/data/a.txt'], ['lamps/.git/config']]);
});

test('what no package may hold can be left out, with everything in a virtual environment of any name', async () => {
	const names = ['main.py', '.env', 'data/server.pem', 'python/pyvenv.cfg', 'python/bin/run', 'pythons/a.py'];
	const {files, forbidden} = await readZip(rawZip(names.map(name => ({name}))), 'leave out');
	assert.deepEqual(fieldsOf(files, 'path'), ['main.py', 'pythons/a.py']);
	assert.deepEqual(forbidden, ['.env', 'data/server.pem', 'python/pyvenv.cfg', 'python/bin/run']);
});

test('files that are left out are not unpacked or checked', async () => {
	const {files, leftOut} = await readZip(
		rawZip([
			{name: 'lamps/main.py', content: '1'},
			{name: 'lamps/node_modules/.bin/tool', content: '../elsewhere', mode: 0o12_0777},
			{name: '__MACOSX/._lamps', content: 'x', claimedChecksum: 7},
		]),
	);
	assert.deepEqual(fieldsOf(files, 'path'), ['lamps/main.py']);
	assert.deepEqual(leftOut, ['lamps/node_modules/.bin/tool', '__MACOSX/._lamps']);
});

for (const [name, words] of [
	['lamps/.HG', /history of a version control system/],
	['lamps/data/.svn/entries', /history of a version control system/],
	['lamps/venv/bin/python', /virtual environment/],
	['lamps/python/pyvenv.cfg', /virtual environment/],
	['lamps/.env', /key or a password/],
	['lamps/server.key', /key or a password/],
	['.ssh/known_hosts', /key or a password/],
] as const) {
	test(`a zip with ${name} is refused`, async () => {
		const verdict = await verdictOn(
			rawZip([
				{name: 'lamps/main.py', content: '1'},
				{name, content: '2'},
			]),
		);
		assert.match(verdict, /^refused: /);
		assert.match(verdict, words);
	});
}

const hostileNames: ReadonlyArray<readonly [name: string | Uint8Array, words: RegExp]> = [
	['../main.py', /points outside its folder/],
	['lamps/../../main.py', /points outside its folder/],
	['lamps/..', /points outside its folder/],
	['/etc/passwd', /absolute/],
	['C:/main.py', /colon/],
	['lamps/main.py:hidden', /colon/],
	[String.raw`lamps\main.py`, /backslash/],
	[String.raw`..\..\main.py`, /backslash/],
	['lamps//main.py', /empty part/],
	['./main.py', /empty part/],
	['', /no name/],
	['lamps/a\u{0}.py', /control/],
	['lamps/\u{1B}]0;owned\u{7}.py', /control/],
	['lamps/\u{202E}yp.exe', /invisible/],
	[Buffer.from([0x6c, 0x2f, 0xff, 0xfe]), /undecodable/],
	[`lamps/${'a/'.repeat(40)}b`, /folders deep/],
	[`lamps/${'a'.repeat(300)}`, /240 characters/],
];

for (const [name, words] of hostileNames) {
	test(`a file named ${JSON.stringify(Buffer.from(name).toString())} is refused`, async () => {
		const verdict = await verdictOn(
			rawZip([
				{name: 'lamps/main.py', content: '1'},
				{name, content: '2'},
			]),
		);
		assert.match(verdict, /^refused: /);
		assert.match(verdict, words);
		assert.doesNotMatch(verdict, /[\u{0}-\u{1F}\u{202E}]/u, 'the message itself is safe to print');
	});
}

test('a folder outside the zip is refused like a file', async () => {
	assert.match(await verdictOn(rawZip([{name: '../lamps/', mode: 0o04_0755}])), /^refused: .*points out/);
});

const hostileEntries: ReadonlyArray<readonly [title: string, entries: readonly RawEntry[], words: RegExp]> = [
	['a symbolic link', [{name: 'lamps/link', content: '/etc/passwd', mode: 0o12_0777}], /“lamps\/link” is a symbolic link/],
	['a device', [{name: 'lamps/null', mode: 0o02_0666}], /neither a plain file nor a folder/],
	['a folder without its slash', [{name: 'lamps', mode: 0o04_0755}], /neither a plain file nor a folder/],
	['a folder with bytes of its own', [{name: 'lamps/', content: 'x', mode: 0o04_0755}], /folder with content/],
	['an encrypted file', [{name: 'lamps/main.py', content: 'x', packed: Buffer.alloc(13), flags: 0x8_01}], /encrypted/],
	['an unknown packing method', [{name: 'lamps/main.py', content: 'x', method: 14}], /unsupported compression method \(14\)/],
	['a wrong checksum', [{name: 'lamps/main.py', content: 'x', claimedChecksum: 1}], /checksum is wrong/],
	['a stored file with a lying size', [{name: 'lamps/main.py', content: 'xyz', claimedSize: 2}], /damaged/],
	['a packed file larger than it says', [{name: 'lamps/main.py', content: 'x'.repeat(5000), isDeflated: true, claimedSize: 10}], /damaged/],
	[
		'a packed file smaller than it says',
		[{name: 'lamps/main.py', content: 'x'.repeat(5000), isDeflated: true, claimedSize: 5001}],
		/damaged/,
	],
	['packed bytes that are none', [{name: 'lamps/main.py', content: 'hello', packed: Buffer.from('\u{FF}rubbish'), method: 8}], /damaged/],
	[
		'the same name twice',
		[
			{name: 'a/main.py', content: '1'},
			{name: 'a/main.py', content: '2'},
		],
		/occurs twice/,
	],
	[
		'two names that differ by case',
		[
			{name: 'a/main.py', content: '1'},
			{name: 'a/MAIN.py', content: '2'},
		],
		/the same file on many systems/,
	],
	['two names that differ by composition', [{name: 'a/\u{E9}.py'}, {name: 'a/e\u{301}.py'}], /the same file/],
	['a name that is a file and a folder', [{name: 'a/b'}, {name: 'a/b/c.py'}], /both a file and a folder/],
	['a name that is a file and an empty folder', [{name: 'a/b'}, {name: 'a/B/', mode: 0o04_0755}], /both a file and a folder/],
	['one name in front and another in the list', [{name: 'a/main.py', localName: 'a/evil.py'}], /contradicts itself/],
	[
		'two files on the same bytes',
		[
			{name: 'a/main.py', content: 'x'},
			{name: 'a/main.py', content: 'x', sharedWith: 0},
		],
		/overlaps another file/,
	],
];

for (const [title, entries, words] of hostileEntries) {
	test(`${title} is refused`, async () => {
		const verdict = await verdictOn(rawZip(entries));
		assert.match(verdict, /^refused: /);
		assert.match(verdict, words);
	});
}

test('overlapping files are refused even with different names', async () => {
	// The second file's header lies inside the first one's bytes.
	const inner = rawZip([{name: 'a/two', content: 'y'.repeat(50)}]).subarray(0, 30 + 5 + 50);
	const outer = rawZip([
		{name: 'a/one', content: inner},
		{name: 'a/two', content: 'y'.repeat(50), sharedWith: 0},
	]);
	const listOffset = outer.readUInt32LE(outer.length - 6);
	const firstRecordLength = 46 + 5;
	outer.writeUInt32LE(30 + 5, listOffset + firstRecordLength + 42);
	assert.match(await verdictOn(outer), /^refused: .*“a\/two” overlaps another file/);
});

test('a zip bomb is refused before it is unpacked', async () => {
	const packed = deflateRawSync(Buffer.alloc(10 * mebibyte), {level: 9});
	const bomb = rawZip([{name: 'a/main.py', packed, method: 8, claimedSize: 10 * mebibyte}]);
	assert.match(await verdictOn(bomb), /^too-large: .*more than 200 times/);
});

test('a zip bomb that lies about its size is stopped at the size it claims', async () => {
	const packed = deflateRawSync(Buffer.alloc(10 * mebibyte), {level: 9});
	const bomb = rawZip([{name: 'a/main.py', packed, method: 8, claimedSize: 1000}]);
	assert.equal(await verdictOn(bomb), 'refused: “a/main.py” is damaged in the zip.');
});

test('too many files are refused, whatever they are', async () => {
	const names = (count: number): readonly RawEntry[] => Array.from({length: count}, (_value, index) => ({name: `a/${index}`}));
	assert.match(
		await verdictOn(rawZip(names(abilityLimits.fileCount + 1))),
		/^too-large: .*There are 2001 files; an ability may have at most 2000/,
	);
	assert.match(await verdictOn(rawZip(names(1), 20_001)), /^too-large: .*lists 20001 files/);
	assert.equal((await readZip(rawZip(names(abilityLimits.fileCount)))).files.length, abilityLimits.fileCount);
});

test('each size limit is reported with both sizes', async () => {
	const incompressible = (size: number): Buffer => Buffer.alloc(size, 'spam and eggs');
	assert.match(
		await verdictOn(rawZip([{name: 'a/big', content: incompressible(17 * mebibyte)}])),
		/^too-large: .*“a\/big” is 17 MB; one file may be at most 16 MB/,
	);
	assert.match(
		await verdictOn(rawZip([1, 2, 3].map(number => ({name: `a/${number}`, content: incompressible(11 * mebibyte)})))),
		/^too-large: .*are 33 MB in all; an ability may be at most 32 MB/,
	);
	assert.match(await verdictOn(Buffer.alloc(35 * mebibyte)), /^too-large: .*zip is 35 MB; it may be at most 34 MB/);
});

test('a zip that lists fewer files than it contains is refused', async () => {
	assert.match(await verdictOn(rawZip([{name: 'a/main.py'}, {name: 'a/hidden.py'}], 1)), /^refused: .*more files than it lists/);
	assert.match(await verdictOn(rawZip([{name: 'a/main.py'}], 3)), /^refused: .*not a zip, or it is damaged/);
});

test('a zip whose files are of another moment than its list is refused', async () => {
	const descriptorOf = (content: string, sizeBytes: 4 | 8 = 4): Buffer => {
		const descriptor = Buffer.alloc(8 + sizeBytes * 2);
		descriptor.writeUInt32LE(0x08_07_4b_50, 0);
		descriptor.writeUInt32LE(crc32(content), 4);
		descriptor.writeUInt32LE(content.length, 8);
		descriptor.writeUInt32LE(content.length, 8 + sizeBytes);
		return descriptor;
	};

	const streamed = {name: 'a/main.py', content: 'new', flags: 0x8_08, localChecksum: 0};
	const last = {name: 'a/z.py', content: 'z'};
	for (const descriptor of [descriptorOf('new'), descriptorOf('new', 8), descriptorOf('new').subarray(4)]) {
		assert.equal(await contentsOf(rawZip([{...streamed, descriptor}, last])), 'new|z');
	}

	assert.match(
		await verdictOn(rawZip([{...streamed, descriptor: descriptorOf('old')}, last])),
		/^refused: The zip contradicts itself about “a\/main\.py”\.$/,
	);
	assert.match(
		await verdictOn(rawZip([{name: 'a/main.py', content: 'new', localChecksum: crc32('old')}, last])),
		/^refused: The zip contradicts itself about “a\/main\.py”\.$/,
	);
	const whole = rawZip([{name: 'a/main.py', content: 'new'}, last]);
	const withHidden = Buffer.from(rawZip([{name: 'a/main.py', content: 'new'}, {name: 'a/hidden.py'}, last]));
	assert.equal(await verdictOn(whole), 'taken');
	// The record of the file in the middle of the list is dropped.
	const list = withHidden.indexOf(Buffer.from('504b0102', 'hex'));
	const second = withHidden.indexOf(Buffer.from('504b0102', 'hex'), list + 1);
	const third = withHidden.indexOf(Buffer.from('504b0102', 'hex'), second + 1);
	const shortened = Buffer.concat([withHidden.subarray(0, second), withHidden.subarray(third)]);
	const end = shortened.length - 22;
	shortened.writeUInt16LE(2, end + 8);
	shortened.writeUInt16LE(2, end + 10);
	shortened.writeUInt32LE(end - list, end + 12);
	assert.match(await verdictOn(shortened), /^refused: The zip contains more files than it lists\.$/);
});

test('a zip that is cut off anywhere is refused', async () => {
	const whole = rawZip([
		{name: 'a/main.py', content: 'print(1)', isDeflated: true},
		{name: 'a/__init__.py', content: 'x'},
	]);
	const verdicts = await Promise.all([...whole.keys()].map(async length => verdictOn(whole.subarray(0, length))));
	assert.deepEqual([...new Set(verdicts)], ['refused: This is not a zip, or it is damaged.']);
});

test('a zip with any one byte changed is refused or still gives the same files', async () => {
	const whole = rawZip([
		{name: 'a/main.py', content: 'print(1)', isDeflated: true},
		{name: 'a/__init__.py', content: 'x'},
	]);
	const right = await contentsOf(whole);
	const surprises: string[] = [];
	for (const [index, byte] of whole.entries()) {
		for (const flip of [0x01, 0x80, 0xff]) {
			// eslint-disable-next-line no-bitwise -- Flags and modes are made of bits.
			const changed = whole.with(index, byte ^ flip);
			const verdict = await verdictOn(changed);
			if (verdict.startsWith('foreign') || (verdict === 'taken' && (await contentsOf(Buffer.from(changed))) !== right)) {
				surprises.push(`byte ${index}, ${flip}: ${verdict}`);
			}
		}
	}

	assert.deepEqual(surprises, []);
});
