import process from 'node:process';
import {useState, type ReactElement} from 'react';
import {Box, render, Text, useApp, useInput} from 'ink';

/* The peer of the benchmark: the plainest list that Ink draws by its own output, with a cursor and a switch. */

const names = Array.from({length: Number(process.argv[2] ?? 12)}, (_, index) => `row ${index + 1}`);
const height = 20;

function PlainList(): ReactElement {
	const {exit} = useApp();
	const [{cursor, top}, setPosition] = useState({cursor: 0, top: 0});
	const [enabled, setEnabled] = useState<ReadonlySet<number>>(new Set());
	const move = (step: number): void =>
		setPosition(before => {
			const next = Math.min(names.length - 1, Math.max(0, before.cursor + step));
			return {cursor: next, top: Math.min(next, Math.max(before.top, next - height + 1))};
		});

	useInput((input, key) => {
		if (key.ctrl && input === 'c') {
			exit();
		} else {
			switch (input) {
				case 'j': {
					move(1);

					break;
				}

				case 'k': {
					move(-1);

					break;
				}

				case ' ': {
					setEnabled(before => (before.has(cursor) ? new Set([...before].filter(row => row !== cursor)) : new Set(before).add(cursor)));

					break;
				}
				// No default
			}
		}
	});
	return (
		<Box flexDirection="column" height={24}>
			{names.slice(top, top + height).map((name, index) => (
				<Text key={name}>
					<Text color="cyan">{top + index === cursor ? ' > ' : ' '.repeat(3)}</Text>
					<Text color="green">{enabled.has(top + index) ? 'on   ' : 'off  '}</Text>
					<Text>{`${name.padEnd(20)} skill      a phrase, another phrase       2 days`}</Text>
				</Text>
			))}
		</Box>
	);
}

render(<PlainList />, {alternateScreen: true, exitOnCtrlC: false, interactive: true});
