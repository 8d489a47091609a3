import {useReducer, useRef, type ReactElement} from 'react';
import {Box, Text} from 'ink';
import TextInput from 'ink-text-input';
import stringWidth from 'string-width';
import {type KeyAnswer} from '../keys/dispatcher.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {type Key} from '../terminal/keyboard.ts';
import {theme} from '../theme.ts';
import {wrapText} from './wrap.ts';

export type TextFieldProps = {
	readonly label: string;
	readonly labelWidth: number;
	readonly value: string;
	readonly isFocused: boolean;
	/** Columns for label and value; a longer value is scrolled within them. Without it the end of such a value is not seen. */
	readonly width?: number;
	/** Shown in place of each character. */
	readonly mask?: string;
	readonly placeholder?: string;
	/** What is wrong with it, as a sentence. */
	readonly complaint?: string | undefined;
	readonly onChange: (value: string) => void;
};

/** Ink-text-input takes these as letters, or does nothing sensible with them: the field does it itself. */
const edited = (key: Key, value: string): string | undefined => {
	switch (key.name) {
		case 'ctrl+u': {
			return '';
		}

		case 'ctrl+w':
		case 'alt+backspace': {
			return value.replace(/\S*\s*$/u, '');
		}

		default: {
			return undefined;
		}
	}
};

/** Keys that mean the same to ink-text-input as to the person. */
const isForField = (key: Key): boolean =>
	(key.text !== '' && !key.name.startsWith('alt+')) || ['backspace', 'delete', 'left', 'right'].includes(key.name);

/** Half of a character that a backspace took in two is no text. */
const wholeCharacters = (value: string): string => value.replaceAll(/\p{Surrogate}/gu, '').replaceAll(/\p{Control}/gu, '');

/** What ink-text-input has in it, how often it was started anew, and where its cursor is, in UTF-16 units. */
type Known = {readonly value: string; readonly revision: number; readonly offset: number};

/** Where ink-text-input has its cursor after a key, as it does not tell. */
const movedBy = (key: Key, offset: number): number => {
	switch (key.name) {
		case 'left':
		case 'backspace':
		case 'delete': {
			return Math.max(0, offset - 1);
		}

		case 'right': {
			return offset + 1;
		}

		default: {
			return offset + key.text.length;
		}
	}
};

/** Where it is not said how wide the field is, Ink breaks the lines. */
const complaintText = (complaint: string, room: number | undefined): string =>
	room === undefined ? `! ${complaint}` : wrapText(`! ${complaint}`, room).join('\n');

/** One line of text with its label, edited by ink-text-input; what it cannot do is mended here. */
export const TextField = ({label, labelWidth, value, isFocused, width, mask, placeholder, complaint, onChange}: TextFieldProps): ReactElement => {
	// A value that did not come from the field itself starts it anew: its cursor would stay where it was, amid the new text.
	const known = useRef<Known>({value, revision: 0, offset: value.length});
	if (known.current.value !== value) {
		known.current = {value, revision: known.current.revision + 1, offset: value.length};
	}

	const {revision} = known.current;
	const offset = Math.min(known.current.offset, value.length);
	const [, redraw] = useReducer((count: number) => count + 1, 0);
	useKeys(layers.field, {
		onKey(key): KeyAnswer {
			const next = edited(key, value);
			if (next !== undefined) {
				onChange(next);
				return 'settle';
			}

			if (!isForField(key)) {
				return false;
			}

			// As of now: no frame need have been drawn since the key before.
			const before = Math.min(known.current.offset, value.length);
			// Ink-text-input would go one step beyond the end.
			if (key.name === 'right' && before === value.length) {
				return true;
			}

			known.current = {...known.current, offset: movedBy(key, before)};
			// A key that changes the value has it drawn anew by that.
			if (width !== undefined && (key.name === 'left' || key.name === 'right')) {
				redraw();
			}

			return 'forward';
		},
		onPaste(text) {
			onChange(value + wholeCharacters(text.replaceAll('\n', ' ').trim()));
			return true;
		},
	}, isFocused);
	const shown = mask === undefined ? value : mask.repeat(value.length);
	const valueWidth = stringWidth(shown) + 1;
	const room = width === undefined ? valueWidth : Math.max(1, width - labelWidth);
	const scrolledColumns = Math.max(0, Math.min(valueWidth, stringWidth(shown.slice(0, offset)) + 1) - room);
	return (
		<Box flexDirection='column' flexShrink={0}>
			<Box>
				<Box width={labelWidth} flexShrink={0}>
					<Text {...(isFocused ? theme.accent : theme.secondary)}>{`${isFocused ? '>' : ' '} ${label}`}</Text>
				</Box>
				<Box flexShrink={1} height={1} overflow='hidden' {...(width === undefined ? {} : {width: room})}>
					<Box flexShrink={0} marginLeft={-scrolledColumns} {...(width === undefined ? {} : {width: Math.max(room, valueWidth)})}>
						<TextInput
							key={revision}
							value={value}
							focus={isFocused}
							{...(mask === undefined ? {} : {mask})}
							{...(placeholder === undefined ? {} : {placeholder})}
							onChange={changed => {
								const whole = wholeCharacters(changed);
								if (whole === changed) {
									known.current = {...known.current, value: whole};
								}

								onChange(whole);
							}}
						/>
					</Box>
				</Box>
			</Box>
			{complaint === undefined ? null : <Box paddingLeft={labelWidth}><Text {...theme.error}>{complaintText(complaint, width === undefined ? undefined : room)}</Text></Box>}
		</Box>
	);
};
