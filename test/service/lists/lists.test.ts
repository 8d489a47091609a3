import assert from 'node:assert/strict';
import {test} from 'node:test';
import {setImmediate} from 'node:timers/promises';
import {createListForm} from '../../../source/service/lists/list-form.ts';
import {createLists, type Asker} from '../../../source/service/lists/lists.ts';
import {type Listed} from '../../../source/service/store/store.ts';

/** A list that is read when the test says so. */
const createReads = () => {
	const reads: Array<PromiseWithResolvers<Listed<object>>> = [];
	const form = createListForm({}, {
		name: 'installed',
		list: 'installed',
		async read() {
			const read = Promise.withResolvers<Listed<object>>();
			reads.push(read);
			return read.promise;
		},
	});
	return {reads, form};
};

const askerOf = (version: string, gone = new AbortController().signal): Asker => ({
	caller: {
		accountId: 1, account: 'default', keyName: '1', keyId: 1, versions: {agents: '', abilities: '', installed: version},
	},
	group: '127.0.0.1',
	gone,
});

const withRoom = () => createLists({takeRoom: async () => () => undefined, isCompressing: true});

test('all who ask for a list while it is read share one read, and those after it need none', async () => {
	const {reads, form} = createReads();
	const lists = withRoom();
	const answers = Promise.all(Array.from({length: 10}, async () => lists.read(form, askerOf('first'))));
	await setImmediate();
	assert.equal(reads.length, 1);
	reads[0]!.resolve({version: 'first', records: [{id: 1}]});
	const texts = await answers;
	assert.deepEqual(texts.map(text => text?.bytes.toString()), texts.map(() => '[{"id":1}]'));
	assert.equal(lists.find(form, askerOf('first').caller), texts[0]);
	assert.equal(lists.find(form, askerOf('second').caller), undefined);
});

test('whoever knows of a newer version than the one that is being read waits for the next read, which all such readers share', async () => {
	const {reads, form} = createReads();
	const lists = withRoom();
	const early = lists.read(form, askerOf('first'));
	const late = [lists.read(form, askerOf('second')), lists.read(form, askerOf('third'))];
	await setImmediate();
	reads[0]!.resolve({version: 'first', records: []});
	assert.equal((await early)?.version, 'first');
	await setImmediate();
	assert.equal(reads.length, 2);
	reads[1]!.resolve({version: 'third', records: []});
	assert.deepEqual((await Promise.all(late)).map(text => text?.version), ['third', 'third']);
});

test('whoever knows of the version that is being read does not wait for another', async () => {
	const {reads, form} = createReads();
	const lists = withRoom();
	const answers = [lists.read(form, askerOf('first')), lists.read(form, askerOf('second'))];
	await setImmediate();
	reads[0]!.resolve({version: 'second', records: []});
	assert.deepEqual((await Promise.all(answers)).map(text => text?.version), ['second', 'second']);
	assert.equal(reads.length, 1);
});

test('a list is not read for a client that has already gone', async () => {
	const {reads, form} = createReads();
	assert.equal(await withRoom().read(form, askerOf('first', AbortSignal.abort())), undefined);
	assert.equal(reads.length, 0);
});

test('a list that nobody waits for any more is not read', async () => {
	const {reads, form} = createReads();
	const room = Promise.withResolvers<() => void>();
	let isGivenBack = false;
	const lists = createLists({takeRoom: async () => room.promise, isCompressing: true});
	const gone = new AbortController();
	const answer = lists.read(form, askerOf('first', gone.signal));
	gone.abort();
	room.resolve(() => {
		isGivenBack = true;
	});
	assert.equal(await answer, undefined);
	assert.deepEqual([reads.length, isGivenBack], [0, true]);
});

test('a list that nobody waits for any more is not written to its end', async () => {
	const {reads, form} = createReads();
	const lists = withRoom();
	const gone = [new AbortController(), new AbortController()];
	const answers = gone.map(async ({signal}) => lists.read(form, askerOf('first', signal)));
	await setImmediate();
	let writtenCount = 0;
	const records = Array.from({length: 5000}, () => ({
		toJSON() {
			writtenCount++;
			return {};
		},
	}));
	gone[0]!.abort();
	reads[0]!.resolve({version: 'first', records});
	await setImmediate();
	gone[1]!.abort();
	assert.deepEqual(await Promise.all(answers), [undefined, undefined]);
	assert.ok(writtenCount > 0);
	assert.ok(writtenCount < records.length, `${writtenCount} written`);
	assert.equal(lists.find(form, askerOf('first').caller), undefined);
});

test('a list is read for those who stay when the first who asked has gone', async () => {
	const {reads, form} = createReads();
	const lists = withRoom();
	const gone = new AbortController();
	const answers = [lists.read(form, askerOf('first', gone.signal)), lists.read(form, askerOf('first'))];
	await setImmediate();
	gone.abort();
	reads[0]!.resolve({version: 'first', records: []});
	assert.equal((await answers[1])?.version, 'first');
});

test('a read that fails is not kept', async () => {
	const {reads, form} = createReads();
	const lists = withRoom();
	const failed = lists.read(form, askerOf('first'));
	await setImmediate();
	reads[0]!.reject(new Error('away'));
	await assert.rejects(failed, /away/);
	const answer = lists.read(form, askerOf('first'));
	await setImmediate();
	reads[1]!.resolve({version: 'first', records: []});
	assert.equal((await answer)?.version, 'first');
});
