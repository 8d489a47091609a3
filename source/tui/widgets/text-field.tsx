import {
	useLayoutEffect,
	useReducer,
	useRef,
	type ReactElement,
} from 'react';
import {Box, Text} from 'ink';
import TextInput from 'ink-text-input';
import stringWidth from 'string-width';
import {type KeyAnswer} from '../keys/dispatcher.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {withMark} from '../state/severity.ts';
import {theme} from '../theme.ts';
import {editText, insertText, type EditedText} from './text-editing.ts';
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

/** What ink-text-input draws besides a line of text is none. */
const lineOf = (text: string): string => text.replaceAll('\n', ' ').replaceAll(/\p{Control}/gu, '').trim();

/** What ink-text-input has in it: it does not tell where its cursor is, and takes no place for it. */
type Known = EditedText & {
	/** How often it was started anew. */
	readonly revision: number;
	/** False while it is started with the text before the cursor alone, which puts its cursor there. */
	readonly isPlaced: boolean;
};

/** Where it is not said how wide the field is, Ink breaks the lines. */
const complaintText = (complaint: string, room: number | undefined): string =>
	room === undefined ? withMark('error', complaint) : wrapText(withMark('error', complaint), room).join('\n');

/** One line of text with its label, edited by ink-text-input; what it cannot do is mended here. */
export const TextField = ({label, labelWidth, value, isFocused, width, mask, placeholder, complaint, onChange}: TextFieldProps): ReactElement => {
	const known = useRef<Known>({
		value, offset: value.length, revision: 0, isPlaced: true,
	});
	const [, redraw] = useReducer((count: number) => count + 1, 0);
	const startAnew = (text: EditedText): void => {
		known.current = {...text, revision: known.current.revision + 1, isPlaced: text.offset === text.value.length};
	};

	// A value that did not come from the field itself: the cursor would stay where it was, amid the new text.
	if (known.current.value !== value) {
		startAnew({value, offset: value.length});
	}

	const {revision, offset, isPlaced} = known.current;
	useLayoutEffect(() => {
		if (isPlaced) {
			return;
		}

		known.current = {...known.current, isPlaced: true};
		redraw();
	}, [isPlaced, revision]);

	const put = (text: EditedText): void => {
		startAnew(text);
		redraw();
		if (text.value !== value) {
			onChange(text.value);
		}
	};

	useKeys(layers.field, {
		onKey(key): KeyAnswer {
			const next = editText(key, known.current);
			if (next !== undefined) {
				put(next);
				return 'settle';
			}

			if (key.text === '' || key.name.startsWith('alt+')) {
				return false;
			}

			known.current = {...known.current, offset: known.current.offset + key.text.length};
			return 'forward';
		},
		onPaste(text) {
			put(insertText(known.current, lineOf(text)));
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
							value={isPlaced ? value : value.slice(0, offset)}
							focus={isFocused}
							{...(mask === undefined ? {} : {mask})}
							{...(placeholder === undefined ? {} : {placeholder})}
							onChange={changed => {
								known.current = {...known.current, value: changed};
								onChange(changed);
							}}
						/>
					</Box>
				</Box>
			</Box>
			{complaint === undefined ? null : <Box paddingLeft={labelWidth}><Text {...theme.error}>{complaintText(complaint, width === undefined ? undefined : room)}</Text></Box>}
		</Box>
	);
};
