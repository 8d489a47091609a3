import {assert, test} from '../../helpers/node.ts';
import {createStore} from '../../../source/tui/observable.ts';

const createCounter = () => createStore((state: number, by: number) => state + by, 0);

test('each action sees what the one before it did', () => {
	const store = createCounter();
	store.dispatch(1);
	store.dispatch(2);
	assert.equal(store.getState(), 3);
});

test('listeners are called for changes only, until they unsubscribe', () => {
	const store = createCounter();
	const heard: number[] = [];
	const leave = store.subscribe(() => {
		heard.push(store.getState());
	});
	store.dispatch(1);
	store.dispatch(0);
	store.dispatch(1);
	leave();
	store.dispatch(1);
	assert.deepEqual(heard, [1, 2]);
});
