import {normalizeBaseAddress} from '../interface/base-address.ts';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {isApiKeyShaped} from './api-key.ts';
import {complainAboutProfileName, localProfileName, type Profile} from './profile.ts';

/** What the settings file holds. Fields that are not ours, such as those of a later version, are kept as they are. */
export type StoredSettings = {
	readonly profiles: readonly Profile[];
	readonly currentProfileName: string | undefined;
};

export type CheckedSettings = StoredSettings & {
	/** The raw file without what was wrong in it. */
	readonly usable: JsonObject;
	/** What was wrong, as clauses for the person; empty where nothing was. */
	readonly complaints: readonly string[];
};

const checkProfile = (name: string, entry: JsonValue): Profile | string => {
	const nameComplaint = complainAboutProfileName(name);
	if (nameComplaint !== undefined) {
		return `its name ${nameComplaint}`;
	}

	if (!isJsonObject(entry)) {
		return 'it is no object';
	}

	const {baseAddress, apiKey} = entry;
	if (typeof baseAddress !== 'string') {
		return 'its “baseAddress” is no text';
	}

	if (apiKey !== undefined && apiKey !== null && !(typeof apiKey === 'string' && isApiKeyShaped(apiKey))) {
		return 'its “apiKey” is no key';
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

const checkProfiles = (value: JsonValue | undefined, complaints: string[]): Pick<CheckedSettings, 'profiles' | 'usable'> => {
	const profiles: Profile[] = [];
	const usable: Record<string, JsonValue> = {};
	if (value !== undefined && !isJsonObject(value)) {
		complaints.push('“profiles” is no object');
		return {profiles, usable};
	}

	for (const [name, entry] of Object.entries(value ?? {})) {
		const profile = checkProfile(name, entry);
		if (typeof profile === 'string') {
			complaints.push(`profile “${cleanText(name, 60)}”: ${profile}`);
		} else {
			profiles.push(profile);
			usable[name] = entry;
		}
	}

	return {profiles, usable};
};

/** What can be used of a settings file, with a complaint for each thing that cannot. */
export const checkSettings = (raw: JsonObject): CheckedSettings => {
	const complaints: string[] = [];
	const {currentProfile, ...rest} = raw;
	const {profiles, usable} = checkProfiles(raw['profiles'], complaints);
	const isKnown = currentProfile === localProfileName || profiles.some(({name}) => name === currentProfile);
	// Where its profile was wrong that has been said; what is left is then no choice at all.
	if (currentProfile !== undefined && !isKnown && complaints.length === 0) {
		complaints.push('“currentProfile” names no profile');
	}

	return {
		profiles,
		currentProfileName: isKnown ? currentProfile as string : undefined,
		usable: {
			...rest,
			...(raw['profiles'] !== undefined && {profiles: usable}),
			...(isKnown && currentProfile !== undefined && {currentProfile}),
		},
		complaints,
	};
};
