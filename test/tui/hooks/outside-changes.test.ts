import {assert, test, type TestContext} from '../../helpers/node.ts';
import type {Client} from '../../../source/client/client.ts';
import {SwitchboardError} from '../../../source/interface/errors.ts';
import {createDeferredClient} from '../../../source/tui/hooks/open-session.ts';
import type {Change} from '../../../source/tui/hooks/list-changes.ts';
import {createOutsideChanges, signMilliseconds} from '../../../source/tui/hooks/outside-changes.ts';
import {installedAbility} from '../helpers/held-service.ts';

type States = Readonly<Record<number, boolean>>;

const listOf = (states: States) => ({
	records: Object.entries(states).map(([id, isEnabled]) => installedAbility(Number(id), isEnabled)),
	isComplete: true,
	leftOutCount: 0,
});

/** Watches lists, with a service that answers as it is told. */
const open = (setEnabled: () => Promise<void> = async () => undefined) => {
	let known: States | undefined;
	const seen: Change[] = [];
	const nobody = createDeferredClient('http://192.0.2.1', async () => {
		throw new SwitchboardError('unreachable', 'Nobody is there.');
	});
	const client: Client = {
		...nobody,
		async setEnabled(installed, isEnabled) {
			await setEnabled();
			return {...installed, isEnabled};
		},
	};
	const outside = createOutsideChanges({
		knownList: () => (known === undefined ? undefined : (listOf(known) as never)),
		onChanged(changes) {
			seen.push(...changes);
		},
	});
	return {
		outside,
		client: outside.recorded(client),
		/** A list comes, is compared, and is the known one from then on. */
		async read(states: States) {
			await outside.watch('installed', async () => listOf(states));
			known = states;
		},
		/** A change made here is settled in the known list. */
		settle(states: States) {
			known = states;
		},
		texts: () => seen.splice(0).map(({id, kind, from, to}) => [id, kind, from, to].join(' ').trim()),
	};
};

test('a highlight ends after ten seconds, and the record still counts as changed', async (t: TestContext) => {
	t.mock.timers.enable({apis: ['setTimeout']});
	const {outside, read} = open();
	await read({1: true, 2: true});
	await read({1: false, 2: true});
	t.mock.timers.tick(signMilliseconds - 1);
	assert.deepEqual([...outside.getState().signs.installed], [1]);
	t.mock.timers.tick(1);
	assert.deepEqual([...outside.getState().signs.installed], []);
	assert.deepEqual([...outside.getState().changed.installed], [1]);
});

test('the first list reports no changes', async () => {
	const {read, texts} = open();
	await read({1: true});
	assert.deepEqual(texts(), []);
	await read({1: false});
	assert.deepEqual(texts(), ['1 state on off']);
});

test('a change made here is not reported, and a later one elsewhere is', async () => {
	const {client, read, settle, texts} = open();
	await read({1: true});
	await client.setEnabled(installedAbility(1, true), false);
	settle({1: false});
	await read({1: false});
	await read({1: true});
	await read({1: false});
	assert.deepEqual(texts(), ['1 state off on', '1 state on off']);
});

test('a change made here is not reported where the list shows it before its answer', async () => {
	const answer = Promise.withResolvers<void>();
	const {client, read, texts} = open(async () => answer.promise);
	await read({1: true});
	const write = client.setEnabled(installedAbility(1, true), false);
	await read({1: false});
	answer.resolve();
	await write;
	assert.deepEqual(texts(), []);
});

test('an unanswered change that arrives late is not reported once; a refused one is', async () => {
	const errors = [
		new SwitchboardError('timeout', 'No answer.', {isOutcomeUnknown: true}),
		new SwitchboardError('forbidden', 'Not allowed.'),
	];
	const {client, read, texts} = open(async () => {
		throw errors.shift()!;
	});
	await read({1: true, 2: true});
	await assert.rejects(client.setEnabled(installedAbility(1, true), false), SwitchboardError);
	await read({1: true, 2: true});
	await read({1: false, 2: true});
	assert.deepEqual(texts(), []);
	await read({1: true, 2: true});
	await read({1: false, 2: true});
	assert.deepEqual(texts(), ['1 state off on', '1 state on off']);
	await assert.rejects(client.setEnabled(installedAbility(2, true), false), SwitchboardError);
	await read({1: false, 2: false});
	assert.deepEqual(texts(), ['2 state on off']);
});

test('records missing from an incomplete list are not reported as removed', async () => {
	const {outside, read, texts} = open();
	await read({1: true, 2: true});
	await outside.watch('installed', async () => ({...listOf({1: true}), isComplete: false}));
	assert.deepEqual(texts(), []);
	await read({1: true});
	assert.deepEqual(texts(), ['2 removed']);
});
