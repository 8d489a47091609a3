import {lstatSync, realpathSync, statSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {normalizeBaseAddress} from '../interface/base-address.ts';
import {cleanText} from '../interface/clean-text.ts';
import {reasonOf, SwitchboardError, withoutFailing} from '../interface/errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../interface/json.ts';
import {explainFileError, ownerName} from '../platform/file-owner.ts';
import {isLink, isMissing, isOpenToOthers, readPrivateFile, tightenFile, tightenFolder} from '../platform/private-files.ts';
import {shellWord} from '../platform/shell-word.ts';
import {keptFile} from '../platform/kept-file.ts';
import {isApiKeyShaped, localProfileName, profileNameProblem, type Profile} from './profile.ts';

export type CheckedSettings = {
	readonly profiles: readonly Profile[];
	readonly currentProfileName: string | undefined;
	/** The content without its mistakes. Unknown fields, such as those of a later version, are kept. */
	readonly usable: JsonObject;
	/** Its problems, each as a clause. */
	readonly problems: readonly string[];
};

/** Returns the usable part of a settings file, and the problems of the rest. */
export function checkSettings(raw: JsonObject): CheckedSettings {
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
		currentProfileName: isKnown ? (currentProfile as string) : undefined,
		usable: {
			...rest,
			...(raw['profiles'] !== undefined && {profiles: usable}),
			...(isKnown && currentProfile !== undefined && {currentProfile}),
		},
		problems,
	};
}

function checkProfiles(value: JsonValue | undefined, problems: string[]): Pick<CheckedSettings, 'profiles' | 'usable'> {
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
}

function checkProfile(name: string, entry: JsonValue): Profile | string {
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
}

/** Returns the settings with a profile, in place of one of the same name, as the current one. */
export function withProfile(settings: JsonObject, {name, baseAddress, apiKey}: Profile): JsonObject {
	return {
		...settings,
		profiles: {...entriesOf(settings), [name]: {baseAddress, ...(apiKey !== undefined && {apiKey})}},
		currentProfile: name,
	};
}

const entriesOf = ({profiles}: JsonObject): JsonObject => (isJsonObject(profiles) ? profiles : {});

/** Returns the settings with another name for a profile, which keeps its position and stays the current one. */
export function withRenamedProfile(settings: JsonObject, name: string, newName: string): JsonObject {
	return {
		...settings,
		profiles: Object.fromEntries(Object.entries(entriesOf(settings)).map(([each, entry]) => [each === name ? newName : each, entry])),
		...(settings['currentProfile'] === name && {currentProfile: newName}),
	};
}

/** Returns the settings without the key of a profile. */
export function withoutKey(settings: JsonObject, {name, baseAddress}: Profile): JsonObject {
	const entries = entriesOf(settings);
	const before = entries[name];
	const {apiKey, ...entry} = isJsonObject(before) ? before : {baseAddress};
	return {...settings, profiles: {...entries, [name]: entry}};
}

/** Returns the settings without a profile; if it was the current one, there is none. */
export function withoutProfile(settings: JsonObject, name: string): JsonObject {
	const {currentProfile, ...rest} = settings;
	const {[name]: removed, ...profiles} = entriesOf(settings);
	return {...rest, ...(currentProfile !== undefined && currentProfile !== name && {currentProfile}), profiles};
}

const maximumBytes = 4 * 1024 * 1024;

/** Returns the settings file in a folder: the name is conf's. */
export function settingsPath(folder: string): string {
	return path.join(folder, 'config.json');
}

/**
Returns the text of the settings file in a folder.

@returns `undefined` if there is no such file, or it is not a settings file.
@throws the error of the file system if it cannot be read, or a SwitchboardError about a link (`followSettingsLink`).
*/
export function readSettingsText(folder: string): string | undefined {
	return readPrivateFile(followSettingsLink(settingsPath(folder)), maximumBytes);
}

/**
Returns the file that holds the settings. Dotfile managers keep it elsewhere and put a link in its place, so this is the only file in our
folders that may be a link.

@returns the file itself, or the target of the link.
@throws SwitchboardError `unexpected` if the link leads nowhere, or if the link or its target is not ours.
*/
function followSettingsLink(file: string): string {
	if (!isLink(file)) {
		return file;
	}

	let owner: string;
	try {
		const target = realpathSync(file);
		const foreign = [lstatSync(file), statSync(target)].find(found => !isOurs(found));
		if (foreign === undefined) {
			return target;
		}

		owner = ownerName(foreign.uid);
	} catch (error) {
		throw isMissing(error)
			? new SwitchboardError('unexpected', `${file} is a link to a file that does not exist.`, {
					nextStep: 'Remove the link, or put the file there.',
				})
			: error;
	}

	throw new SwitchboardError('unexpected', `${file} is a link, and it or the file it leads to belongs to ${owner}, so it is not used.`, {
		nextStep: 'Put a file of your own there.',
	});
}

const isOurs = ({uid}: {readonly uid: number}): boolean => process.getuid === undefined || uid === process.getuid();

/**
Returns the settings in a folder, checked. They are written by `conf`.

@param note - called with a sentence when they were repaired, or cannot be.
*/
export function openSettingsFile(folder: string, note?: (notice: string) => void) {
	const file = settingsPath(folder);
	return keptFile<CheckedSettings>({
		name: 'settings',
		file,
		maximumBytes,
		empty: checkSettings({}),
		decode(value) {
			const settings = checkSettings(value);
			return {content: settings, damage: settings.problems.join('; ') || undefined};
		},
		encode: ({usable}) => usable,
		...(note && {note}),
		afterSetAside: 'Sign in again; or repair that file, and rename it back before anything else is stored.',
		follow: followSettingsLink,
		async openWriter() {
			// Only here: `conf` brings a schema validator along, and reading needs none of it at every start.
			const {default: Conf} = await import('conf');
			return value => {
				const target = followSettingsLink(file);
				const store = new Conf({
					projectName: 'switchboard',
					projectSuffix: '',
					cwd: path.dirname(target),
					configName: path.basename(target),
					fileExtension: '',
					// Without a mode the file keeps its own.
					...(!isLink(file) && {configFileMode: 0o600}),
					// A profile may be called “app.openhome.com”.
					accessPropertiesByDotNotation: false,
				});
				store.store = value;
			};
		},
	});
}

/** Returns a stamp that changes with the settings file in a folder, or with the target of its link. */
export function settingsStamp(folder: string): string {
	try {
		const {ino, size, mtimeMs, ctimeMs} = statSync(settingsPath(folder));
		return [ino, size, mtimeMs, ctimeMs].join(' ');
	} catch (error) {
		return reasonOf(error);
	}
}

/** Makes file and folder private; returns sentences for the person if that failed. The target of a link keeps its mode. */
export function tightenSettings(folder: string): readonly string[] {
	const file = settingsPath(folder);
	const {isPrivate: isFolderPrivate, error: folderError} = tightenFolder(folder);
	if (isLink(file)) {
		return isOpenToOthers(file) && holdsKey(folder)
			? [
					`Other users of this machine may be able to read ${file}, which holds API keys: it is a link, and what it leads to keeps its mode. Change that with: chmod 600 ${shellWord(file)}`,
				]
			: [];
	}

	const {isPrivate, error = folderError} = tightenFile(file);
	if (isFolderPrivate && isPrivate) {
		return [];
	}

	const {reason, nextStep} = explainFileError(error, file);
	return [
		[
			`Other users of this machine may be able to read ${file}, which can hold API keys: its mode cannot be changed${error === undefined ? '' : ` (${reason})`}.`,
			nextStep,
		]
			.filter(Boolean)
			.join(' '),
	];
}

function holdsKey(folder: string): boolean {
	return (
		withoutFailing(() =>
			openSettingsFile(folder)
				.peek()
				.profiles.some(({apiKey}) => apiKey !== undefined),
		) ?? false
	);
}
