import {assert, nextTurn, test} from '../../helpers/node.ts';
import {createDispatcher, type Dispatcher, type KeyAnswer, layers} from '../../../source/tui/keys/dispatcher.ts';
import {createKeyReader} from '../../../source/tui/terminal/keyboard-input.ts';
import {pasteBytes} from '../../helpers/key-bytes.ts';

/** Gives the dispatcher bytes as the keyboard does; each call is one chunk. */
const keyboardOf = (dispatcher: Dispatcher): ((chunk: string) => void) => {
	const reader = createKeyReader(dispatcher);
	return chunk => {
		reader.write(chunk);
	};
};

/** A handler that writes down what it is asked, under its name. */
const recorder = (log: string[], name: string, answer: (key: string) => KeyAnswer, isPasteTaken = false) => ({
	onKey(key: {readonly name: string}) {
		log.push(`${name} ${key.name}`);
		return answer(key.name);
	},
	onPaste(text: string) {
		log.push(`${name} paste ${text}`);
		return isPasteTaken;
	},
});

const settled = async (): Promise<void> => {
	for (let turn = 0; turn < 50; turn++) {
		await nextTurn();
	}
};

test('the layer on top is asked first, and a key that it used goes no further', async () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	dispatcher.add(
		layers.overlay,
		recorder(log, 'overlay', key => key === 'j'),
	);
	dispatcher.add(
		layers.application,
		recorder(log, 'application', () => true),
	);
	dispatcher.add(
		layers.screen,
		recorder(log, 'screen', key => key === 'k'),
	);
	const write = keyboardOf(dispatcher);
	write('jkq');
	await settled();
	assert.deepEqual(log, ['overlay j', 'overlay k', 'screen k', 'overlay q', 'screen q', 'application q']);
});

test('a field that needs no time gets all keys of a chunk at once', () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	dispatcher.add(
		layers.field,
		recorder(log, 'field', () => 'settled'),
	);
	keyboardOf(dispatcher)('ab\u{1B}u\u{1B}b');
	assert.deepEqual(log, ['field a', 'field b', 'field alt+u', 'field alt+b']);
});

for (const [typing, reached] of [
	[
		['field', 'form'],
		['field', 'form'],
	],
	[['form'], ['form']],
	[['line'], ['line']],
	[['line', 'field', 'form'], ['line']],
	[
		['question', 'field', 'form'],
		['question', 'field', 'form'],
	],
	[
		['program', 'line'],
		['program', 'line'],
	],
] as const) {
	test(`a key and a paste go no further than ${reached.at(-1)} where ${typing.join(', ')} are open`, () => {
		const dispatcher = createDispatcher();
		const log: string[] = [];
		for (const name of [...typing, 'overlay', 'screen', 'application'] as const) {
			dispatcher.add(
				layers[name],
				recorder(log, name, () => false),
			);
		}

		keyboardOf(dispatcher)(`\t${pasteBytes('x')}`);
		assert.deepEqual(log, [...reached.map(name => `${name} tab`), ...reached.map(name => `${name} paste x`)]);
	});
}

test('a closed line leaves keys and pastes to what is behind it', () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	let isOpen = false;
	dispatcher.add(layers.line, {...recorder(log, 'line', () => 'settled', true), isOpen: () => isOpen});
	dispatcher.add(
		layers.screen,
		recorder(
			log,
			'screen',
			key => {
				isOpen = key === '/';
				return true;
			},
			true,
		),
	);
	keyboardOf(dispatcher)(`\u{1B}x/\u{1B}x${pasteBytes('y')}`);
	assert.deepEqual(log, ['screen escape', 'screen x', 'screen /', 'line alt+x', 'line paste y']);
});

test('a paste of which only a part is kept is passed on as such', () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	dispatcher.add(layers.screen, {
		onPaste(text, isTruncated) {
			log.push(`${text.length} ${isTruncated}`);
			return true;
		},
	});
	const write = keyboardOf(dispatcher);
	write(pasteBytes('abc'));
	write(pasteBytes('x'.repeat(1_048_577)));
	assert.deepEqual(log, ['3 false', '1048576 true']);
});

test('within a layer the newest handler is asked first', () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	dispatcher.add(
		layers.screen,
		recorder(log, 'older', () => true),
	);
	const remove = dispatcher.add(
		layers.screen,
		recorder(log, 'newer', () => true),
	);
	const write = keyboardOf(dispatcher);
	write('a');
	remove();
	write('b');
	assert.deepEqual(log, ['newer a', 'older b']);
});

test('a handler removed while it handles a key leaves later keys to the next handler', async () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	dispatcher.add(
		layers.application,
		recorder(log, 'screen', () => true),
	);
	const remove = dispatcher.add(
		layers.overlay,
		recorder(log, 'overlay', () => {
			remove();
			return true;
		}),
	);
	keyboardOf(dispatcher)('xy');
	await settled();
	assert.deepEqual(log, ['overlay x', 'screen y']);
});

test('Escape and a key in one chunk are two keys', () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	dispatcher.add(
		layers.application,
		recorder(log, 'screen', () => true),
	);
	const write = keyboardOf(dispatcher);
	write('\u{1B}j\u{1B}?\u{1B} \u{1B}\r\u{1B}\t');
	assert.deepEqual(
		log,
		['j', '?', 'space', 'enter', 'tab'].flatMap(key => ['screen escape', `screen ${key}`]),
	);
});

test('where a person types, Alt and a letter are one key', () => {
	for (const [layer, keys] of [
		[layers.field, ['alt+q']],
		[layers.screen, ['escape', 'q']],
	] as const) {
		const dispatcher = createDispatcher();
		const log: string[] = [];
		dispatcher.add(
			layer,
			recorder(log, 'top', () => true),
		);
		keyboardOf(dispatcher)('\u{1B}q');
		assert.deepEqual(
			log,
			keys.map(key => `top ${key}`),
		);
	}
});

test('where a person types, Escape and a key that came after it are two keys, unless a field uses them as one', () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	dispatcher.add(
		layers.field,
		recorder(log, 'field', key => key !== 'alt+q' && 'settled'),
	);
	const write = keyboardOf(dispatcher);
	for (const key of ['q', 'b']) {
		write('\u{1B}');
		write(key);
	}

	assert.deepEqual(log, ['field alt+q', 'field escape', 'field q', 'field alt+b']);
});

test('Alt and a key that types nothing are one key', () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	dispatcher.add(
		layers.application,
		recorder(log, 'screen', () => true),
	);
	keyboardOf(dispatcher)('\u{1B}\u{7F}\u{1B}[1;3A');
	assert.deepEqual(log, ['screen alt+backspace', 'screen alt+up']);
});

test('a key after a forwarded one waits until the field has drawn it', async () => {
	const dispatcher = createDispatcher();
	let drawn = '';
	const submitted: string[] = [];
	dispatcher.setForward(({text}) => {
		// As a field does that reads the key in this turn and has its new value with the next drawing.
		const value = drawn + text;
		setImmediate(() => {
			drawn = value;
		});
	});
	dispatcher.add(layers.field, {
		onKey(key) {
			if (key.name === 'enter') {
				submitted.push(drawn);
				return true;
			}

			return 'forward';
		},
	});
	keyboardOf(dispatcher)('secret\r');
	await settled();
	assert.deepEqual(submitted, ['secret']);
});

test('keys and pastes keep their order around forwarded keys', async () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	dispatcher.setForward(({name}) => {
		log.push(`forwarded ${name}`);
	});
	dispatcher.add(
		layers.field,
		recorder(log, 'field', key => (key.length === 1 ? 'forward' : true), true),
	);
	const write = keyboardOf(dispatcher);
	write('a' + pasteBytes('pasted') + 'b\r');
	write('c');
	await settled();
	assert.deepEqual(log, [
		'field a',
		'forwarded a',
		'field paste pasted',
		'field b',
		'forwarded b',
		'field enter',
		'field c',
		'forwarded c',
	]);
});

test('a paste goes to the first handler that takes it, and presses no key', () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	dispatcher.add(
		layers.application,
		recorder(log, 'application', () => true, true),
	);
	dispatcher.add(layers.screen, {onKey: () => false});
	dispatcher.add(
		layers.overlay,
		recorder(log, 'overlay', () => true, false),
	);
	keyboardOf(dispatcher)(pasteBytes('ddd\ry'));
	assert.deepEqual(log, ['overlay paste ddd\ny', 'application paste ddd\ny']);
});

test('each key and paste counts as activity', () => {
	const dispatcher = createDispatcher();
	let count = 0;
	dispatcher.setOnActivity(() => {
		count++;
	});
	keyboardOf(dispatcher)('ab' + pasteBytes('c'));
	assert.equal(count, 3);
});

test('an action chosen by name goes to the topmost handler that knows it, once the screen has settled', async () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	const actor = (name: string, isKnown: boolean) => ({
		onAction(action: string) {
			log.push(`${name} ${action}`);
			return isKnown;
		},
	});
	dispatcher.add(layers.application, actor('application', true));
	dispatcher.add(layers.screen, actor('screen', true));
	const remove = dispatcher.add(layers.overlay, actor('palette', false));
	dispatcher.act('refresh');
	remove();
	assert.deepEqual(log, [], 'the palette closes first');
	await settled();
	assert.deepEqual(log, ['screen refresh']);
});

test('a key after the one that chose an action goes to what the action opens', async () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	dispatcher.add(layers.screen, {
		...recorder(log, 'screen', () => true),
		onAction() {
			// As a screen does that is drawn with the next turn.
			setImmediate(() => {
				dispatcher.add(
					layers.overlay,
					recorder(log, 'opened', () => 'settle'),
				);
			});
			return true;
		},
	});
	const remove = dispatcher.add(layers.overlay, {
		onKey(key) {
			log.push(`palette ${key.name}`);
			if (key.name === 'enter') {
				remove();
				dispatcher.act('upload');
			}

			return 'settle';
		},
	});
	const write = keyboardOf(dispatcher);
	write('u\r');
	write('dy');
	await settled();
	assert.deepEqual(log, ['palette u', 'palette enter', 'opened d', 'opened y']);
});

test('a chunk that looks like a text is one paste where keys do not type, and Ctrl+C among it counts', async () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	dispatcher.add(
		layers.program,
		recorder(log, 'program', key => key === 'ctrl+c'),
	);
	dispatcher.add(
		layers.screen,
		recorder(log, 'screen', () => true, true),
	);
	const write = keyboardOf(dispatcher);
	write('Lady Gaga\rday\u{3}');
	write('jj');
	await settled();
	assert.deepEqual(log, [
		'program paste Lady Gaga\nday',
		'screen paste Lady Gaga\nday',
		'program ctrl+c',
		'program j',
		'screen j',
		'program j',
		'screen j',
	]);
});

test('a chunk that looks like a text is typed where keys type', async () => {
	const dispatcher = createDispatcher();
	const log: string[] = [];
	dispatcher.add(
		layers.field,
		recorder(log, 'field', () => 'settled', true),
	);
	keyboardOf(dispatcher)('Lady Gaga');
	await settled();
	assert.equal(log.join(''), 'field Lfield afield dfield yfield spacefield Gfield afield gfield a');
});
