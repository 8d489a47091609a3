import {assert, fork, once, path} from '../helpers/node.ts';
import {openStore} from '../../source/service/store/open-store.ts';

const processCount = 4;

/** Several processes open a new data folder or database at the same moment: each can use it, and none disturbs another. */
export async function assertOpensTogether(location: string): Promise<void> {
	const children = Array.from({length: processCount}, () => fork(path.join(import.meta.dirname, 'open-store-child.ts'), [location]));
	await Promise.all(children.map(async child => once(child, 'message')));
	for (const child of children) {
		child.send('open');
	}

	const codes = await Promise.all(children.map(async child => ((await once(child, 'exit')) as [number])[0]));
	assert.deepEqual(
		codes,
		children.map(() => 0),
	);
	const store = await openStore(location);
	const keys = await store.accounts.listKeys();
	assert.equal(new Set(keys.map(({account}) => account)).size, processCount);
	await store.close();
}
