import {SwitchboardError} from '../interface/errors.ts';
import {isSameBaseAddress} from '../interface/base-address.ts';

/** The profile that stands for the bundled service on this machine. It is always there and never stored. */
export const localProfileName = 'local';

/** A service and the account used on it. */
export type Profile = {
	readonly name: string;
	/** In its normal form (`interface/base-address.ts`). */
	readonly baseAddress: string;
	/** `undefined` where the person signed out. Shown as `keyLastFour` and nowhere whole. */
	readonly apiKey: string | undefined;
};

/**
What may be shown of a key: its last four characters. Of a key so short that these would give it away, nothing.
*/
export const keyLastFour = ({apiKey}: Pick<Profile, 'apiKey'>): string | undefined =>
	apiKey === undefined ? undefined : (apiKey.length < 8 ? '••••' : apiKey.slice(-4));

/** What is wrong with the name of a profile, as a clause; `undefined` where it is right. */
export const complainAboutProfileName = (name: string): string | undefined => {
	if (name.toLowerCase() === localProfileName) {
		return 'stands for the bundled service on this machine';
	}

	return /^[\p{Letter}\p{Number}][\p{Letter}\p{Mark}\p{Number}\-.@_]{0,59}$/u.test(name)
		? undefined
		: 'must begin with a letter or digit and may hold letters, digits, “.”, “-”, “_” and “@”, at most 60 of them';
};

/**
@throws SwitchboardError `usage` where no profile may be called that.
*/
export const refuseProfileName = (name: string): void => {
	const complaint = complainAboutProfileName(name);
	if (complaint !== undefined) {
		throw new SwitchboardError('usage', `The profile name “${name}” ${complaint}.`, {nextStep: 'Choose another name.', field: 'profile'});
	}
};

/**
@param baseAddress - where the name is for a profile of this address, one of that address does not count.
@throws SwitchboardError `usage` where another profile is called that.
*/
export const refuseTakenName = (profiles: readonly Profile[], name: string, baseAddress?: string): void => {
	const other = profiles.find(profile => profile.name === name);
	if (other !== undefined && (baseAddress === undefined || !isSameBaseAddress(other.baseAddress, baseAddress))) {
		throw new SwitchboardError('usage', `There is a profile “${name}” already, for ${other.baseAddress}.`, {nextStep: 'Choose another name.', field: 'profile'});
	}
};

/**
The name under which a sign-in to this address is stored when the person names none: that of the profile that already
stands for the address, the current one before others, else one made from the host that no other profile has.
*/
export const suggestProfileName = (profiles: readonly Profile[], baseAddress: string, currentName?: string): string => {
	const fitting = profiles.filter(profile => isSameBaseAddress(profile.baseAddress, baseAddress));
	const known = fitting.find(({name}) => name === currentName) ?? fitting[0];
	if (known !== undefined) {
		return known.name;
	}

	const {hostname, port} = new URL(baseAddress);
	const host = hostname.replaceAll(/[^\w\-.]+/g, '-').replaceAll(/^[^\da-z]+|[^\da-z]+$/gi, '') || 'service';
	const base = (port === '' ? host : `${host}-${port}`).slice(0, 50);
	const isFree = (name: string): boolean =>
		complainAboutProfileName(name) === undefined && profiles.every(profile => profile.name !== name);
	let candidate = base;
	for (let number = 2; !isFree(candidate); number++) {
		candidate = `${base}-${number}`;
	}

	return candidate;
};
