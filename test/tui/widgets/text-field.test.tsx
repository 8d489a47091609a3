import {assert, nextTurn, stripVTControlCharacters, test, type TestContext} from '../../helpers/node.ts';
import {useState, type ReactElement} from 'react';
import {renderInk} from '../../helpers/render-ink.ts';
import {createDispatcher, DispatcherContext, Settling} from '../../../source/tui/keys/dispatcher.ts';
import {inkSequence} from '../../../source/terminal/ink-streams.ts';
import {createKeyReader} from '../../../source/terminal/keyboard-input.ts';
import {TextField} from '../../../source/tui/widgets/text-field.tsx';
import {keyBytes, pasteBytes} from '../../helpers/key-bytes.ts';

/** A field in a form that may put another value into it, with the keys of the real keyboard reader. */
function renderField(
	t: TestContext,
	{initial = '', width = 60, mask}: {readonly initial?: string; readonly width?: number; readonly mask?: string} = {},
) {
	const dispatcher = createDispatcher({forward: key => ink.stdin.write(inkSequence(key))});
	let put: (value: string) => void = () => undefined;
	let newest = initial;
	const Form = (): ReactElement => {
		const [value, setValue] = useState(initial);
		put = setValue;
		newest = value;
		return (
			<TextField
				isFocused
				label="Path"
				labelWidth={8}
				value={value}
				width={width}
				{...(mask === undefined ? {} : {mask})}
				onChange={setValue}
			/>
		);
	};

	const ink = renderInk(
		<DispatcherContext value={dispatcher}>
			<Form />
			<Settling dispatcher={dispatcher} />
		</DispatcherContext>,
	);
	const reader = createKeyReader(dispatcher);
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
}

test('text typed after a paste follows it', async (t: TestContext) => {
	const field = renderField(t);
	await field.write(pasteBytes('/home/') + 'me');
	assert.equal(field.value(), '/home/me');
	assert.equal(field.line(), '> Path  /home/me');
});

test('text typed after the field was filled in goes to its end', async (t: TestContext) => {
	const field = renderField(t, {initial: 'la'});
	await field.put('lamps');
	await field.write('2');
	assert.equal(field.value(), 'lamps2');
});

test('Ctrl+U and the letters after it work in one chunk', async (t: TestContext) => {
	const field = renderField(t, {initial: 'lamps'});
	await field.write(keyBytes('ctrl+u', ...'desk'));
	assert.equal(field.value(), 'desk');
});

test('a letter is inserted at the cursor, also after moving past the end was tried', async (t: TestContext) => {
	const field = renderField(t, {initial: 'lmps'});
	await field.write(keyBytes('right', 'right', 'left', 'left', 'left', 'a'));
	assert.equal(field.value(), 'lamps');
});

test("the keys of a shell's line editor move and delete at the cursor", async (t: TestContext) => {
	const field = renderField(t, {initial: 'turn the lights on', width: 60});
	const steps: ReadonlyArray<readonly [keys: string, value: string]> = [
		[keyBytes('ctrl+a', 'X'), 'Xturn the lights on'],
		[keyBytes('ctrl+e', 'Y'), 'Xturn the lights onY'],
		[keyBytes('home', 'A'), 'AXturn the lights onY'],
		[keyBytes('end', 'B'), 'AXturn the lights onYB'],
		[keyBytes('ctrl+w'), 'AXturn the lights '],
		[keyBytes('left', 'left', 'ctrl+w'), 'AXturn the s '],
		[keyBytes('delete'), 'AXturn the  '],
		[keyBytes('alt+left', 'C'), 'AXturn Cthe  '],
		[keyBytes('ctrl+left', 'ctrl+left', 'D'), 'DAXturn Cthe  '],
		[keyBytes('alt+right', 'E'), 'DAXturnE Cthe  '],
		[keyBytes('ctrl+k'), 'DAXturnE'],
		[keyBytes('home', 'delete', 'delete'), 'XturnE'],
		// In one chunk with what is typed, and a paste amid the text.
		[keyBytes('right', 'right', 'backspace', 'T') + pasteBytes(' pasted text ') + '!', 'XTpasted text!urnE'],
		[keyBytes('alt+b', 'Z'), 'XTpasted Ztext!urnE'],
		[keyBytes('alt+d'), 'XTpasted Z'],
		[keyBytes('alt+f', 'ctrl+b', 'ctrl+d'), 'XTpasted '],
		[keyBytes('ctrl+u'), ''],
	];
	for (const [keys, value] of steps) {
		await field.write(keys);
		assert.equal(field.value(), value);
		assert.equal(field.line(), `> Path  ${value}`.trimEnd());
	}
});

test('what reads as one character is moved over and deleted as one', async (t: TestContext) => {
	const field = renderField(t, {initial: 'a👩‍👧e\u{301}b', width: 40});
	await field.write(keyBytes('left', 'backspace'));
	assert.equal(field.value(), 'a👩‍👧b');
	await field.write(keyBytes('left', 'delete', 'c'));
	assert.equal(field.value(), 'acb');
});

test('a long value scrolls so that the cursor is in view', async (t: TestContext) => {
	const field = renderField(t, {initial: '/home/somebody/abilities/lamps', width: 24});
	await field.settle();
	assert.equal(field.line(), '> Path  abilities/lamps');
	await field.write(keyBytes('left').repeat(20));
	assert.equal(field.line(), '> Path  /home/somebody/a');
	await field.write('X');
	assert.equal(field.value(), '/home/someXbody/abilities/lamps');
	await field.write(keyBytes('ctrl+u', ...'ok'));
	assert.equal(field.line(), '> Path  ok');
});

test('a long masked value fits its field', async (t: TestContext) => {
	const field = renderField(t, {initial: 'a key that is long enough', width: 20, mask: '*'});
	await field.settle();
	assert.equal(field.line(), `> Path  ${'*'.repeat(11)}`);
});
