import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {useState, type ReactElement} from 'react';
import {
	Box,
	render,
	Text,
	useInput,
	useWindowSize,
} from 'ink';
import SelectInput from 'ink-select-input';
import TextInput from 'ink-text-input';
import {createInkOptions, InkStdin, InkStdout} from '../../../source/tui/terminal/ink-streams.ts';
import {
	characterKey,
	controlKey,
	functionKey,
	type Key,
} from '../../../source/tui/terminal/key.ts';

const turn = async (): Promise<void> => new Promise(resolve => {
	setImmediate(resolve);
});

const open = async (element: ReactElement) => {
	const frames: string[] = [];
	const stdin = new InkStdin();
	const stdout = new InkStdout({columns: 20, rows: 5}, frame => {
		frames.push(frame);
	});
	const ink = render(element, createInkOptions(stdin, stdout));
	await ink.waitUntilRenderFlush();
	return {
		stdin,
		stdout,
		frames,
		/** Sends keys one after the other, and draws after each. */
		async press(...keys: readonly Key[]): Promise<void> {
			for (const {sequence} of keys) {
				stdin.push(sequence);
				await turn();
				await turn();
			}
		},
		[Symbol.dispose]() {
			ink.unmount();
		},
	};
};

const Field = ({onSubmit}: {readonly onSubmit: (value: string) => void}): ReactElement => {
	const [value, setValue] = useState('');
	return <TextInput value={value} showCursor={false} onChange={setValue} onSubmit={onSubmit}/>;
};

const Size = (): ReactElement => {
	const {columns, rows} = useWindowSize();
	return <Box width='100%' justifyContent='flex-end'><Text>{`${columns}x${rows}`}</Text></Box>;
};

/** The key as Ink reports it. */
const Pressed = ({onPressed}: {readonly onPressed: (pressed: string) => void}): ReactElement => {
	useInput((input, key) => {
		onPressed([...Object.entries(key).filter(([, value]) => value === true).map(([name]) => name), input].filter(Boolean).join(' '));
	});
	return <Text>ready</Text>;
};

describe('Ink\'s streams', () => {
	test('let ink-text-input edit and submit', async () => {
		const submitted: string[] = [];
		using ui = await open(<Field onSubmit={value => {
			submitted.push(value);
		}}/>);
		await ui.press(...[...'sécret 漢x'].map(character => characterKey(character)), controlKey('backspace'), controlKey('enter'));
		assert.deepEqual(submitted, ['sécret 漢']);
		assert.equal(ui.frames.at(-1), 'sécret 漢');
	});

	test('let ink-select-input choose', async () => {
		const chosen: string[] = [];
		const items = ['local', 'home', 'work'].map(name => ({label: name, value: name}));
		using ui = await open(<SelectInput items={items} onSelect={({value}) => {
			chosen.push(value);
		}}/>);
		await ui.press(functionKey('down'), functionKey('down'), functionKey('up'), controlKey('enter'));
		assert.deepEqual(chosen, ['home']);
	});

	test('pass on one key at a time, Escape at once and never joined with the next', async () => {
		const pressed: string[] = [];
		using ui = await open(<Pressed onPressed={key => {
			pressed.push(key);
		}}/>);
		ui.stdin.push(controlKey('escape').sequence);
		ui.stdin.push(characterKey('j').sequence);
		ui.stdin.push(characterKey('j').sequence);
		ui.stdin.push(functionKey('pagedown').sequence);
		assert.deepEqual(pressed, ['escape', 'j', 'j', 'pageDown']);
	});

	test('follow the size of the terminal', async () => {
		using ui = await open(<Size/>);
		assert.equal(ui.frames.at(-1), `${' '.repeat(16)}20x5`);
		ui.stdout.resize({columns: 30, rows: 7});
		await turn();
		await turn();
		assert.equal(ui.frames.at(-1), `${' '.repeat(26)}30x7`);
	});

	test('receive frames and nothing else, until the end', async () => {
		const ui = await open(<Box flexDirection='column'><Field onSubmit={() => undefined}/><Size/></Box>);
		await ui.press(characterKey('x'));
		ui.stdout.resize({columns: 10, rows: 3});
		await turn();
		ui[Symbol.dispose]();
		assert.ok(ui.frames.length > 2);
		assert.deepEqual(ui.frames.filter(frame => !/^(?:x\n)? *\d+x\d+$/.test(frame)), []);
	});

	test('drop keys that nothing in Ink listens for', async () => {
		using ui = await open(<Text>nobody</Text>);
		ui.stdin.push('x');
		assert.equal(ui.stdin.read(), null);
	});
});
