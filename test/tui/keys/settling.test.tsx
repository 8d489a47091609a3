import assert from 'node:assert/strict';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {test, type TestContext} from 'node:test';
import {
	useEffect,
	useState,
	useSyncExternalStore,
	type ReactElement,
} from 'react';
import {renderInk} from '../../helpers/render-ink.ts';
import {
	createDispatcher,
	DispatcherContext,
	layers,
	Settling,
	useKeys,
} from '../../../source/tui/keys/dispatcher.ts';
import {createKeyReader} from '../../../source/tui/terminal/keyboard-input.ts';
import {createObservable} from '../../../source/tui/observable.ts';

/** A list from which `o` opens a screen that takes keys once so many effects have run, each after the one before it. */
const renderStack = (t: TestContext, {effects}: {readonly effects: number}) => {
	const dispatcher = createDispatcher();
	const top = createObservable('list');
	const log: string[] = [];

	const Handler = ({name, layer}: {readonly name: string; readonly layer: number}): null => {
		useKeys(layer, {
			onKey(key) {
				if (name === 'program' && key.name !== 'ctrl+c') {
					return false;
				}

				log.push(`${name} ${key.name}`);
				if (name === 'list') {
					top.set('opened');
				}

				return 'settle';
			},
		});
		return null;
	};

	const Deep = ({left}: {readonly left: number}): ReactElement | null => {
		const [isNextDrawn, setIsNextDrawn] = useState(false);
		useEffect(() => {
			setIsNextDrawn(true);
		}, []);
		return left === 0 ? <Handler name='opened' layer={layers.overlay}/> : (isNextDrawn ? <Deep left={left - 1}/> : null);
	};

	const Stack = (): ReactElement => useSyncExternalStore(top.subscribe, top.get) === 'list' ? <Handler name='list' layer={layers.screen}/> : <Deep left={effects}/>;
	const ink = renderInk((
		<DispatcherContext value={dispatcher}>
			<Handler name='program' layer={layers.program}/>
			<Stack/>
			<Settling dispatcher={dispatcher} subscribe={top.subscribe} topNow={top.get}/>
		</DispatcherContext>
	));
	const reader = createKeyReader(dispatcher);
	t.after(() => {
		reader.close();
		ink.unmount();
	});
	return {
		log,
		write(chunk: string) {
			reader.write(chunk);
		},
	};
};

/** Waits for so many turns of the event loop: the clock is the test's. */
const turnUntil = async (isReached: () => boolean): Promise<void> => {
	for (let turn = 0; turn < 10_000 && !isReached(); turn++) {
		await nextTurn();
	}
};

for (const effects of [0, 1, 30]) {
	test(`a key in the chunk of the one that opened a screen reaches that screen, though it listens after ${effects} effects`, async t => {
		// However long the effects take on a busy machine, the wait for them does not end first.
		t.mock.timers.enable({apis: ['setTimeout']});
		const {log, write} = renderStack(t, {effects});
		write('oxy');
		await turnUntil(() => log.includes('opened y'));

		assert.deepEqual(log, ['list o', 'opened x', 'opened y']);
	});
}

test('a screen that never listens holds up the keys after it for a second', async t => {
	t.mock.timers.enable({apis: ['setTimeout']});
	const {log, write} = renderStack(t, {effects: Infinity});
	write('o\u{3}');
	for (let turn = 0; turn < 100; turn++) {
		await nextTurn();
	}

	t.mock.timers.tick(999);
	await nextTurn();
	assert.deepEqual(log, ['list o']);
	t.mock.timers.tick(1);
	await turnUntil(() => log.includes('program ctrl+c'));

	assert.deepEqual(log, ['list o', 'program ctrl+c']);
});
