import {toSwitchboardError} from '../../interface/errors.ts';
import {type UiServices} from '../app-context.ts';

/** Shows the service of a profile; where its key is forgotten, asks for one. What goes wrong is said. */
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
		ui.say('error', [error.message, error.nextStep].filter(Boolean).join(' '), error);
	}
};
