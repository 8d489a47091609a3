import {assert, Buffer, process, test} from '../helpers/node.ts';
import {appendFile, chmod, link, rename, rm, symlink, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {listFolder, readFolder} from '../../source/bundle/read-source.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {abilityFolder, lamps, refusalOf} from './ability-folder.ts';

/** Each happens to the folder between a first look at it and the reading of its files. */
const changes: ReadonlyArray<readonly [title: string, change: (folder: string) => Promise<void>, verdict: string]> = [
	['nothing', async () => undefined, 'read'],
	['a file that grows', async folder => appendFile(join(folder, 'main.py'), 'x'), 'conflict: “main.py” changed while it was read.'],
	[
		'a file that is written again with as many bytes',
		async folder => {
			await writeFile(join(folder, 'sounds/bell.txt'), 'dong');
			await utimes(join(folder, 'sounds/bell.txt'), 2e9, 2e9);
		},
		'conflict: “sounds/bell.txt” changed while it was read.',
	],
	[
		'a file that another takes the place of',
		async folder => {
			await writeFile(join(folder, '.DS_Store'), 'ding');
			await rename(join(folder, '.DS_Store'), join(folder, 'sounds/bell.txt'));
		},
		'conflict: “sounds/bell.txt” changed while it was read.',
	],
	['a new file', async folder => writeFile(join(folder, 'new.py'), ''), 'conflict: “new.py” changed while it was read.'],
	['a file that goes away', async folder => rm(join(folder, 'main.py')), 'refused: “main.py” does not exist.'],
	[
		'a file that becomes a link',
		async folder => {
			await rm(join(folder, 'main.py'));
			await symlink('/etc/passwd', join(folder, 'main.py'));
		},
		'refused: “main.py” is a symbolic link, or part of a loop of links.',
	],
	['junk that changes', async folder => writeFile(join(folder, '.DS_Store'), 'x'), 'read'],
];

async function outcomeOf(work: Promise<unknown>): Promise<string> {
	try {
		await work;
		return 'read';
	} catch (error) {
		return error instanceof SwitchboardError ? `${error.kind}: ${error.message}` : String(error);
	}
}

for (const [title, change, verdict] of changes) {
	test(`${title} is ${verdict === 'read' ? 'ignored' : 'noticed'} while a folder is read`, async () => {
		const folder = await abilityFolder();
		const listing = await listFolder(folder);
		await change(folder);
		assert.equal(await outcomeOf(readFolder(folder, listing)), verdict);
	});
}

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
	await link(join(folder, 'main.py'), Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]));
	assert.match(await refusalOf(folder), /^refused zip_file: .* undecodable characters\.$/);
});
