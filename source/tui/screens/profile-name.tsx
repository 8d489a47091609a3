import {useRef, useState, type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {toSwitchboardError} from '../../interface/errors.ts';
import {useAppState, useUiServices} from '../app-context.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {theme} from '../theme.ts';
import {HintLine} from '../widgets/hint-line.tsx';
import {TextField} from '../widgets/text-field.tsx';
import {errorText} from './error-text.ts';

const labelWidth = 7;

/** Renames a profile: Enter saves the name, Escape cancels. A rejected name stays in the field, with the reason. */
export const ProfileNameScreen = ({name}: {readonly name: string}): ReactElement => {
	const ui = useUiServices();
	const {columns, rows} = useAppState().size;
	const [typed, setTyped] = useState(name);
	const [problem, setProblem] = useState<string | undefined>(undefined);
	const isBusy = useRef(false);

	const rename = async (newName: string): Promise<void> => {
		isBusy.current = true;
		try {
			if (newName !== name) {
				await ui.renameProfile(name, newName);
			}

			ui.store.dispatch({type: 'close'});
		} catch (error) {
			setProblem(errorText(toSwitchboardError(error)));
		} finally {
			isBusy.current = false;
		}
	};

	useKeys(layers.overlay, {
		onKey(key) {
			if (isBusy.current) {
				return true;
			}

			if (key.name === 'escape') {
				ui.store.dispatch({type: 'close'});
			} else if (key.name === 'enter' && typed.trim() === '') {
				setProblem('Enter a name.');
			} else if (key.name === 'enter') {
				void rename(typed.trim());
			}

			return true;
		},
	});
	return (
		<Box flexDirection='column' height={rows}>
			<Text {...theme.title} wrap='truncate-end'>{` Rename the profile ${name}`}</Text>
			<Box flexDirection='column' flexGrow={1} paddingX={1} paddingTop={rows < 14 ? 0 : 1} overflow='hidden'>
				<TextField
					isFocused
					label='Name'
					labelWidth={labelWidth}
					width={columns - 2}
					value={typed}
					problem={problem}
					onChange={value => {
						setTyped(value);
						setProblem(undefined);
					}}
				/>
			</Box>
			<HintLine width={columns} hints={[{key: 'enter', label: 'save'}, {key: 'esc', label: 'cancel'}, {key: 'ctrl+u', label: 'clear'}]}/>
		</Box>
	);
};
