import {test, type TestContext} from 'node:test';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {stripVTControlCharacters} from 'node:util';
import {useState, type ReactElement} from 'react';
import {render} from 'ink-testing-library';
import {createDispatcher} from '../../../source/tui/keys/dispatcher.ts';
import {DispatcherContext} from '../../../source/tui/keys/use-keys.ts';
import {createKeyReader} from '../../../source/tui/terminal/keyboard.ts';
import {TextField} from '../../../source/tui/widgets/text-field.tsx';

/** A field in a form that may put another value into it, with the keys of the real keyboard reader. */
const renderField = (t: TestContext, {initial = '', width, mask}: {readonly initial?: string; readonly width?: number; readonly mask?: string} = {}) => {
	const dispatcher = createDispatcher();
	let put: (value: string) => void = () => undefined;
	let newest = initial;
	const Form = (): ReactElement => {
		const [value, setValue] = useState(initial);
		put = setValue;
		newest = value;
		return (
			<TextField
				isFocused
				label='Path'
				labelWidth={8}
				value={value}
				{...(width === undefined ? {} : {width})}
				{...(mask === undefined ? {} : {mask})}
				onChange={setValue}
			/>
		);
	};

	const ink = render(<DispatcherContext value={dispatcher}><Form/></DispatcherContext>);
	const reader = createKeyReader({
		onKey(key) {
			dispatcher.key(key);
		},
		onPaste(text) {
			dispatcher.paste(text);
		},
	});
	dispatcher.setForward(sequence => {
		ink.stdin.write(sequence);
	});
	t.after(() => {
		reader.close();
		ink.unmount();
	});
	/** Waits until a hundred turns of the event loop have changed nothing. */
	const settle = async (): Promise<void> => {
		let seen = '';
		for (let turn = 0; turn < 100; turn++) {
			await nextTurn();
			const now = `${newest}\n${ink.frames.length}`;
			turn = now === seen ? turn : 0;
			seen = now;
		}
	};

	return {
		value: () => newest,
		line: () => stripVTControlCharacters(ink.lastFrame() ?? '').trimEnd(),
		async write(chunk: string) {
			await settle();
			reader.write(chunk);
			await settle();
		},
		async put(value: string) {
			await settle();
			put(value);
			await settle();
		},
		settle,
	};
};

const left = '\u{1B}[D';
const right = '\u{1B}[C';

test('what is typed after a paste stands after it', async (t: TestContext) => {
	const field = renderField(t);
	await field.write('\u{1B}[200~/home/\u{1B}[201~me');
	t.assert.strictEqual(field.value(), '/home/me');
	t.assert.strictEqual(field.line(), '> Path  /home/me');
});

test('what is typed after the field was filled in stands at its end', async (t: TestContext) => {
	const field = renderField(t, {initial: 'la'});
	await field.put('lamps');
	await field.write('2');
	t.assert.strictEqual(field.value(), 'lamps2');
});

test('Ctrl+U and the letters after it may come in one chunk', async (t: TestContext) => {
	const field = renderField(t, {initial: 'lamps'});
	await field.write('\u{15}desk');
	t.assert.strictEqual(field.value(), 'desk');
});

test('a letter is put where the cursor is, also after a step beyond the end was tried', async (t: TestContext) => {
	const field = renderField(t, {initial: 'lmps'});
	await field.write(right + right + left.repeat(3) + 'a');
	t.assert.strictEqual(field.value(), 'lamps');
});

test('the keys of a shell\'s line editor move and delete where the cursor is', async (t: TestContext) => {
	const field = renderField(t, {initial: 'turn the lights on', width: 60});
	const steps: ReadonlyArray<readonly [keys: string, value: string]> = [
		['\u{1}X', 'Xturn the lights on'],
		['\u{5}Y', 'Xturn the lights onY'],
		['\u{1B}[HA', 'AXturn the lights onY'],
		['\u{1B}[FB', 'AXturn the lights onYB'],
		['\u{17}', 'AXturn the lights '],
		[`${left.repeat(2)}\u{17}`, 'AXturn the s '],
		['\u{1B}[3~', 'AXturn the  '],
		['\u{1B}[1;3DC', 'AXturn Cthe  '],
		['\u{1B}[1;5D\u{1B}[1;5DD', 'DAXturn Cthe  '],
		['\u{1B}[1;3CE', 'DAXturnE Cthe  '],
		['\u{B}', 'DAXturnE'],
		['\u{1B}[H\u{1B}[3~\u{1B}[3~', 'XturnE'],
		// In one chunk with what is typed, and a paste amid the text.
		[`${right}${right}\u{7F}T\u{1B}[200~ pasted text \u{1B}[201~!`, 'XTpasted text!urnE'],
		['\u{1B}bZ', 'XTpasted Ztext!urnE'],
		['\u{1B}d', 'XTpasted Z'],
		['\u{1B}f\u{2}\u{4}', 'XTpasted '],
		['\u{15}', ''],
	];
	for (const [keys, value] of steps) {
		await field.write(keys);
		t.assert.strictEqual(field.value(), value);
		t.assert.strictEqual(field.line(), `> Path  ${value}`.trimEnd());
	}
});

test('what is read as one character is moved over and deleted as one', async (t: TestContext) => {
	const field = renderField(t, {initial: 'a👩‍👧e\u{301}b', width: 40});
	await field.write(`${left}\u{7F}`);
	t.assert.strictEqual(field.value(), 'a👩‍👧b');
	await field.write(`${left}\u{1B}[3~c`);
	t.assert.strictEqual(field.value(), 'acb');
});

test('a long value is scrolled so that the cursor is seen', async (t: TestContext) => {
	const field = renderField(t, {initial: '/home/somebody/abilities/lamps', width: 24});
	await field.settle();
	t.assert.strictEqual(field.line(), '> Path  abilities/lamps');
	await field.write(left.repeat(20));
	t.assert.strictEqual(field.line(), '> Path  /home/somebody/a');
	await field.write('X');
	t.assert.strictEqual(field.value(), '/home/someXbody/abilities/lamps');
	await field.write('\u{15}ok');
	t.assert.strictEqual(field.line(), '> Path  ok');
});

test('a long masked value is no wider than its place', async (t: TestContext) => {
	const field = renderField(t, {initial: 'a key that is long enough', width: 20, mask: '*'});
	await field.settle();
	t.assert.strictEqual(field.line(), `> Path  ${'*'.repeat(11)}`);
});
