import {assert, test} from '../helpers/node.ts';
import {changedWords, textDiff} from '../../source/state/text-diff.ts';

/** The changed words of each line, in brackets. */
function marked(before: string, after: string): readonly string[] {
	const lines = textDiff(['a', 'b'], before, after).filter(({kind}) => kind === 'removed' || kind === 'added');
	const changed = changedWords(lines);
	return lines.map(line =>
		(changed.get(line) ?? []).reduceRight(
			(text, {start, end}) => `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`,
			line.text,
		),
	);
}

test('lines that replace each other have their changed words', () => {
	assert.deepEqual(marked('Keep count quietly.\nSay so.\n', 'Keep the score quietly.\nSay so.\n'), [
		'-Keep [count] quietly.',
		'+Keep [the score] quietly.',
	]);
	assert.deepEqual(marked('one two three\nfour five six\n', 'one 2 three\nfour 5 six\n'), [
		'-one [two] three',
		'-four [five] six',
		'+one [2] three',
		'+four [5] six',
	]);
});

test('lines without a counterpart, or with little in common with it, have none', () => {
	assert.deepEqual(marked('one\n', 'one\ntwo words\n'), ['+two words']);
	assert.deepEqual(marked('one two three\nfour\n', 'one two 3\n'), ['-one two three', '-four', '+one two 3']);
	assert.deepEqual(marked('Good morning to all\n', 'Nothing else matters\n'), ['-Good morning to all', '+Nothing else matters']);
});
