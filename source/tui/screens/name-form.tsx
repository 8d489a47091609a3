import {useRef, useState, type ReactElement, type ReactNode} from 'react';
import {Box, Text} from 'ink';
import {errorText, toSwitchboardError} from '../../interface/errors.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {layers, useKeys} from '../keys/dispatcher.ts';
import type {Hint} from '../../words/keymap.ts';
import {roomyRows} from '../state/layout.ts';
import {theme} from '../theme.ts';
import {TextField} from '../widgets/text-field.tsx';
import {wrapText} from '../../terminal/wrap.ts';
import {DetailFrame} from './detail-frame.tsx';

const labelWidth = 7;

export const nameFormHints: readonly Hint[] = [
	{key: 'enter', label: 'save'},
	{key: 'esc', label: 'cancel'},
	{key: 'ctrl+u', label: 'clear'},
];

type FormFrameProps = {
	readonly title: string;
	readonly hints: readonly Hint[];
	/** Below the fields. */
	readonly note?: string;
	readonly children: ReactNode;
};

/** Draws the frame around the fields of a form. */
export function FormFrame({title, hints, note, children}: FormFrameProps): ReactElement {
	const {columns, rows} = useAppState().size;
	const gap = rows < roomyRows ? 0 : 1;
	return (
		<DetailFrame isPlain head={<Text {...theme.title} wrap="truncate-end">{` ${title}`}</Text>} hints={hints}>
			<Box flexDirection="column" paddingX={1} paddingTop={gap}>
				{children}
				{note === undefined ? null : (
					<Box paddingTop={gap}>
						<Text {...theme.secondary}>{wrapText(note, columns - 2).join('\n')}</Text>
					</Box>
				)}
			</Box>
		</DetailFrame>
	);
}

type NameFormProps = {
	readonly initial?: string;
	readonly note?: string;
	/** True if Escape closes the form even while the name is being saved. */
	readonly isSavingCancelable?: boolean;
	/** Saves the name. After a failure the name stays, with the reason below it. */
	readonly onSave: (name: string) => Promise<void>;
};

/** Draws an overlay's form for one name: Enter saves the name, Escape closes the overlay. */
export function NameForm({initial = '', note, isSavingCancelable = false, onSave}: NameFormProps): ReactElement {
	const {store} = useUiServices();
	const width = useAppState(state => state.size.columns) - 2;
	const [typed, setTyped] = useState(initial);
	const [problem, setProblem] = useState<string | undefined>(undefined);
	const isSaving = useRef(false);

	const save = async (): Promise<void> => {
		if (typed.trim() === '') {
			setProblem('Enter a name.');
			return;
		}

		isSaving.current = true;
		try {
			await onSave(typed.trim());
		} catch (error) {
			setProblem(errorText(toSwitchboardError(error)));
		} finally {
			isSaving.current = false;
		}
	};

	useKeys(layers.form, {
		onKey({name}) {
			if (name === 'escape' && (isSavingCancelable || !isSaving.current)) {
				store.dispatch({type: 'close'});
			} else if (name === 'enter' && !isSaving.current) {
				void save();
			}

			return name === 'escape' || name === 'enter';
		},
	});

	const change = (value: string): void => {
		setTyped(value);
		setProblem(undefined);
	};

	return (
		<Box flexDirection="column">
			<TextField isFocused label="Name" labelWidth={labelWidth} width={width} value={typed} problem={problem} onChange={change} />
			{note === undefined ? null : (
				<Box paddingLeft={labelWidth}>
					<Text {...theme.secondary}>{wrapText(note, width - labelWidth).join('\n')}</Text>
				</Box>
			)}
		</Box>
	);
}
