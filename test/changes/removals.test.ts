import {assert, Buffer, path, readdirSync, statSync, test} from '../helpers/node.ts';
import {truncateSync, utimesSync, writeFileSync} from 'node:fs';
import {keepPackage, maximumKeptBytes, readPackage} from '../../source/changes/kept-packages.ts';
import {openLog} from '../../source/changes/log.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

const origin = {session: 's', group: 'g'};

const removal = {kind: 'ability', record: 21, name: 'lamps', via: 'screen', by: 'you', origin, before: {name: 'lamps'}} as const;

const namesIn = (folder: string): readonly string[] => readdirSync(folder).filter(name => name.endsWith('.zip'));

test('a package is private, follows the new name of its account and goes with the log', async () => {
	const stateFolder = temporaryFolder();
	const [first, second] = ['first', 'second'].map(account => openLog(account, {stateFolder})) as [
		ReturnType<typeof openLog>,
		ReturnType<typeof openLog>,
	];
	const name = await first.noteRemoval(removal, Buffer.from('zip'));
	assert.equal(Buffer.from(first.package(name!)!).toString(), 'zip');
	const [file = ''] = namesIn(first.folder!);
	assert.equal(statSync(path.join(first.folder!, file)).mode % 0o1000, 0o600);
	assert.deepEqual(first.all().changes[0]!.before, {name: 'lamps', source: {zip: name}});
	await first.moveTo('second');
	assert.equal(first.package(name!), undefined);
	assert.equal(Buffer.from(second.package(name!)!).toString(), 'zip');
	await second.remove();
	assert.deepEqual(
		readdirSync(second.folder!).filter(each => !each.endsWith('.lock')),
		[],
	);
});

test('a removal that is withdrawn, because the list still has the record, is not taken for one that was cut off', async () => {
	const log = openLog('first', {stateFolder: temporaryFolder()});
	await log.noteRemoval(removal, Buffer.from('zip'));
	assert.equal(log.all().changes.length, 1, 'cut off before it was noted');
	const change = {...removal, field: 'exists', from: true, to: false, at: Date.now(), since: Date.now()};
	await log.note([change]);
	assert.equal(log.all().changes.length, 1);
	await log.withdraw([change]);
	assert.deepEqual(log.all().changes, []);
});

test('packages are kept for thirty days, and the oldest make room for new ones', () => {
	const log = path.join(temporaryFolder(), 'log.jsonl');
	const [old, large, other] = ['a', 'b', 'c'].map(letter => letter.repeat(24)) as [string, string, string];
	const fileOf = (name: string): string => `${log}.${name}.zip`;
	for (const [name, days] of [
		[old, 31],
		[large, 20],
		[other, 1],
	] as const) {
		writeFileSync(fileOf(name), 'zip');
		utimesSync(fileOf(name), new Date(), new Date(Date.now() - days * 24 * 60 * 60 * 1000));
	}

	const {mtime} = statSync(fileOf(large));
	const first = keepPackage(log, Buffer.from('first'));
	assert.deepEqual(
		[old, large, other, first].map(name => readPackage(log, name) !== undefined),
		[false, true, true, true],
	);
	truncateSync(fileOf(large), maximumKeptBytes);
	utimesSync(fileOf(large), mtime, mtime);
	const second = keepPackage(log, Buffer.from('second'));
	assert.deepEqual(
		[large, other, first, second].map(name => readPackage(log, name) !== undefined),
		[false, true, true, true],
	);
	assert.equal(readPackage(log, '../log'), undefined, 'a name of the log leads nowhere else');
});
