import {addTo, assert, assertNone, describe, test} from '../helpers/node.ts';
import {useState, type ReactElement} from 'react';
import {Box, render, Text, useWindowSize} from 'ink';
import SelectInput from 'ink-select-input';
import TextInput from 'ink-text-input';
import {createInkOptions, InkStdin, InkStdout} from '../../source/terminal/ink-streams.ts';
import {characterKey, namedKey, type Key} from '../../source/terminal/key.ts';

const turn = async (): Promise<void> =>
	new Promise(resolve => {
		setImmediate(resolve);
	});

async function open(element: ReactElement) {
	const frames: string[] = [];
	const stdin = new InkStdin();
	const stdout = new InkStdout({columns: 20, rows: 5}, addTo(frames));
	const ink = render(element, createInkOptions(stdin, stdout));
	await ink.waitUntilRenderFlush();
	return {
		stdin,
		stdout,
		frames,
		/** Sends keys one after the other, and draws after each. */
		async press(...keys: readonly Key[]): Promise<void> {
			for (const key of keys) {
				stdin.push(key);
				await turn();
				await turn();
			}
		},
		[Symbol.dispose]() {
			ink.unmount();
		},
	};
}

function Field({onSubmit}: {readonly onSubmit: (value: string) => void}): ReactElement {
	const [value, setValue] = useState('');
	return <TextInput value={value} showCursor={false} onChange={setValue} onSubmit={onSubmit} />;
}

function Size(): ReactElement {
	const {columns, rows} = useWindowSize();
	return (
		<Box width="100%" justifyContent="flex-end">
			<Text>{`${columns}x${rows}`}</Text>
		</Box>
	);
}

describe("Ink's streams", () => {
	test('let ink-text-input take characters and Enter', async () => {
		const submitted: string[] = [];
		using ui = await open(<Field onSubmit={addTo(submitted)} />);
		await ui.press(...[...'sécret 漢'].map(character => characterKey(character)), namedKey('enter'));
		assert.deepEqual(submitted, ['sécret 漢']);
		assert.equal(ui.frames.at(-1), 'sécret 漢');
	});

	test('let ink-select-input choose', async () => {
		const chosen: string[] = [];
		const items = ['local', 'home', 'work'].map(name => ({label: name, value: name}));
		using ui = await open(
			<SelectInput
				items={items}
				onSelect={({value}) => {
					chosen.push(value);
				}}
			/>,
		);
		await ui.press(namedKey('down'), namedKey('down'), namedKey('up'), namedKey('enter'));
		assert.deepEqual(chosen, ['home']);
	});

	test('follow the size of the terminal', async () => {
		using ui = await open(<Size />);
		assert.equal(ui.frames.at(-1), `${' '.repeat(16)}20x5`);
		ui.stdout.resize({columns: 30, rows: 7});
		await turn();
		await turn();
		assert.equal(ui.frames.at(-1), `${' '.repeat(26)}30x7`);
	});

	test('receive frames and nothing else, until the end', async () => {
		const ui = await open(
			<Box flexDirection="column">
				<Field onSubmit={() => undefined} />
				<Size />
			</Box>,
		);
		await ui.press(characterKey('x'));
		ui.stdout.resize({columns: 10, rows: 3});
		await turn();
		ui[Symbol.dispose]();
		assert.ok(ui.frames.length > 2);
		assertNone(ui.frames, frame => !/^(?:x\n)? *\d+x\d+$/.test(frame));
	});

	test('drop keys that nothing in Ink listens for', async () => {
		using ui = await open(<Text>nobody</Text>);
		ui.stdin.push(characterKey('x'));
		assert.equal(ui.stdin.read(), null);
	});
});
