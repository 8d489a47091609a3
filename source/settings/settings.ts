import {normalizeBaseAddress} from '../interface/base-address.ts';
import {SwitchboardError, withoutFailing} from '../interface/errors.ts';
import {counted} from '../interface/format-count.ts';
import type {JsonObject} from '../interface/json.ts';
import {isNoRoom} from '../platform/private-files.ts';
import {userFolders} from '../platform/user-folders.ts';
import {watchStamp} from '../platform/timers.ts';
import {openLastSeen} from './last-seen.ts';
import {accountNameOf, presetAccountOfProfile, signedOutAccountOf} from './account.ts';
import type {Presets} from './presets.ts';
import {removePromptDrafts} from './prompt-file.ts';
import {openUiState} from './ui-state.ts';
import {fileProblem} from '../platform/kept-file.ts';
import {
	findProfile,
	findRemovableProfile,
	refuseProfileName,
	refuseTakenProfile,
	refuseUnknownProfile,
	type Profile,
	type StoredProfiles,
} from './profile.ts';
import {
	checkSettings,
	openSettingsFile,
	settingsPath,
	settingsStamp,
	tightenSettings,
	withoutKey,
	withoutProfile,
	withProfile,
	withRenamedProfile,
	type CheckedSettings,
} from './settings-file.ts';

const notWritableCodes: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT']);

/**
Returns the settings as they are; nothing is repaired, tightened or reported.

@throws SwitchboardError `unexpected` if they cannot be read.
*/
export function peekSettings({configFolder}: {readonly configFolder?: string | undefined} = {}): StoredProfiles {
	const {profiles, currentProfileName} = openSettingsFile(configFolder ?? userFolders().config).peek();
	return {profiles: () => profiles, currentProfileName: () => currentProfileName};
}

/**
Calls back whenever the settings were changed, also by another process.

@returns how to end that.
*/
export function watchSettings(onChange: () => void): () => void {
	return watchStamp(() => settingsStamp(userFolders().config), onChange);
}

/** The records of accounts, by account name; they follow the accounts' profiles. */
export type AccountRecords = {
	/** The earlier texts of prompts. */
	prompts(account: string): ReadonlyArray<{readonly agentId: number}>;
	/** Adds the earlier texts of an account to another one's. */
	copyPrompts(account: string, other: string): Promise<void>;
	remove(account: string): Promise<void>;
	rename(account: string, newAccount: string): Promise<void>;
};

const noRecords: AccountRecords = {
	prompts: () => [],
	async copyPrompts() {
		/* There are none. */
	},
	async remove() {
		/* Nothing is left. */
	},
	async rename() {
		/* Nothing is moved. */
	},
};

type SettingsOptions = {
	/** The settings; by default where `conf` puts them. */
	readonly configFolder?: string | undefined;
	/** The lists last seen. */
	readonly cacheFolder?: string | undefined;
	/** Left out where no profile is changed. */
	readonly records?: AccountRecords | undefined;
};

type SignOutOptions = {
	/** True if earlier prompts are kept for the next sign-in to the address. */
	readonly arePromptsKept?: boolean | undefined;
};

/**
Opens the settings. A broken file is set aside, wrong entries are ignored, loose modes are tightened; each is reported in
`notices`. If the folder cannot be written, changes apply to this run only, which is reported too.
*/
export async function openSettings({configFolder, cacheFolder, records = noRecords}: SettingsOptions = {}) {
	const folder = configFolder ?? userFolders().config;
	const notices: string[] = [];
	let memory: CheckedSettings | undefined;
	let isDiskFull = false;
	let notStored: ReturnType<typeof toNotStored> = {
		reason: `${settingsPath(folder)} is not writable`,
		remedy: 'Make the settings folder writable',
	};
	const file = openSettingsFile(folder, notice => {
		notices.push(notice);
	});

	const readNow = (): CheckedSettings => memory ?? file.peek();

	const change = async (makeNext: (usable: JsonObject) => JsonObject): Promise<void> => {
		const next = ({usable}: CheckedSettings): CheckedSettings => checkSettings(makeNext(usable));
		if (memory === undefined) {
			try {
				await file.change(next);
				return;
			} catch (error) {
				const cause = error instanceof SwitchboardError ? (error.cause ?? error) : error;
				isDiskFull = isNoRoom(cause);
				notStored = toNotStored(cause, settingsPath(folder));
				notices.push(
					[`Settings cannot be stored, so this change applies to this run only: ${notStored.reason}.`, notStored.nextStep]
						.filter(Boolean)
						.join(' '),
				);
			}
		}

		memory = next(readNow());
	};

	const forgetLists = ({baseAddress, apiKey}: Profile): void => {
		if (apiKey !== undefined) {
			openLastSeen({baseAddress, apiKey, cacheFolder}).forget();
		}
	};

	const forgetAccount = async (profile: Profile): Promise<void> => {
		forgetLists(profile);
		await openUiState({configFolder: folder}).moveViews(profile.name);
		removePromptDrafts({account: accountNameOf({baseAddress: profile.baseAddress, profileName: profile.name}), configFolder: folder});
	};

	/** The earlier prompts that signing out of a profile would lose, including those kept at its address once it is signed out. */
	const earlierPrompts = ({name, baseAddress, apiKey}: Profile): ReturnType<AccountRecords['prompts']> => [
		...records.prompts(presetAccountOfProfile({baseAddress, profileName: name})),
		...(apiKey === undefined ? records.prompts(signedOutAccountOf(baseAddress)) : []),
	];

	/**
	Removes the records of a profile that is signed out; its earlier prompts are moved so that the next sign-in to the address finds them.
	*/
	const leaveRecords = async (account: string, {baseAddress, apiKey}: Profile, {arePromptsKept = false}: SignOutOptions): Promise<void> => {
		const signedOut = signedOutAccountOf(baseAddress);
		if (arePromptsKept) {
			await records.copyPrompts(account, signedOut);
		}

		await records.remove(account);
		if (apiKey === undefined && !arePromptsKept) {
			await records.remove(signedOut);
		}
	};

	/** Returns false if the action failed, and notes the failure. */
	const attempt = async (consequence: string, action: () => Promise<void>): Promise<boolean> => {
		try {
			await action();
			return true;
		} catch (error) {
			const {reason, nextStep} = fileProblem(error);
			notices.push([`${consequence}: ${reason}`, nextStep].filter(Boolean).join('. '));
			return false;
		}
	};

	/**
	Changes the presets and the kept prompts of a profile after it. Neither is worth failing for, and both stay if the change was not stored.

	@returns true if the kept prompts were changed.
	*/
	const follow = async (
		{name, baseAddress}: Profile,
		{
			ofPresets,
			ofRecords,
		}: {readonly ofPresets?: (presets: Presets) => Promise<void>; readonly ofRecords: (account: string) => Promise<void>},
	): Promise<boolean> => {
		if (memory !== undefined) {
			return false;
		}

		const account = presetAccountOfProfile({baseAddress, profileName: name});
		await attempt(`The presets of the profile “${name}” stay as they were`, async () => {
			const {openPresets} = await import('./presets.ts');
			await ofPresets?.(
				openPresets(account, {
					configFolder: folder,
					note(notice) {
						notices.push(notice);
					},
				}),
			);
		});
		return attempt(`The texts that the prompts of the profile “${name}” had stay where they were`, async () => ofRecords(account));
	};

	notices.push(...tightenSettings(folder));
	try {
		await file.read();
	} catch (error) {
		notStored = toNotStored(error, settingsPath(folder));
		notices.push([(error as SwitchboardError).message, 'Nothing is stored in this run.', notStored.nextStep].filter(Boolean).join(' '));
		memory = checkSettings({});
	}

	return {
		path: settingsPath(folder),
		/** Notices for the person about the settings so far, as whole sentences; grows. */
		notices: notices as readonly string[],
		/** True once a change could not be stored: it then applies to this run only. */
		isMemoryOnly: () => memory !== undefined,
		isDiskFull: () => isDiskFull,
		whyNotStored: () => notStored,
		profiles: () => readNow().profiles,
		currentProfileName: () => readNow().currentProfileName,
		/**
		Stores a profile, replacing one of the same name, and makes it the current one.
		@throws SwitchboardError `usage` if the name or the address is not valid.
		*/
		async saveProfile(profile: Profile): Promise<void> {
			refuseProfileName(profile.name);
			const baseAddress = normalizeBaseAddress(profile.baseAddress);
			const before = readNow().profiles.find(({name}) => name === profile.name);
			await change(usable => withProfile(usable, {...profile, baseAddress}));
			if (before !== undefined && before.apiKey !== profile.apiKey) {
				forgetLists(before);
			}

			await follow(
				{...profile, baseAddress},
				{
					async ofRecords(account) {
						const signedOut = signedOutAccountOf(baseAddress);
						await records.copyPrompts(signedOut, account);
						await records.remove(signedOut);
					},
				},
			);
		},
		/**
		Makes a stored profile, or `local`, the current one.
		@throws SwitchboardError `not-found`.
		*/
		async useProfile(name: string): Promise<void> {
			refuseUnknownProfile(readNow().profiles, name);
			await change(usable => ({...usable, currentProfile: name}));
		},
		/**
		Renames a profile, which keeps its presets and its kept prompts, and stays current if it was.
		@throws SwitchboardError `not-found`, or `usage` if the new name is not valid or taken.
		*/
		async renameProfile(name: string, newName: string): Promise<void> {
			const {profiles} = readNow();
			const before = findProfile(profiles, name);
			if (name === newName) {
				return;
			}

			refuseProfileName(newName);
			refuseTakenProfile(profiles, newName);
			const account = presetAccountOfProfile({...before, profileName: newName});
			await change(usable => withRenamedProfile(usable, name, newName));
			await openUiState({configFolder: folder}).moveViews(name, newName);
			await follow(before, {
				ofPresets: async presets => presets.moveTo(account),
				ofRecords: async former => records.rename(former, account),
			});
		},
		/**
		Counts the earlier prompts that signing out of a profile deletes; unreadable ones count for nothing. Where its service has no history,
		they are the only copies.
		@throws SwitchboardError `not-found`.
		*/
		earlierPrompts(name: string) {
			const profile = findProfile(readNow().profiles, name);
			// Removing them says why that fails.
			const prompts = withoutFailing(() => earlierPrompts(profile)) ?? [];
			return {
				count: prompts.length,
				text: `${counted(prompts.length, 'earlier prompt')} of ${counted(new Set(prompts.map(({agentId}) => agentId)).size, 'agent')}`,
			};
		},
		/**
		Removes the key of a profile, the lists last seen with it, how its screens were left, its unsaved prompts, and its earlier ones unless
		they are kept for the next sign-in to its address; the address and the presets stay for the next key.

		@returns true if the earlier prompts were removed, or moved to where they are kept.
		@throws SwitchboardError `not-found`.
		*/
		async forgetKey(name: string, options: SignOutOptions = {}): Promise<boolean> {
			const before = findProfile(readNow().profiles, name);
			await change(usable => withoutKey(usable, before));
			await forgetAccount(before);
			return follow(before, {ofRecords: async account => leaveRecords(account, before, options)});
		},
		/**
		Removes a profile with its presets, the lists last seen with it, how its screens were left, its unsaved prompts, and its earlier ones
		unless they are kept.

		@returns as `forgetKey`.
		@throws SwitchboardError `not-found`, or `usage` for `local`, which is never stored.
		*/
		async removeProfile(name: string, options: SignOutOptions = {}): Promise<boolean> {
			const before = findRemovableProfile(readNow().profiles, name);
			await change(usable => withoutProfile(usable, name));
			await forgetAccount(before);
			return follow(before, {
				ofPresets: async presets => presets.removeAll(),
				ofRecords: async account => leaveRecords(account, before, options),
			});
		},
	};
}

/**
Returns the reason why a change could not be stored, as the end of a sentence, and the next step, as a sentence: both without their full
stops; and a next step that is complete.
*/
function toNotStored(
	error: unknown,
	file: string,
): {readonly reason: string; readonly remedy: string; readonly nextStep?: string | undefined} {
	const isNotWritable = error instanceof Error && 'code' in error && notWritableCodes.has(error.code);
	const {reason, nextStep} = fileProblem(error, {file});
	const remedy = nextStep ?? (isNotWritable ? 'Make the settings folder writable.' : 'Fix that.');
	// A command ends without a full stop, and nothing follows it.
	return {reason, remedy: remedy.replace(/\.$/, ''), nextStep: remedy.endsWith('.') ? undefined : remedy};
}

export type Settings = Awaited<ReturnType<typeof openSettings>>;
