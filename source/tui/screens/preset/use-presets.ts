import {useCallback, useEffect, useState} from 'react';
import {toSwitchboardError, type SwitchboardError} from '../../../interface/errors.ts';
import {type Preset} from '../../../state/preset.ts';
import {useUiServices} from '../../app-context.ts';

type PresetsState = {
	/** `undefined` until they were read, and if they cannot be. */
	readonly presets: readonly Preset[] | undefined;
	readonly error: SwitchboardError | undefined;
};

/** The stored presets of the service that is shown, and what reads them again. */
export const usePresets = (): PresetsState & {readonly read: () => Promise<void>} => {
	const ui = useUiServices();
	const [state, setState] = useState<PresetsState>({presets: undefined, error: undefined});
	const read = useCallback(async () => {
		try {
			setState({presets: await ui.presets().list(), error: undefined});
		} catch (error) {
			setState({presets: undefined, error: toSwitchboardError(error)});
		}
	}, [ui]);
	useEffect(() => {
		void read();
	}, [read]);
	return {...state, read};
};
