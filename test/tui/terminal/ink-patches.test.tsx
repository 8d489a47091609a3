import assert from 'node:assert/strict';
import test from 'node:test';
import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {render} from 'ink-testing-library';

/** Numbers that look random and are the same at each run (Lehmer's generator). */
const randomFrom = (seed: number) => (limit: number): number => {
	seed = (seed * 16_807) % 2_147_483_647;
	return seed % limit;
};

/** Several take the same room, until they are wrapped. */
const texts = ['of the same', 'a widerrr b', 'widths as b', 'two\nlines', 'to\nlines', '日本語', '', '\u{1B}[1mbold\u{1B}[22m', 'a long text that is wrapped or cut'];

const wraps = ['wrap', 'truncate-end'] as const;

type Shown = {readonly text: string; readonly nested: string | undefined; readonly wrap: typeof wraps[number]; readonly width: number | undefined};

const Screen = ({shown}: {readonly shown: readonly Shown[]}): ReactElement => (
	<Box flexDirection='column' width={30}>
		{shown.map(({text, nested, wrap, width}, index) => (
			<Box key={index}>
				<Box {...(width !== undefined && {width})}><Text wrap={wrap}>{text}{nested === undefined ? null : <Text bold>{nested}</Text>}</Text></Box>
				<Text>|</Text>
			</Box>
		))}
	</Box>
);

test('a screen that changed looks as if it had been drawn for the first time', () => {
	const random = randomFrom(20_261_122);
	const choose = <Choice,>(choices: readonly Choice[]): Choice => choices[random(choices.length)]!;
	const randomText = (): Shown => ({
		text: choose(texts), nested: random(3) === 0 ? choose(texts) : undefined, wrap: choose(wraps), width: choose([undefined, 8]),
	});
	let shown = Array.from({length: 6}, randomText);
	const changing = render(<Screen shown={shown}/>);
	const fresh = render(<Screen shown={shown}/>);
	for (let count = 0; count < 250; count++) {
		const changed = random(shown.length);
		// Mostly the text alone changes.
		shown = shown.map((before, index) => index === changed ? (random(5) === 0 ? randomText() : {...before, text: choose(texts)}) : before);
		changing.rerender(<Screen shown={shown}/>);
		// With another key everything in it is new.
		fresh.rerender(<Screen key={count} shown={shown}/>);
		assert.equal(changing.lastFrame(), fresh.lastFrame(), `frame ${count}`);
	}

	changing.unmount();
	fresh.unmount();
});
