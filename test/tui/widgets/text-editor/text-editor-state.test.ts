import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {toChunkedText, toPlainText} from '../../../../source/tui/widgets/text-editor/chunked-text.ts';
import {
	createTextEditorState,
	isEdited,
	maximumTextLength,
	reduceTextEditor,
	type TextEditorState,
	type TextVerb,
} from '../../../../source/tui/widgets/text-editor/text-editor-state.ts';
import {type Reach, type TextMove} from '../../../../source/tui/widgets/text-editor/text-moves.ts';

const size = {width: 20, height: 5};

const run = (opened: TextEditorState, ...verbs: readonly TextVerb[]): TextEditorState => {
	let state = opened;
	for (const verb of verbs) {
		state = reduceTextEditor(state, {...verb, size});
	}

	return state;
};

const type = (text: string): readonly TextVerb[] => [...text].map(each => ({type: 'type', text: each}));

const move = (...moves: readonly TextMove[]): readonly TextVerb[] => moves.map(each => ({type: 'move', move: each}));

const undo: TextVerb = {type: 'undo'};
const redo: TextVerb = {type: 'redo'};

/** The text with a bar where the cursor is. */
const shown = ({text, cursor}: TextEditorState): string => {
	const whole = toPlainText(text);
	return `${whole.slice(0, cursor)}|${whole.slice(cursor)}`;
};

test('typing goes before the cursor, which moves by what reads as one character', () => {
	const state = run(createTextEditorState('e\u{301}👩‍👩‍👧漢\r\nnext'), ...move('next-character', 'next-character'), ...type('ab'));
	assert.equal(shown(state), 'e\u{301}👩‍👩‍👧ab|漢\r\nnext');
	assert.equal(shown(run(state, ...move('next-character', 'next-character'))), 'e\u{301}👩‍👩‍👧ab漢\r\n|next');
	assert.equal(shown(run(state, {type: 'erase', reach: 'previous-character'}, {type: 'erase', reach: 'previous-character'}, {type: 'erase', reach: 'previous-character'})), 'e\u{301}|漢\r\nnext');
	assert.equal(shown(run(state, {type: 'erase', reach: 'next-character'}, {type: 'erase', reach: 'next-character'})), 'e\u{301}👩‍👩‍👧ab|next');
});

test('Up and Down move by shown rows and keep to their column past a shorter row', () => {
	// In 20 columns: “A first line that is ”, “wrapped twice as it ”, “is long”, “short”, “another line”.
	const state = run(createTextEditorState('A first line that is wrapped twice as it is long\nshort\nanother line'), ...move('next-word', 'next-word', 'next-word', 'row-down'));
	assert.equal(shown(state), 'A first line that is wrapped twic|e as it is long\nshort\nanother line');
	assert.equal(shown(run(state, ...move('row-down', 'row-down'))), 'A first line that is wrapped twice as it is long\nshort|\nanother line');
	assert.equal(shown(run(state, ...move('row-down', 'row-down', 'row-down'))), 'A first line that is wrapped twice as it is long\nshort\nanother line|');
	assert.equal(shown(run(state, ...move('row-up', 'row-up'))), '|A first line that is wrapped twice as it is long\nshort\nanother line');
	assert.equal(shown(run(state, ...move('page-down'))), 'A first line that is wrapped twice as it is long\nshort\nanother line|');
	assert.equal(shown(run(state, ...move('line-end', 'page-up'))), 'A first| line that is wrapped twice as it is long\nshort\nanother line');
});

test('Home and End go to the ends of a line, also of one that is wrapped', () => {
	const state = run(createTextEditorState('before\nA first line that is wrapped\r\nafter'), ...move('row-down', 'row-down'));
	assert.equal(shown(run(state, ...move('line-end'))), 'before\nA first line that is wrapped|\r\nafter');
	assert.equal(shown(run(state, ...move('line-start'))), 'before\n|A first line that is wrapped\r\nafter');
	assert.equal(shown(run(state, ...move('text-end'))), 'before\nA first line that is wrapped\r\nafter|');
	assert.equal(shown(run(state, ...move('text-start'))), '|before\nA first line that is wrapped\r\nafter');
});

test('what is cut in a row is put back as one', () => {
	const cutLineEnd: TextVerb = {type: 'cut', reach: 'line-end'};
	const state = run(createTextEditorState('one\ntwo\nthree'), cutLineEnd, cutLineEnd, cutLineEnd);
	assert.equal(shown(state), '|\nthree');
	assert.equal(shown(run(state, ...move('text-end'), {type: 'put-back'})), '\nthreeone\ntwo|');
	const words = run(createTextEditorState('one two three'), ...move('line-end'), {type: 'cut', reach: 'previous-word'}, {type: 'cut', reach: 'previous-word'});
	assert.equal(shown(words), 'one |');
	assert.equal(shown(run(words, {type: 'put-back'}, {type: 'put-back'})), 'one two threetwo three|');
	assert.equal(shown(run(words, {type: 'cut', reach: 'line-start'})), '|');
	const start = run(createTextEditorState('one\ntwo'), ...move('row-down'), {type: 'cut', reach: 'line-start'});
	assert.equal(shown(start), 'one|two', 'at the start of a line its break is cut');
});

test('undo takes back a word at a time, a paste at once, and redo brings it back', () => {
	const erase: TextVerb = {type: 'erase', reach: 'previous-character'};
	const state = run(createTextEditorState('.'), ...type('one two'), {type: 'insert', text: 'three\nfour five'}, erase, erase);
	const texts: string[] = [];
	let back = state;
	for (let step = 0; step < 5; step++) {
		back = run(back, undo);
		texts.push(shown(back));
	}

	assert.deepEqual(texts, ['one twothree\nfour five|.', 'one two|.', 'one |.', '|.', '|.']);
	assert.equal(shown(run(back, redo, redo, redo, redo, redo)), 'one twothree\nfour fi|.');
	assert.equal(shown(run(back, redo, ...type('x'), redo)), 'one x|.', 'typing ends what can be redone');
});

test('a text counts as changed until everything is undone', () => {
	const opened = createTextEditorState('text');
	assert.ok(!isEdited(run(opened, ...move('text-end', 'row-up'), redo, undo, {type: 'erase', reach: 'previous-character'})));
	const edited = run(opened, ...type('a'));
	assert.ok(isEdited(edited));
	assert.ok(!isEdited(run(edited, undo)));
	const many = run(opened, ...Array.from({length: 1200}, (): TextVerb => ({type: 'insert', text: 'x'})), ...Array.from({length: 1200}, () => undo));
	assert.ok(isEdited(many), 'the oldest edits are beyond undo');
});

test('a new line and a pasted one end as those of the text do', () => {
	assert.equal(toPlainText(run(createTextEditorState('a\r\nb'), ...type('\n'), {type: 'insert', text: 'x\ny'}).text), '\r\nx\r\nya\r\nb');
	assert.equal(toPlainText(run(createTextEditorState('a\nb'), ...type('\n'), {type: 'insert', text: 'x\ny'}).text), '\nx\nya\nb');
});

test('a text takes no more than its maximum', () => {
	const full = createTextEditorState('x'.repeat(maximumTextLength));
	assert.equal(run(full, ...type('y')), full);
	assert.equal(run(full, {type: 'erase', reach: 'next-character'}, ...type('yz')).text.length, maximumTextLength);
});

/** The same text as one string, with the simplest code that is right. */
type Model = {readonly value: string; readonly offset: number};

const segmenter = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

const targets: Readonly<Record<Reach | 'text-start' | 'text-end', (model: Model) => number>> = {
	'previous-character': ({value, offset}) => [...segmenter.segment(value.slice(0, offset))].at(-1)?.index ?? 0,
	'next-character': ({value, offset}) => offset + ([...segmenter.segment(value.slice(offset))][0]?.segment.length ?? 0),
	'previous-word': ({value, offset}) => /\S*\s*$/u.exec(value.slice(0, offset))!.index,
	'next-word': ({value, offset}) => offset + /^\s*\S*/u.exec(value.slice(offset))![0].length,
	'line-start': ({value, offset}) => value.slice(0, offset).lastIndexOf('\n') + 1,
	'line-end': ({value, offset}) => offset + value.slice(offset).search(/\r?\n|$/u),
	'text-start': () => 0,
	'text-end': ({value}) => value.length,
};

const reaches = ['previous-character', 'next-character', 'previous-word', 'next-word', 'line-start', 'line-end'] as const;

/** At the end of a line, cutting to its end takes the break, as does cutting to the start at its start. */
const reachOf = (model: Model, reach: Reach): number => {
	const place = targets[reach](model);
	if (place !== model.offset) {
		return place;
	}

	return reach === 'line-end' ? targets['next-character'](model) : (reach === 'line-start' ? targets['previous-character'](model) : place);
};

const applyToModel = (model: Model, verb: TextVerb): Model => {
	const {value, offset} = model;
	const insert = (text: string): Model => ({value: value.slice(0, offset) + text + value.slice(offset), offset: offset + text.length});
	if (verb.type === 'type' || verb.type === 'insert') {
		return insert(verb.text);
	}

	if (verb.type === 'erase' || verb.type === 'cut') {
		const [from, to] = [offset, reachOf(model, verb.reach)].toSorted((first, second) => first - second) as [number, number];
		return {value: value.slice(0, from) + value.slice(to), offset: from};
	}

	return verb.type === 'move' ? {value, offset: targets[verb.move as keyof typeof targets](model)} : model;
};

const piece = fc.constantFrom('a', 'word', ' ', '\n', '\t', 'é', 'e\u{301}', '漢', '👩‍👩‍👧', '\u{202E}', '\u{7}', 'x'.repeat(30));
const anyText = fc.array(piece, {maxLength: 40}).map(pieces => pieces.join(''));
/** Long enough for several pieces and blocks. */
const longText = fc.tuple(anyText, fc.constantFrom('x', 'words ', '漢字', 'line\n'), fc.integer({min: 0, max: 12_000}), anyText).map(([start, part, count, end]) => start + part.repeat(count) + end);

const verbs: fc.Arbitrary<TextVerb> = fc.oneof(
	fc.record({type: fc.constantFrom('type' as const, 'insert' as const), text: piece}),
	fc.record({type: fc.constantFrom('erase' as const, 'cut' as const), reach: fc.constantFrom(...reaches)}),
	fc.record({type: fc.constant('move' as const), move: fc.constantFrom(...reaches, 'text-start' as const, 'text-end' as const)}),
);

test('any edits of any text do what they do to a plain string, and undo takes all of them back', () => {
	fc.assert(fc.property(fc.oneof(anyText, longText), fc.array(verbs, {maxLength: 40}), (text, steps) => {
		let state = createTextEditorState(text);
		let model: Model = {value: text, offset: 0};
		for (const step of steps) {
			state = run(state, step);
			model = applyToModel(model, step);
			assert.equal(toPlainText(state.text), model.value);
			assert.equal(state.cursor, model.offset);
			assert.equal(state.text.length, model.value.length);
			assert.equal(state.text.lineCount, model.value.split('\n').length);
		}

		const undone = run(state, ...steps.map(() => undo));
		assert.equal(toPlainText(undone.text), text);
		assert.equal(toPlainText(run(undone, ...steps.map(() => redo)).text), model.value);
	}), {numRuns: 150});
});

test('any text that is opened is the same text, to the byte', () => {
	fc.assert(fc.property(fc.string({unit: 'binary', maxLength: 2000}), text => {
		assert.equal(toPlainText(toChunkedText(text)), text);
	}));
});
