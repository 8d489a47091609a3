import {useEffect, useEffectEvent} from 'react';
import {toSwitchboardError, type SwitchboardError} from '../../../interface/errors.ts';
import {type Preset} from '../../../state/preset.ts';
import {useUiServices} from '../../app-context.ts';
import {useRememberedState} from '../../widgets/use-remembered-state.ts';

type PresetsState = {
	/** `undefined` until they were read, and if they cannot be. */
	readonly presets: readonly Preset[] | undefined;
	readonly error: SwitchboardError | undefined;
};

const unread: PresetsState = {presets: undefined, error: undefined};

/** The stored presets of the service that is shown, and what reads them again. */
export const usePresets = (): PresetsState & {readonly read: () => Promise<void>} => {
	const ui = useUiServices();
	// Back from another screen, they are shown at once and then read again.
	const [state, setState] = useRememberedState<PresetsState>('presets', unread);
	const read = async (): Promise<void> => {
		let next: PresetsState;
		try {
			next = {presets: await ui.presets().list(), error: undefined};
		} catch (error) {
			next = {presets: undefined, error: toSwitchboardError(error)};
		}

		setState(() => next);
	};

	const readAtFirst = useEffectEvent(read);
	useEffect(() => {
		void readAtFirst();
	}, []);
	return {...state, read};
};
