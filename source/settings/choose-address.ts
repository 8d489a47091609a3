import {normalizeBaseAddress, isSameBaseAddress, publicServiceAddress} from '../interface/base-address.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {defaultDataFolder, hasDatabase} from '../service/data-folder.ts';
import {
	findProfile,
	localProfileName,
	type Profile,
	type StoredProfiles,
} from './profile.ts';
import {signInHint, useLocalHint} from './sign-in-hint.ts';

export type TargetOptions = {
	readonly settings: StoredProfiles;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** As given by `--profile`. */
	readonly profile?: string | undefined;
	/** As given by `--base-url`. */
	readonly baseUrl?: string | undefined;
	readonly isInsecureHttpAllowed: boolean;
	/** If nothing is set up, the terminal UI opens the bundled service; a command says how to sign in. */
	readonly isForUi: boolean;
};

/** Where an address comes from: an option, a variable, or a profile. */
export type AddressSource = '--base-url' | 'profile' | 'SWITCHBOARD_BASE_URL' | 'OPENHOME_API_BASE' | 'OPENHOME_API_KEY';

/** An address, and the profile that it comes from, if any. */
export type AddressChoice = {
	readonly baseAddress: string;
	readonly source: AddressSource;
	readonly profile?: Profile | undefined;
	/** True if the stored key of the profile is the only one that counts. */
	readonly isNamed?: boolean;
};

/** What should have been an address, where it comes from, and what is wrong with it. */
export type WrongAddress = {
	readonly source: AddressSource;
	readonly profile?: Profile | undefined;
	readonly error: SwitchboardError;
};

type Choice = AddressChoice | WrongAddress | 'local';

const givenAddress = (text: string, source: AddressSource, profile?: Profile): AddressChoice | WrongAddress => {
	try {
		return {baseAddress: normalizeBaseAddress(text), source};
	} catch (error_) {
		const error = toSwitchboardError(error_);
		const {kind, nextStep, field} = error;
		return {source, profile, error: source === '--base-url' ? error : new SwitchboardError(kind, `${source}: ${error.message}`, {nextStep, field})};
	}
};

/** An empty variable counts as not set. */
export const variable = (env: TargetOptions['env'], name: string): string | undefined => {
	const value = env[name]?.trim();
	return value === '' ? undefined : value;
};

/** The only address that `OPENHOME_API_KEY` may be sent to. */
export const openHomeAddress = (env: TargetOptions['env']): string => variable(env, 'OPENHOME_API_BASE') ?? publicServiceAddress;

const chooseAddressWithoutOptions = ({settings, env, isForUi}: TargetOptions): Choice => {
	const address = variable(env, 'SWITCHBOARD_BASE_URL');
	if (address !== undefined) {
		return givenAddress(address, 'SWITCHBOARD_BASE_URL');
	}

	const current = settings.currentProfileName();
	if (current === localProfileName) {
		return 'local';
	}

	if (current !== undefined) {
		const profile = findProfile(settings.profiles(), current);
		return {baseAddress: profile.baseAddress, source: 'profile', profile};
	}

	const hasSwitchboardKey = variable(env, 'SWITCHBOARD_API_KEY') !== undefined;
	const isOpenHomeKeyAlone = variable(env, 'OPENHOME_API_KEY') !== undefined && !hasSwitchboardKey;
	const hasOpenHomeAddress = variable(env, 'OPENHOME_API_BASE') !== undefined;
	if (hasOpenHomeAddress || isOpenHomeKeyAlone) {
		// The key alone stands for an address.
		return givenAddress(openHomeAddress(env), hasOpenHomeAddress ? 'OPENHOME_API_BASE' : 'OPENHOME_API_KEY');
	}

	if (isForUi) {
		return 'local';
	}

	if (hasSwitchboardKey) {
		throw new SwitchboardError('usage', 'SWITCHBOARD_API_KEY is set, but not the address of its service.', {
			nextStep: 'Set SWITCHBOARD_BASE_URL or use --base-url, as in --base-url https://app.openhome.com.',
		});
	}

	// The bundled service alone has been used so far, by the terminal UI or by other programs.
	const hasLocalAlone = settings.profiles().length === 0 && hasDatabase(defaultDataFolder());
	throw new SwitchboardError('no-key', 'No service is set up yet.', {nextStep: [...(hasLocalAlone ? [useLocalHint] : []), signInHint()].join('\n')});
};

export type NamedProfile = {
	readonly name: string;
	/** The variable that the name comes from; `undefined` if it comes from an option. */
	readonly variableName?: 'SWITCHBOARD_PROFILE';
};

/** The variable is ignored if the address of another service is given. */
export const findNamedProfile = ({settings, env, profile, baseUrl}: TargetOptions): NamedProfile | undefined => {
	if (profile !== undefined) {
		return {name: profile};
	}

	const variableName = 'SWITCHBOARD_PROFILE';
	const name = variable(env, variableName);
	const isRelevant = baseUrl === undefined || settings.profiles().some(stored => stored.name === name && isSameBaseAddress(stored.baseAddress, baseUrl));
	return name !== undefined && isRelevant ? {name, variableName} : undefined;
};

/** The address of a profile that an option or a variable names. */
const chooseNamedProfile = ({settings, baseUrl}: TargetOptions, {name, variableName}: NamedProfile): Choice => {
	if (name === localProfileName) {
		if (baseUrl !== undefined) {
			throw new SwitchboardError('usage', 'The profile “local” is the bundled service, which has no other address.', {
				nextStep: 'Use either --profile local or --base-url.',
			});
		}

		return 'local';
	}

	const profile = findProfile(settings.profiles(), name, variableName);
	if (baseUrl === undefined) {
		return {
			baseAddress: profile.baseAddress, source: 'profile', profile, isNamed: true,
		};
	}

	const given = givenAddress(baseUrl, '--base-url', profile);
	if ('error' in given) {
		return given;
	}

	if (given.baseAddress !== profile.baseAddress) {
		throw new SwitchboardError('usage', `The key of the profile “${name}” is for ${profile.baseAddress} and is not sent to another address.`, {
			nextStep: 'Use either --profile or --base-url, or sign in to that address with another profile.',
		});
	}

	return {...given, profile, isNamed: true};
};

/** The address by the rules of “Which service, which key” in `CONTRACT.md`; `local` is the bundled service. */
export const chooseAddress = (options: TargetOptions, named: NamedProfile | undefined): Choice => {
	if (named !== undefined) {
		return chooseNamedProfile(options, named);
	}

	return options.baseUrl === undefined
		? chooseAddressWithoutOptions(options)
		: givenAddress(options.baseUrl, '--base-url');
};
