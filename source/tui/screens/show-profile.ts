import {toSwitchboardError} from '../../interface/errors.ts';
import {type Program} from '../app-context.ts';

/** Shows the service of a profile; where its key is forgotten, asks for one. What goes wrong is said. */
export const showProfile = async (program: Program, name: string): Promise<void> => {
	const profile = program.profiles().find(each => each.name === name);
	if (profile !== undefined && profile.apiKey === undefined) {
		program.store.dispatch({type: 'open', overlay: {kind: 'sign-in', baseAddress: profile.baseAddress, isKeyMissing: true}});
		return;
	}

	if (name === program.currentProfileName()) {
		program.say('info', `${name} is shown already.`);
		return;
	}

	try {
		await program.switchProfile(name);
	} catch (error_) {
		const error = toSwitchboardError(error_);
		program.say('error', [error.message, error.nextStep].filter(Boolean).join(' '), error);
	}
};
