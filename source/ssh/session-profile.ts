import {isInsecureAddress} from '../interface/base-address.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {peekSettings} from '../settings/settings.ts';

/**
Why a profile cannot be used over SSH; `undefined` if it can. The sentence is for whoever comes over SSH, and names no other profile.
*/
export const profileProblem = (name: string): SwitchboardError | undefined => {
	const profile = peekSettings().profiles().find(each => each.name === name);
	const signIn = `On the server, run: switchboard login --profile ${name}`;
	if (profile === undefined) {
		return new SwitchboardError('no-key', `Your SSH key is for the profile “${name}”, which the server does not have.`, {nextStep: signIn});
	}

	if (profile.apiKey === undefined) {
		return new SwitchboardError('no-key', `Your SSH key is for the profile “${name}”, which has no API key.`, {nextStep: signIn});
	}

	return isInsecureAddress(profile.baseAddress)
		? new SwitchboardError('insecure', `Your SSH key is for the profile “${name}”, whose address is plain http to another machine: the API key could be read in transit.`, {nextStep: `On the server, sign in with an https:// address: switchboard login --profile ${name} --base-url URL`})
		: undefined;
};
