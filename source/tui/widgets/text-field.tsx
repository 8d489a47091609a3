import {type ReactElement, useLayoutEffect, useReducer, useRef} from 'react';
import {Box, Text, Transform} from 'ink';
import TextInput from 'ink-text-input';
import stringWidth from 'string-width';
import {type KeyAnswer, layers, useKeys} from '../keys/dispatcher.ts';
import {cursorMark, cursorMarkEnd, withCursor} from '../../terminal/cursor-mark.ts';
import {theme} from '../theme.ts';
import {type EditedText, editText, insertText, startWithin} from '../state/text-editing.ts';

type TextFieldProps = {
	readonly label: string;
	readonly labelWidth: number;
	readonly value: string;
	readonly isFocused: boolean;
	/** Columns for label and value; a longer value scrolls within them. */
	readonly width: number;
	readonly mask?: string;
	readonly placeholder?: string;
	readonly onChange: (value: string) => void;
};

/** The most characters of a value, in UTF-16 units: more than any path has. */
export const maximumLength = 4096;

/** Returns pasted text as one line, because ink-text-input draws no other. */
const lineOf = (text: string): string =>
	text
		.replaceAll('\n', ' ')
		.replaceAll(/\p{Control}/gu, '')
		.trim();

/** The known state of ink-text-input: its cursor can be neither read nor set. */
type InputState = EditedText & {
	/** How often it was mounted again. */
	readonly revision: number;
	/** False while it is mounted with only the text before the cursor, which puts its cursor there. */
	readonly isCursorSet: boolean;
};

/** The cursor of ink-text-input is the only reverse video in it. */
const withTerminalCursor = (line: string): string =>
	line.replace('\u{1B}[7m', start => cursorMark('field') + start).replace('\u{1B}[27m', end => end + cursorMarkEnd);

/** Draws the label of a line of a form. */
export function FieldLabel({label, labelWidth, isFocused}: Pick<TextFieldProps, 'label' | 'labelWidth' | 'isFocused'>): ReactElement {
	return (
		<Box width={labelWidth} flexShrink={0}>
			<Text {...(isFocused ? theme.accent : theme.secondary)}>{`${isFocused ? withCursor('row', '>') : ' '} ${label}`}</Text>
		</Box>
	);
}

/** Draws one line of text with its label, edited by ink-text-input, with the editing keys that it lacks. */
export function TextField({label, labelWidth, value, isFocused, width, mask, placeholder, onChange}: TextFieldProps): ReactElement {
	const known = useRef<InputState>({value, offset: value.length, revision: 0, isCursorSet: true});
	const [, redraw] = useReducer((count: number) => count + 1, 0);
	const remount = (text: EditedText): void => {
		known.current = {...text, revision: known.current.revision + 1, isCursorSet: text.offset === text.value.length};
	};

	// The value did not come from the field itself, and the cursor would stay in the middle of the new text.
	if (known.current.value !== value) {
		remount({value, offset: value.length});
	}

	const {revision, offset, isCursorSet} = known.current;
	useLayoutEffect(() => {
		if (isCursorSet) {
			return;
		}

		known.current = {...known.current, isCursorSet: true};
		redraw();
	}, [isCursorSet, revision]);

	const put = (text: EditedText): void => {
		remount(text);
		redraw();
		if (text.value !== value) {
			onChange(text.value);
		}
	};

	useKeys(
		layers.field,
		{
			onKey(key): KeyAnswer {
				const next = editText(key, known.current);
				if (next !== undefined) {
					put(next);
					return 'settle';
				}

				if (key.text === '' || key.name.startsWith('alt+')) {
					return false;
				}

				if (known.current.value.length + key.text.length > maximumLength) {
					return 'settled';
				}

				known.current = {...known.current, offset: known.current.offset + key.text.length};
				return 'forward';
			},
			onPaste(text) {
				put(insertText(known.current, startWithin(lineOf(text), maximumLength - known.current.value.length)));
				return true;
			},
		},
		isFocused,
	);
	const shown = mask === undefined ? value : mask.repeat(value.length);
	const valueWidth = stringWidth(shown) + 1;
	const room = Math.max(1, width - labelWidth);
	const scrolledColumns = Math.max(0, Math.min(valueWidth, stringWidth(shown.slice(0, offset)) + 1) - room);
	return (
		<Box flexShrink={0}>
			<FieldLabel label={label} labelWidth={labelWidth} isFocused={isFocused} />
			<Box flexShrink={1} height={1} width={room} overflow="hidden">
				<Box flexShrink={0} marginLeft={-scrolledColumns} width={Math.max(room, valueWidth)}>
					<Transform transform={withTerminalCursor}>
						<TextInput
							key={revision}
							value={isCursorSet ? value : value.slice(0, offset)}
							focus={isFocused}
							{...(mask === undefined ? {} : {mask})}
							{...(placeholder === undefined ? {} : {placeholder})}
							onChange={changed => {
								known.current = {...known.current, value: changed};
								onChange(changed);
							}}
						/>
					</Transform>
				</Box>
			</Box>
		</Box>
	);
}
