import {assert, test} from '../../helpers/node.ts';
import fc from 'fast-check';
import {
	createTextEditorState,
	maximumTextLength,
	reduceTextEditor,
	type TextAction,
	type TextEditorState,
	type TextVerb,
} from '../../../source/tui/state/text-editor-state.ts';

const size = {width: 20, height: 5};

function run(opened: TextEditorState, ...actions: ReadonlyArray<TextAction | TextVerb>): TextEditorState {
	let state = opened;
	for (const action of actions) {
		state = reduceTextEditor(state, {...(typeof action === 'string' ? {type: action} : action), size});
	}

	return state;
}

const type = (text: string): readonly TextAction[] => [...text].map(each => ({type: 'type', text: each}));

/** The text with a bar where the cursor is. */
const shown = ({text, cursor}: TextEditorState): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

test('typing goes before the cursor, which moves by what reads as one character', () => {
	const state = run(createTextEditorState('e\u{301}👩‍👩‍👧漢\r\nnext'), 'text-right', 'text-right', ...type('ab'));
	assert.equal(shown(state), 'e\u{301}👩‍👩‍👧ab|漢\r\nnext');
	assert.equal(shown(run(state, 'text-right', 'text-right')), 'e\u{301}👩‍👩‍👧ab漢\r\n|next');
	assert.equal(shown(run(state, 'text-erase', 'text-erase', 'text-erase')), 'e\u{301}|漢\r\nnext');
	assert.equal(shown(run(state, 'text-erase-next', 'text-erase-next')), 'e\u{301}👩‍👩‍👧ab|next');
});

test('Up and Down move by shown rows and keep to their column past a shorter row', () => {
	// In 20 columns: “A first line that is ”, “wrapped twice as it ”, “is long”, “short”, “another line”.
	const state = run(
		createTextEditorState('A first line that is wrapped twice as it is long\nshort\nanother line'),
		'text-word-right',
		'text-word-right',
		'text-word-right',
		'text-down',
	);
	assert.equal(shown(state), 'A first line that is wrapped twic|e as it is long\nshort\nanother line');
	assert.equal(shown(run(state, 'text-down', 'text-down')), 'A first line that is wrapped twice as it is long\nshort|\nanother line');
	assert.equal(
		shown(run(state, 'text-down', 'text-down', 'text-down')),
		'A first line that is wrapped twice as it is long\nshort\nanother line|',
	);
	assert.equal(shown(run(state, 'text-up', 'text-up')), '|A first line that is wrapped twice as it is long\nshort\nanother line');
	assert.equal(shown(run(state, 'text-page-down')), 'A first line that is wrapped twice as it is long\nshort\nanother line|');
	assert.equal(
		shown(run(state, 'text-line-end', 'text-page-up')),
		'A first| line that is wrapped twice as it is long\nshort\nanother line',
	);
});

test('Home and End go to the ends of a line, also of one that is wrapped', () => {
	const state = run(createTextEditorState('before\nA first line that is wrapped\r\nafter'), 'text-down', 'text-down');
	assert.equal(shown(run(state, 'text-line-end')), 'before\nA first line that is wrapped|\r\nafter');
	assert.equal(shown(run(state, 'text-line-start')), 'before\n|A first line that is wrapped\r\nafter');
	assert.equal(shown(run(state, 'text-end')), 'before\nA first line that is wrapped\r\nafter|');
	assert.equal(shown(run(state, 'text-start')), '|before\nA first line that is wrapped\r\nafter');
});

test('what is cut in a row is put back as one', () => {
	const cutLineEnd = 'text-cut-end';
	const state = run(createTextEditorState('one\ntwo\nthree'), cutLineEnd, cutLineEnd, cutLineEnd);
	assert.equal(shown(state), '|\nthree');
	assert.equal(shown(run(state, 'text-end', 'text-put-back')), '\nthreeone\ntwo|');
	const words = run(createTextEditorState('one two three'), 'text-line-end', 'text-cut-word', 'text-cut-word');
	assert.equal(shown(words), 'one |');
	assert.equal(shown(run(words, 'text-put-back', 'text-put-back')), 'one two threetwo three|');
	assert.equal(shown(run(words, 'text-cut-start')), '|');
	const start = run(createTextEditorState('one\ntwo'), 'text-down', 'text-cut-start');
	assert.equal(shown(start), 'one|two', 'at the start of a line its break is cut');
});

test('undo takes back a word at a time, a paste at once, and redo brings it back', () => {
	const erase = 'text-erase';
	const state = run(createTextEditorState('.'), ...type('one two'), {type: 'insert', text: 'three\nfour five'}, erase, erase);
	const texts: string[] = [];
	let back = state;
	for (let step = 0; step < 5; step++) {
		back = run(back, 'text-undo');
		texts.push(shown(back));
	}

	assert.deepEqual(texts, ['one twothree\nfour five|.', 'one two|.', 'one |.', '|.', '|.']);
	assert.equal(shown(run(back, 'text-redo', 'text-redo', 'text-redo', 'text-redo', 'text-redo')), 'one twothree\nfour fi|.');
	assert.equal(shown(run(back, 'text-redo', ...type('x'), 'text-redo')), 'one x|.', 'typing ends what can be redone');
});

test('a new line and a pasted one end as those of the text do', () => {
	assert.equal(run(createTextEditorState('a\r\nb'), ...type('\n'), {type: 'insert', text: 'x\ny'}).text, '\r\nx\r\nya\r\nb');
	assert.equal(run(createTextEditorState('a\nb'), ...type('\n'), {type: 'insert', text: 'x\ny'}).text, '\nx\nya\nb');
});

test('a text takes no more than its maximum', () => {
	const full = createTextEditorState('x'.repeat(maximumTextLength));
	assert.equal(run(full, ...type('y')), full);
	assert.equal(run(full, 'text-erase-next', ...type('yz')).text.length, maximumTextLength);
	assert.equal(
		run(createTextEditorState('x'.repeat(maximumTextLength - 2)), {type: 'insert', text: 'y👩'}).text.slice(0, 2),
		'yx',
		'a paste is cut, between characters',
	);
});

/** The same text as one string, with the simplest code that is right. */
type Model = {readonly value: string; readonly offset: number};

const segmenter = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

const targets = {
	'text-left': ({value, offset}) => [...segmenter.segment(value.slice(0, offset))].at(-1)?.index ?? 0,
	'text-right': ({value, offset}) => offset + ([...segmenter.segment(value.slice(offset))][0]?.segment.length ?? 0),
	'text-word-left': ({value, offset}) => /\S*\s*$/u.exec(value.slice(0, offset))!.index,
	'text-word-right': ({value, offset}) => offset + /^\s*\S*/u.exec(value.slice(offset))![0].length,
	'text-line-start': ({value, offset}) => value.slice(0, offset).lastIndexOf('\n') + 1,
	'text-line-end': ({value, offset}) => offset + value.slice(offset).search(/\r?\n|$/u),
	'text-start': () => 0,
	'text-end': ({value}) => value.length,
} as const satisfies Partial<Record<TextVerb, (model: Model) => number>>;

/** The moves to the places to which each removes; at the end of a line, cutting to its end takes the break, as does cutting to the start at its start. */
const removals = {
	'text-erase': ['text-left'],
	'text-erase-next': ['text-right'],
	'text-cut-word': ['text-word-left'],
	'text-cut-next': ['text-word-right'],
	'text-cut-start': ['text-line-start', 'text-left'],
	'text-cut-end': ['text-line-end', 'text-right'],
} as const satisfies Partial<Record<TextVerb, ReadonlyArray<keyof typeof targets>>>;

type ModelAction = Exclude<TextAction, {readonly type: TextVerb}> | keyof typeof targets | keyof typeof removals;

function applyToModel(model: Model, action: ModelAction): Model {
	const {value, offset} = model;
	if (typeof action !== 'string') {
		return {value: value.slice(0, offset) + action.text + value.slice(offset), offset: offset + action.text.length};
	}

	if (Object.hasOwn(targets, action)) {
		return {value, offset: targets[action as keyof typeof targets](model)};
	}

	const end = removals[action as keyof typeof removals].map(move => targets[move](model)).find(place => place !== offset) ?? offset;
	const [from, to] = [offset, end].toSorted((first, second) => first - second) as [number, number];
	return {value: value.slice(0, from) + value.slice(to), offset: from};
}

const piece = fc.constantFrom('a', 'word', ' ', '\n', '\t', 'é', 'e\u{301}', '漢', '👩‍👩‍👧', '\u{202E}', '\u{7}', 'x'.repeat(30));
const anyText = fc.array(piece, {maxLength: 40}).map(pieces => pieces.join(''));
/** Long enough for several blocks. */
const longText = fc
	.tuple(anyText, fc.constantFrom('x', 'words ', '漢字', 'line\n'), fc.integer({min: 0, max: 12_000}), anyText)
	.map(([start, part, count, end]) => start + part.repeat(count) + end);

const actions: fc.Arbitrary<ModelAction> = fc.oneof(
	fc.record({type: fc.constantFrom('type' as const, 'insert' as const), text: piece}),
	fc.constantFrom(...(Object.keys(removals) as Array<keyof typeof removals>)),
	fc.constantFrom(...(Object.keys(targets) as Array<keyof typeof targets>)),
);

test('any edits of any text do what they do to a plain string, and undo takes all of them back', () =>
	fc.assert(
		fc.property(fc.oneof(anyText, longText), fc.array(actions, {maxLength: 40}), (text, steps) => {
			let state = createTextEditorState(text);
			let model: Model = {value: text, offset: 0};
			for (const step of steps) {
				state = run(state, step);
				model = applyToModel(model, step);
				assert.equal(state.text, model.value);
				assert.equal(state.cursor, model.offset);
			}

			const undone = run(state, ...steps.map(() => 'text-undo' as const));
			assert.equal(undone.text, text);
			assert.equal(run(undone, ...steps.map(() => 'text-redo' as const)).text, model.value);
		}),
		{numRuns: 60},
	));
