import {assert, nextTurn, test} from '../../helpers/node.ts';
import {createDispatcher, type Dispatcher, type KeyAnswer, layers} from '../../../source/tui/keys/dispatcher.ts';
import {createKeyReader} from '../../../source/terminal/keyboard-input.ts';
import {pasteBytes} from '../../helpers/key-bytes.ts';

type Answer = KeyAnswer | ((key: string) => KeyAnswer);

/** A dispatcher with the keyboard before it, whose handlers write down what they are asked. */
function open(options: Parameters<typeof createDispatcher>[0] = {}) {
	const dispatcher = createDispatcher(options);
	const log: string[] = [];
	const reader = createKeyReader(dispatcher);
	return {
		dispatcher,
		log,
		/** Adds a handler with the name of its layer unless given, and returns how to remove it. */
		add(
			layer: keyof typeof layers,
			answer: Answer,
			{
				name = layer,
				takesPaste = false,
				...more
			}: Partial<Parameters<Dispatcher['add']>[1]> & {readonly name?: string; readonly takesPaste?: boolean} = {},
		) {
			return dispatcher.add(layers[layer], {
				onKey(key) {
					log.push(`${name} ${key.name}`);
					return typeof answer === 'function' ? answer(key.name) : answer;
				},
				onPaste(text) {
					log.push(`${name} paste ${text}`);
					return takesPaste;
				},
				...more,
			});
		},
		/** Gives the bytes as the keyboard does, in one chunk. */
		write(chunk: string): void {
			reader.write(chunk);
		},
	};
}

async function settled(): Promise<void> {
	for (let turn = 0; turn < 50; turn++) {
		await nextTurn();
	}
}

test('the layer on top is asked first, and a key that it used goes no further', async () => {
	const {log, add, write} = open();
	add('overlay', key => key === 'j');
	add('application', true);
	add('screen', key => key === 'k');
	write('jkq');
	await settled();
	assert.deepEqual(log, ['overlay j', 'overlay k', 'screen k', 'overlay q', 'screen q', 'application q']);
});

test('a field that needs no time gets all keys of a chunk at once', () => {
	const {log, add, write} = open();
	add('field', 'settled');
	write('ab\u{1B}u\u{1B}b');
	assert.deepEqual(log, ['field a', 'field b', 'field alt+u', 'field alt+b']);
});

for (const [typing, reached] of [
	['field form', 'field form'],
	['form', 'form'],
	['line', 'line'],
	['line field form', 'line'],
	['question field form', 'question field form'],
	['program line', 'program line'],
] as const) {
	test(`a key and a paste go no further than ${reached} where ${typing} are open`, () => {
		const {log, add, write} = open();
		for (const name of [...typing.split(' '), 'overlay', 'screen', 'application']) {
			add(name as keyof typeof layers, false);
		}

		write(`\t${pasteBytes('x')}`);
		const names = reached.split(' ');
		assert.deepEqual(log, [...names.map(name => `${name} tab`), ...names.map(name => `${name} paste x`)]);
	});
}

test('a closed line leaves keys and pastes to what is behind it', () => {
	const {log, add, write} = open();
	let isOpen = false;
	add('line', 'settled', {takesPaste: true, isOpen: () => isOpen});
	const openLine = (key: string): boolean => {
		isOpen = key === '/';
		return true;
	};

	add('screen', openLine, {takesPaste: true});
	write(`\u{1B}x/\u{1B}x${pasteBytes('y')}`);
	assert.deepEqual(log, ['screen escape', 'screen x', 'screen /', 'line alt+x', 'line paste y']);
});

test('a paste of which only a part is kept is passed on as such', () => {
	const {dispatcher, log, write} = open();
	dispatcher.add(layers.screen, {
		onPaste(text, isTruncated) {
			log.push(`${text.length} ${isTruncated}`);
			return true;
		},
	});
	write(pasteBytes('abc'));
	write(pasteBytes('x'.repeat(1_048_577)));
	assert.deepEqual(log, ['3 false', '1048576 true']);
});

test('within a layer the newest handler is asked first', () => {
	const {log, add, write} = open();
	add('screen', true, {name: 'older'});
	const remove = add('screen', true, {name: 'newer'});
	write('a');
	remove();
	write('b');
	assert.deepEqual(log, ['newer a', 'older b']);
});

test('a handler removed while it handles a key leaves later keys to the next handler', async () => {
	const {log, add, write} = open();
	add('application', true);
	const remove = add('overlay', () => {
		remove();
		return true;
	});
	write('xy');
	await settled();
	assert.deepEqual(log, ['overlay x', 'application y']);
});

test('Escape and a key in one chunk are two keys', () => {
	const {log, add, write} = open();
	add('screen', true);
	write('\u{1B}j\u{1B}?\u{1B} \u{1B}\r\u{1B}\t');
	assert.deepEqual(
		log,
		['j', '?', 'space', 'enter', 'tab'].flatMap(key => ['screen escape', `screen ${key}`]),
	);
});

test('where a person types, Alt and a letter are one key', () => {
	for (const [layer, keys] of [
		['field', ['field alt+q']],
		['screen', ['screen escape', 'screen q']],
	] as const) {
		const {log, add, write} = open();
		add(layer, true);
		write('\u{1B}q');
		assert.deepEqual(log, keys);
	}
});

test('where a person types, Escape and a key that came after it are two keys, unless a field uses them as one', () => {
	const {log, add, write} = open();
	add('field', key => key !== 'alt+q' && 'settled');
	for (const key of ['q', 'b']) {
		write('\u{1B}');
		write(key);
	}

	assert.deepEqual(log, ['field alt+q', 'field escape', 'field q', 'field alt+b']);
});

test('Alt and a key that types nothing are one key', () => {
	const {log, add, write} = open();
	add('screen', true);
	write('\u{1B}\u{7F}\u{1B}[1;3A');
	assert.deepEqual(log, ['screen alt+backspace', 'screen alt+up']);
});

test('a key after a forwarded one waits until the field has drawn it', async () => {
	let drawn = '';
	const submitted: string[] = [];
	const {add, write} = open({
		forward({text}) {
			// As a field does that reads the key in this turn and has its new value with the next drawing.
			const value = drawn + text;
			setImmediate(() => {
				drawn = value;
			});
		},
	});
	add('field', key => {
		if (key === 'enter') {
			submitted.push(drawn);
			return true;
		}

		return 'forward';
	});
	write('secret\r');
	await settled();
	assert.deepEqual(submitted, ['secret']);
});

test('keys and pastes keep their order around forwarded keys', async () => {
	const {log, add, write} = open({
		forward({name}) {
			log.push(`forwarded ${name}`);
		},
	});
	add('field', key => (key.length === 1 ? 'forward' : true), {takesPaste: true});
	write('a' + pasteBytes('pasted') + 'b\r');
	write('c');
	await settled();
	assert.equal(log.join(', '), 'field a, forwarded a, field paste pasted, field b, forwarded b, field enter, field c, forwarded c');
});

test('a paste goes to the first handler that takes it, and presses no key', () => {
	const {dispatcher, log, add, write} = open();
	add('application', true, {takesPaste: true});
	dispatcher.add(layers.screen, {onKey: () => false});
	add('overlay', true);
	write(pasteBytes('ddd\ry'));
	assert.deepEqual(log, ['overlay paste ddd\ny', 'application paste ddd\ny']);
});

test('each key and paste counts as activity', () => {
	let count = 0;
	const {write} = open({
		onActivity() {
			count++;
		},
	});
	write('ab' + pasteBytes('c'));
	assert.equal(count, 3);
});

test('an action chosen by name goes to the topmost handler that knows it, once the screen has settled', async () => {
	const {dispatcher, log} = open();
	const addActor = (layer: keyof typeof layers, isKnown: boolean) =>
		dispatcher.add(layers[layer], {
			onAction(action: string) {
				log.push(`${layer} ${action}`);
				return isKnown;
			},
		});
	addActor('application', true);
	addActor('screen', true);
	const remove = addActor('overlay', false);
	dispatcher.act('refresh');
	remove();
	assert.deepEqual(log, [], 'what chose it closes first');
	await settled();
	assert.deepEqual(log, ['screen refresh']);
});

test('a key after the one that chose an action goes to what the action opens', async () => {
	const {dispatcher, log, add, write} = open();
	add('screen', true, {
		onAction() {
			// As a screen does that is drawn with the next turn.
			setImmediate(() => {
				add('overlay', 'settle', {name: 'opened'});
			});
			return true;
		},
	});
	const choose = (key: string): KeyAnswer => {
		if (key === 'enter') {
			remove();
			dispatcher.act('upload');
		}

		return 'settle';
	};

	const remove = add('overlay', choose, {name: 'palette'});
	write('u\r');
	write('dy');
	await settled();
	assert.deepEqual(log, ['palette u', 'palette enter', 'opened d', 'opened y']);
});

test('a chunk that looks like a text is one paste where keys do not type, and Ctrl+C among it counts', async () => {
	const {log, add, write} = open();
	add('program', key => key === 'ctrl+c');
	add('screen', true, {takesPaste: true});
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
	const {log, add, write} = open();
	add('field', 'settled', {takesPaste: true});
	write('Lady Gaga');
	await settled();
	assert.equal(log.join(''), 'field Lfield afield dfield yfield spacefield Gfield afield gfield a');
});
