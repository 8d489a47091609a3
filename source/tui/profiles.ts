import {normalizeBaseAddress, publicServiceAddress, refuseInsecureAddress} from '../interface/base-address.ts';
import {SwitchboardError} from '../interface/errors.ts';
import type {JsonObject} from '../interface/json.ts';
import {accountNameOf} from '../settings/account.ts';
import {localProfileName, refuseProfileName, refuseTakenProfile, suggestProfileName, type StoredProfiles} from '../settings/profile.ts';
import {renameKeptPrompts} from '../settings/prompt-file.ts';
import type {Settings} from '../settings/settings.ts';
import {resolveTarget, type Target} from '../settings/target.ts';
import {profileMarks, type ProfileMark} from '../words/signs.ts';
import type {OpenSessionOptions} from './hooks/open-session.ts';
import type {ServiceSession} from './hooks/service-session.ts';
import type {StateStore} from './observable.ts';
import type {Sessions} from './sessions.ts';
import type {AppAction, AppState, ProposedSignIn} from './state/app-state.ts';
import type {Say} from './state/messages.ts';
import {savedViewOf, type Views} from './views.ts';

type ProfilesOptions = Pick<OpenSessionOptions, 'isInsecureHttpAllowed' | 'timeoutMilliseconds' | 'isReadOnly'> & {
	/** The settings, if profiles can be changed; `undefined` over SSH, where the profile is fixed. */
	readonly settings?: Settings | undefined;
	readonly storedProfiles: StoredProfiles;
	readonly configFolder?: string | undefined;
	/** True if the target is the bundled service because nothing else is set up. */
	readonly isLocalByDefault?: boolean | undefined;
	readonly store: StateStore<AppState, AppAction>;
	readonly sessions: Sessions;
	readonly views: Views;
	readonly say: Say;
	readonly onShown: (session: ServiceSession) => void;
};

type NewProfile = {
	readonly baseAddress: string;
	readonly apiKey: string;
	/** Empty for the proposed name. */
	readonly name: string;
};

/** Returns the profiles on the screens: the stored ones, the current one, and their verbs, which may show another service. */
export function createProfiles(options: ProfilesOptions) {
	const {store, settings, storedProfiles, sessions, views, say, isInsecureHttpAllowed, configFolder} = options;
	const all = storedProfiles.profiles;
	const currentName = (): string => sessions.getSession().account.profileName;
	const findMark = (): ProfileMark | undefined => profileMarks(all().map(({name}) => name)).get(currentName());
	let mark = findMark();

	/** Shows another service, with its screens as they were left, unless a view is given. */
	const showTarget = (target: Target, left?: JsonObject): void => {
		void views.keep(sessions.getSession());
		const session = sessions.open(target);
		store.dispatch({type: 'forget-records'});
		store.dispatch({type: 'progress', text: undefined});
		views.restore(session, left);
		sessions.show(session);
		mark = findMark();
		options.onShown(session);
	};

	const targetOf = (profile: string): Target =>
		resolveTarget({settings: storedProfiles, env: {}, profile, isInsecureHttpAllowed, isForUi: true});

	const proposedName = (address: string): string => suggestProfileName(all(), address, storedProfiles.currentProfileName());

	const change = async (action: (stored: Settings) => Promise<unknown>): Promise<void> => {
		if (settings === undefined) {
			throw new SwitchboardError('refused', 'Profiles cannot be changed over SSH.');
		}

		const noticeCount = settings.notices.length;
		await action(settings);
		for (const notice of settings.notices.slice(noticeCount)) {
			say('error', notice);
		}
	};

	return {
		/** The stored profiles; the bundled service is not among them. */
		all,
		currentName,
		/** The colour and sign of the current profile; `undefined` for the bundled service and for a service without a profile. */
		mark: () => mark,
		/** True for the bundled service while there is no profile and none was chosen: it is there to be tried. */
		isTrial: () => options.isLocalByDefault === true && currentName() === localProfileName && all().length === 0,
		/** The earlier prompts that signing out of a profile would delete with its key. */
		earlierPrompts: (name: string) => settings?.earlierPrompts(name) ?? {count: 0, text: ''},
		/** The start of the sign-in form: the current service if it refused the key, else the public one. */
		proposedSignIn: (): ProposedSignIn =>
			sessions.isKeyRefused()
				? {baseAddress: sessions.getSession().records.client.baseAddress, isKeyMissing: true}
				: {baseAddress: publicServiceAddress},
		/** The default name of a profile for an address; `undefined` while the text is not an address. */
		proposedName(baseAddress: string): string | undefined {
			try {
				return proposedName(normalizeBaseAddress(baseAddress));
			} catch {
				return undefined;
			}
		},
		/** Checks address and key against the service, stores them and shows that service. Throws `SwitchboardError` if that fails. */
		async signIn({baseAddress, apiKey, name: givenName}: NewProfile, signal: AbortSignal): Promise<void> {
			const address = normalizeBaseAddress(baseAddress);
			refuseInsecureAddress(address, isInsecureHttpAllowed);
			const name = givenName === '' ? proposedName(address) : givenName;
			refuseProfileName(name);
			refuseTakenProfile(all(), name, address);
			const {createClient} = await import('../client/client.ts');
			await createClient({...options, baseAddress: address, apiKey}).checkKey(signal);
			signal.throwIfAborted();
			await change(async stored => stored.saveProfile({name, baseAddress: address, apiKey}));
			// A service with an unchanged address has the same records, so the screens stay as they are.
			const isSameAddress = sessions.getSession().records.client.baseAddress === address;
			store.dispatch({type: isSameAddress ? 'close' : 'close-all'});
			showTarget(targetOf(name), isSameAddress ? savedViewOf(store.getState()) : undefined);
			say('info', `Connected to ${address} as profile ${name}.`);
		},
		/** Throws `SwitchboardError` if the new name is not valid or not free. */
		async rename(name: string, newName: string): Promise<void> {
			await change(async stored => stored.renameProfile(name, newName));
			const baseAddress = all().find(profile => profile.name === newName)?.baseAddress ?? '';
			renameKeptPrompts(
				{account: accountNameOf({baseAddress, profileName: name}), configFolder},
				accountNameOf({baseAddress, profileName: newName}),
			);
			for (const session of sessions.getAll()) {
				if (session.account.profileName === name) {
					session.account.rename(newName);
				}
			}

			mark = findMark();
			say('info', `Renamed the profile ${name} to ${newName}.`);
		},
		/** Shows another profile's service, or the bundled one for `local`. Throws `SwitchboardError` if it cannot be opened. */
		async show(name: string): Promise<void> {
			const target = targetOf(name);
			await change(async stored => stored.useProfile(name));
			showTarget(target);
		},
		/** Removes the key of a profile; if its service is shown, the bundled one replaces it. */
		async signOut(name: string): Promise<void> {
			for (const session of sessions.getAll()) {
				if (session.account.profileName === name) {
					session.forget();
				}
			}

			await change(async stored => stored.forgetKey(name));
			if (name === currentName()) {
				await change(async stored => stored.useProfile(localProfileName));
				showTarget({kind: 'local'});
			}

			say('info', `Signed out of ${name}: its key was removed.`);
		},
	};
}

export type Profiles = ReturnType<typeof createProfiles>;
