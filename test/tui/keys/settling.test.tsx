import {assert, nextTurn, test, type TestContext} from '../../helpers/node.ts';
import {lazy, Suspense, useSyncExternalStore, type ReactElement} from 'react';
import {renderInk} from '../../helpers/render-ink.ts';
import {createDispatcher, DispatcherContext, layers, Settling, useHeldKeys, useKeys} from '../../../source/tui/keys/dispatcher.ts';
import {createKeyReader} from '../../../source/terminal/keyboard-input.ts';
import {createObservable} from '../../../source/tui/observable.ts';

/** A list from which `o` opens a screen that is there at once, and `l` one that is loaded. */
function renderStack(t: TestContext) {
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
					top.set(key.name === 'l' ? 'loaded' : 'opened');
				}

				return 'settle';
			},
		});
		return null;
	};

	const {promise: loaded, resolve: load} = Promise.withResolvers<{readonly default: () => ReactElement}>();
	const Loaded = lazy(async () => loaded);
	const Loading = (): null => {
		useHeldKeys();
		return null;
	};

	const Stack = (): ReactElement => {
		const name = useSyncExternalStore(top.subscribe, top.get);
		return name === 'loaded' ? (
			<Suspense fallback={<Loading />}>
				<Loaded />
			</Suspense>
		) : (
			<Handler key={name} name={name} layer={name === 'list' ? layers.screen : layers.overlay} />
		);
	};

	const ink = renderInk(
		<DispatcherContext value={dispatcher}>
			<Handler name="program" layer={layers.program} />
			<Stack />
			<Settling dispatcher={dispatcher} />
		</DispatcherContext>,
	);
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
		load() {
			load({default: () => <Handler name="loaded" layer={layers.overlay} />});
		},
	};
}

async function turns(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) {
		await nextTurn();
	}
}

/** The dispatcher's clock is the test's; React's is not. */
async function turnUntil(isReached: () => boolean): Promise<void> {
	const deadline = performance.now() + 20_000;
	while (performance.now() < deadline && !isReached()) {
		await nextTurn();
	}
}

test('a key in the chunk of the one that opened a screen reaches that screen', async t => {
	// However long drawing takes on a busy machine, the wait for it does not end first.
	t.mock.timers.enable({apis: ['setTimeout']});
	const {log, write} = renderStack(t);
	write('oxy');
	await turnUntil(() => log.includes('opened y'));

	assert.deepEqual(log, ['list o', 'opened x', 'opened y']);
});

test('keys wait for a screen that is being loaded, also one that came later, and reach it in their order', async t => {
	t.mock.timers.enable({apis: ['setTimeout']});
	const {log, write, load} = renderStack(t);
	write('lx');
	await turns(100);
	t.mock.timers.tick(9999);
	await turns(100);
	write('y');
	await turns(100);
	assert.deepEqual(log, ['list l']);
	load();
	await turnUntil(() => log.includes('loaded y'));

	assert.deepEqual(log, ['list l', 'loaded x', 'loaded y']);
});

test('a screen that never comes holds up the keys after it for ten seconds', async t => {
	t.mock.timers.enable({apis: ['setTimeout']});
	const {log, write} = renderStack(t);
	write('l\u{3}');
	await turns(100);
	t.mock.timers.tick(9999);
	await turns(100);
	assert.deepEqual(log, ['list l']);
	t.mock.timers.tick(1);
	await turnUntil(() => log.includes('program ctrl+c'));

	assert.deepEqual(log, ['list l', 'program ctrl+c']);
});
