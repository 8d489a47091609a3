import {assert, Buffer, test} from '../../helpers/node.ts';
import {hash} from 'node:crypto';
import {readZip} from '../../../source/interface/ability-package/read-zip.ts';
import {type PackageFile, writeZip} from '../../../source/interface/ability-package/write-zip.ts';

const files: readonly PackageFile[] = [
	{path: 'lamps/main.py', bytes: Buffer.from('print(1)\n'.repeat(100))},
	{path: 'lamps/__init__.py', bytes: Buffer.alloc(0)},
	{path: 'lamps/data/Ž.txt', bytes: Buffer.from([0, 1, 2, 255])},
];

test('a written zip can be read back', async () => {
	const {files: read} = await readZip(await writeZip(files));
	assert.deepEqual(
		read.map(({path, bytes}) => [path, Buffer.from(bytes).toString('hex')]),
		files.map(({path, bytes}) => [path, Buffer.from(bytes).toString('hex')]).toSorted(([first], [second]) => (first! < second! ? -1 : 1)),
	);
});

test('the order of the files makes no difference', async () => {
	assert.ok((await writeZip(files)).equals(await writeZip(files.toReversed())));
});

test('the same files give the same bytes in every version', async () => {
	// Another sum here would make every unchanged ability look changed to whoever compares checksums.
	assert.equal(hash('sha256', await writeZip(files)), '9577d2503a64d21653f6e81495331472206817780a3747160e38483f93e57d7e');
});
