import {normalizeBaseAddress} from '../interface/base-address.ts';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {isApiKeyShaped} from './api-key.ts';
import {
	localProfileName,
	profileNameProblem,
	type Profile,
} from './profile.ts';

/** What the settings file holds. */
export type CheckedSettings = {
	readonly profiles: readonly Profile[];
	readonly currentProfileName: string | undefined;
	/** The file as it is, without what is wrong in it. Unknown fields, such as those of a later version, are kept. */
	readonly usable: JsonObject;
	/** What is wrong in it, each as a clause. */
	readonly problems: readonly string[];
};

const checkProfile = (name: string, entry: JsonValue): Profile | string => {
	const nameProblem = profileNameProblem(name);
	if (nameProblem !== undefined) {
		return `its name ${nameProblem}`;
	}

	if (!isJsonObject(entry)) {
		return 'it is not an object';
	}

	const {baseAddress, apiKey} = entry;
	if (typeof baseAddress !== 'string') {
		return 'its “baseAddress” is not a string';
	}

	if (apiKey !== undefined && apiKey !== null && !(typeof apiKey === 'string' && isApiKeyShaped(apiKey))) {
		return 'its “apiKey” is not an API key';
	}

	try {
		return {name, baseAddress: normalizeBaseAddress(baseAddress), apiKey: apiKey ?? undefined};
	} catch (error) {
		if (error instanceof SwitchboardError) {
			return 'its “baseAddress” is not the address of a service';
		}

		throw error;
	}
};

const checkProfiles = (value: JsonValue | undefined, problems: string[]): Pick<CheckedSettings, 'profiles' | 'usable'> => {
	const profiles: Profile[] = [];
	const usable: Record<string, JsonValue> = {};
	if (value !== undefined && !isJsonObject(value)) {
		problems.push('“profiles” is not an object');
		return {profiles, usable};
	}

	for (const [name, entry] of Object.entries(value ?? {})) {
		const profile = checkProfile(name, entry);
		if (typeof profile === 'string') {
			problems.push(`profile “${cleanText(name, 60)}”: ${profile}`);
		} else {
			profiles.push(profile);
			usable[name] = entry;
		}
	}

	return {profiles, usable};
};

/** What can be used of a settings file, and what is wrong with the rest. */
export const checkSettings = (raw: JsonObject): CheckedSettings => {
	const problems: string[] = [];
	const {currentProfile, ...rest} = raw;
	const {profiles, usable} = checkProfiles(raw['profiles'], problems);
	const isKnown = currentProfile === localProfileName || profiles.some(({name}) => name === currentProfile);
	// A profile that is wrong itself has been reported already.
	if (currentProfile !== undefined && !isKnown && problems.length === 0) {
		problems.push('“currentProfile” is not the name of a profile');
	}

	return {
		profiles,
		currentProfileName: isKnown ? currentProfile as string : undefined,
		usable: {
			...rest,
			...(raw['profiles'] !== undefined && {profiles: usable}),
			...(isKnown && currentProfile !== undefined && {currentProfile}),
		},
		problems,
	};
};

const entriesOf = ({profiles}: JsonObject): JsonObject => isJsonObject(profiles) ? profiles : {};

/** The settings with a profile, in place of one of the same name, as the current one. */
export const withProfile = (settings: JsonObject, {name, baseAddress, apiKey}: Profile): JsonObject => ({
	...settings,
	profiles: {...entriesOf(settings), [name]: {baseAddress, ...(apiKey !== undefined && {apiKey})}},
	currentProfile: name,
});

/** The settings with another name for a profile, which keeps its position and stays the current one. */
export const withRenamedProfile = (settings: JsonObject, name: string, newName: string): JsonObject => ({
	...settings,
	profiles: Object.fromEntries(Object.entries(entriesOf(settings)).map(([each, entry]) => [each === name ? newName : each, entry])),
	...(settings['currentProfile'] === name && {currentProfile: newName}),
});

/** The settings without the key of a profile. */
export const withoutKey = (settings: JsonObject, {name, baseAddress}: Profile): JsonObject => {
	const entries = entriesOf(settings);
	const before = entries[name];
	const {apiKey, ...entry} = isJsonObject(before) ? before : {baseAddress};
	return {...settings, profiles: {...entries, [name]: entry}};
};

/** The settings without a profile; if it was the current one, there is none. */
export const withoutProfile = (settings: JsonObject, name: string): JsonObject => {
	const {currentProfile, ...rest} = settings;
	const {[name]: removed, ...profiles} = entriesOf(settings);
	return {...rest, ...(currentProfile !== undefined && currentProfile !== name && {currentProfile}), profiles};
};
