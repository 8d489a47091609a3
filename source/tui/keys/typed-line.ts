import type {Key} from '../../terminal/key.ts';
import {lineMoveOf, type Move} from '../state/list-state.ts';
import {editedLine, withPasted} from '../state/text-editing.ts';
import {layers, useKeys} from './dispatcher.ts';

/** A line that is typed at its end, above a list or a text: a filter, a search, a sentence. */
type TypedLine = {
	/** Returns the newest text, because several keys may come between two frames. */
	read(): string;
	type(text: string): void;
	/** Called by Enter. */
	keep(text: string): void;
	/** Called by Escape, and by Backspace in an empty line. */
	leave(): void;
	move(move: Move): void;
	/** Handles any other key; returns false for a key that is not used. */
	onKey?(key: Key): boolean;
};

/** Handles a key of the line: every printable key is text. Returns false for a key that is not used. */
export function actOnLine(line: TypedLine, key: Key): boolean {
	const text = line.read();
	const move = lineMoveOf(key.name);
	const typed = editedLine(text, key);
	if (key.name === 'enter') {
		line.keep(text);
	} else if (key.name === 'escape' || (key.name === 'backspace' && text === '')) {
		line.leave();
	} else if (move !== undefined) {
		line.move(move);
	} else if (typed === undefined) {
		return line.onKey?.(key) ?? false;
	} else {
		line.type(typed);
	}

	return true;
}

/**
Takes the keys of the line while it is open.

@param isOpen - a function for a line that is kept outside React: the next key need not wait for the frame then.
*/
export function useTypedLine(line: TypedLine, isOpen: boolean | (() => boolean) = true): void {
	const isOutsideReact = typeof isOpen === 'function';
	useKeys(
		layers.line,
		{
			...(isOutsideReact && {isOpen}),
			onKey: key => actOnLine(line, key) && (isOutsideReact ? 'settled' : 'settle'),
			onPaste(pasted) {
				const before = line.read();
				// Copied lines bring blanks and line breaks along.
				line.type(withPasted(before, before === '' ? pasted.trim() : pasted.trimEnd()));
				return true;
			},
		},
		isOutsideReact || isOpen,
	);
}
