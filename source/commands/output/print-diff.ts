import {styleText} from 'node:util';
import {revealText} from '../../interface/reveal-text.ts';
import {toAsciiText} from '../../tui/terminal/ascii.ts';
import {isForPerson, type Context} from '../context.ts';
import type {DiffLine} from './unified-diff.ts';

const styles: Readonly<Partial<Record<DiffLine['kind'], Parameters<typeof styleText>[0]>>> = {
	file: 'bold',
	hunk: 'cyan',
	removed: 'red',
	added: 'green',
};

const maximumLineLength = 2000;

/** A line for a terminal. */
const shownLine = ({options}: Context, {kind, text}: DiffLine): string => {
	// A carriage return at the end of a line may be all that differs.
	const end = text.endsWith('\r') ? '^M' : '';
	const shown = revealText(text.replace(/\r$/, ''), maximumLineLength) + end;
	const style = options.isColorWanted ? styles[kind] : undefined;
	return style === undefined ? shown : styleText(style, shown, {validateStream: false});
};

/** Prints the lines as the result of a command. In a pipe, as they are: changed ones could not be applied, or would say something else. */
export const printDiff = (context: Context, lines: readonly DiffLine[]): void => {
	if (!isForPerson(context)) {
		context.printData(lines.map(({text}) => `${text}\n`).join(''));
		return;
	}

	for (const line of lines) {
		context.print(shownLine(context, line));
	}
};

/** Shows the lines on standard error, which must be a terminal, below a sentence. */
export const noteDiff = (context: Context, sentence: string, lines: readonly DiffLine[]): void => {
	context.note(sentence);
	const text = lines.map(line => `${shownLine(context, line)}\n`).join('');
	context.streams.stderr.write(context.options.isAscii ? toAsciiText(text) : text);
};
