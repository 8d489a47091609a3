import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {useAppState, useUiServices} from '../app-context.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {type Hint} from '../state/hint.ts';
import {theme} from '../theme.ts';
import {TextField} from '../widgets/text-field.tsx';
import {wrapText} from '../widgets/wrap.ts';
import {type NameFormState} from './use-name-form.ts';

const labelWidth = 7;

export const nameFormHints: readonly Hint[] = [{key: 'enter', label: 'save'}, {key: 'esc', label: 'cancel'}, {key: 'ctrl+u', label: 'clear'}];

type NameFormProps = {
	readonly form: NameFormState;
	/** Shown below the name. */
	readonly note?: string;
	/** True if Escape closes the form also while the name is being saved. */
	readonly isSavingCancelable?: boolean;
	readonly onEnter: (name: string) => void;
};

/** An overlay's form of one name: Enter takes the name, Escape closes the overlay. */
export const NameForm = ({form, note, isSavingCancelable = false, onEnter}: NameFormProps): ReactElement => {
	const {store} = useUiServices();
	const width = useAppState(state => state.size.columns) - 2;
	const {typed, problem} = form;

	const enter = (): void => {
		if (typed.trim() === '') {
			form.refuse('Enter a name.');
		} else {
			onEnter(typed.trim());
		}
	};

	useKeys(layers.form, {
		onKey({name}) {
			if (name === 'escape' && (isSavingCancelable || !form.isSaving())) {
				store.dispatch({type: 'close'});
			} else if (name === 'enter' && !form.isSaving()) {
				enter();
			}

			return name === 'escape' || name === 'enter';
		},
	});
	return (
		<Box flexDirection='column' paddingX={1}>
			<TextField isFocused label='Name' labelWidth={labelWidth} width={width} value={typed} problem={problem} onChange={form.change}/>
			{note === undefined ? null : <Box paddingLeft={labelWidth}><Text {...theme.secondary}>{wrapText(note, width - labelWidth).join('\n')}</Text></Box>}
		</Box>
	);
};
