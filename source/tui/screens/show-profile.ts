import {errorText, toSwitchboardError} from '../../interface/errors.ts';
import {type UiServices} from '../app-context.ts';

/** Switches to a profile, or asks for its key if it is signed out. Reports errors. */
export const showProfile = async (ui: UiServices, name: string): Promise<void> => {
	const profile = ui.profiles().find(each => each.name === name);
	if (profile !== undefined && profile.apiKey === undefined) {
		ui.store.dispatch({type: 'open', overlay: {kind: 'sign-in', baseAddress: profile.baseAddress, isKeyMissing: true}});
		return;
	}

	if (name === ui.currentProfileName()) {
		ui.say('info', `${name} is already shown.`);
		return;
	}

	try {
		await ui.switchProfile(name);
	} catch (error_) {
		const error = toSwitchboardError(error_);
		ui.say('error', errorText(error), error);
	}
};
