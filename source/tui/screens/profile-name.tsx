import {type ReactElement} from 'react';
import {Box, Text} from 'ink';
import {useAppState, useUiServices} from '../app-context.ts';
import {theme} from '../theme.ts';
import {HintLine} from '../widgets/hint-line.tsx';
import {NameForm, nameFormHints} from './name-form.tsx';
import {useNameForm} from './use-name-form.ts';

/** Renames a profile: Enter saves the name, Escape cancels. A rejected name stays in the field, with the reason. */
export const ProfileNameScreen = ({name}: {readonly name: string}): ReactElement => {
	const ui = useUiServices();
	const {columns, rows} = useAppState().size;
	const form = useNameForm(name);

	const rename = async (newName: string): Promise<void> => {
		if (newName !== name) {
			await ui.renameProfile(name, newName);
		}

		ui.store.dispatch({type: 'close'});
	};

	return (
		<Box flexDirection='column' height={rows}>
			<Text {...theme.title} wrap='truncate-end'>{` Rename the profile ${name}`}</Text>
			<Box flexDirection='column' flexGrow={1} paddingTop={rows < 14 ? 0 : 1} overflow='hidden'>
				<NameForm
					form={form}
					onEnter={newName => {
						void form.save(async () => rename(newName));
					}}
				/>
			</Box>
			<HintLine width={columns} hints={nameFormHints}/>
		</Box>
	);
};
