import {useState, type ReactElement} from 'react';
import {
	Box,
	render,
	Text,
	useApp,
	useInput,
} from 'ink';

/* The peer of the benchmark: the plainest list that Ink draws by its own output, with a cursor and a switch. */

const names = Array.from({length: 12}, (_, index) => `row ${index + 1}`);

const PlainList = (): ReactElement => {
	const {exit} = useApp();
	const [cursor, setCursor] = useState(0);
	const [enabled, setEnabled] = useState<ReadonlySet<number>>(new Set());
	useInput((input, key) => {
		if (key.ctrl && input === 'c') {
			exit();
		} else {
			switch (input) {
				case 'j': {
					setCursor(before => Math.min(names.length - 1, before + 1));

					break;
				}

				case 'k': {
					setCursor(before => Math.max(0, before - 1));

					break;
				}

				case ' ': {
					setEnabled(before => before.has(cursor) ? new Set([...before].filter(row => row !== cursor)) : new Set(before).add(cursor));

					break;
				}
 // No default
			}
		}
	});
	return (
		<Box flexDirection='column' height={24}>
			{names.map((name, row) => (
				<Text key={name}>
					<Text color='cyan'>{row === cursor ? ' > ' : ' '.repeat(3)}</Text>
					<Text color='green'>{enabled.has(row) ? 'on   ' : 'off  '}</Text>
					<Text>{`${name.padEnd(20)} skill      a phrase, another phrase       2 days`}</Text>
				</Text>
			))}
		</Box>
	);
};

render(<PlainList/>, {alternateScreen: true, exitOnCtrlC: false, interactive: true});
