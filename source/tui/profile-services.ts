import {normalizeBaseAddress, publicServiceAddress, refuseInsecureAddress} from '../interface/base-address.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {accountNameOf} from '../settings/account.ts';
import {localProfileName, refuseProfileName, refuseTakenName, suggestProfileName} from '../settings/profile.ts';
import type {Settings} from '../settings/settings.ts';
import {resolveTarget, type Target} from '../settings/target.ts';
import type {UiServices} from './app-context.ts';
import type {OpenSessionOptions} from './hooks/open-session.ts';
import type {ServiceSession} from './hooks/service-session.ts';
import {renameKeptPrompts} from '../settings/prompt-file.ts';
import type {Sessions} from './sessions.ts';
import type {JsonObject} from '../interface/json.ts';
import {savedViewOf, type Views} from './views.ts';
import {profileMarks, type ProfileMark} from '../words/signs.ts';

type ProfileServicesOptions = Pick<UiServices, 'configFolder' | 'store' | 'say'> &
	Pick<OpenSessionOptions, 'isInsecureHttpAllowed' | 'timeoutMilliseconds' | 'isReadOnly'> & {
		readonly settings: Settings;
		readonly isLocalByDefault?: boolean | undefined;
		readonly sessions: Sessions;
		readonly views: Views;
		readonly onShown: (session: ServiceSession) => void;
	};

type ProfileServices = Pick<
	UiServices,
	| 'profiles'
	| 'earlierPrompts'
	| 'currentProfileName'
	| 'profileMark'
	| 'isTrial'
	| 'proposedSignIn'
	| 'proposedProfileName'
	| 'signIn'
	| 'renameProfile'
	| 'switchProfile'
	| 'signOut'
>;

/** The actions on profiles: they change the settings, and may show another service. */
export const createProfileServices = (options: ProfileServicesOptions): ProfileServices => {
	const {store, settings, sessions, views, say, isInsecureHttpAllowed, configFolder} = options;
	const currentMark = (): ProfileMark | undefined =>
		profileMarks(settings.profiles().map(({name}) => name)).get(sessions.getSession().account.profileName);
	let mark = currentMark();

	/** Shows another service, with its screens as they were left unless a view is given. */
	const show = (target: Target, left?: JsonObject): void => {
		views.keep(sessions.getSession());
		const session = sessions.open(target);
		store.dispatch({type: 'forget-records'});
		store.dispatch({type: 'progress', text: undefined});
		views.restore(session, left);
		sessions.show(session);
		mark = currentMark();
		options.onShown(session);
	};

	const targetOf = (profile: string): Target => resolveTarget({settings, env: {}, profile, isInsecureHttpAllowed, isForUi: true});

	const proposedName = (address: string): string => suggestProfileName(settings.profiles(), address, settings.currentProfileName());

	const changeSettings = async (change: () => Promise<unknown>): Promise<void> => {
		const noticeCount = settings.notices.length;
		await change();
		for (const notice of settings.notices.slice(noticeCount)) {
			say('error', notice);
		}
	};

	return {
		profiles: () => settings.profiles(),
		earlierPrompts: name => settings.earlierPrompts(name),
		currentProfileName: () => sessions.getSession().account.profileName,
		profileMark: () => mark,
		isTrial: () =>
			options.isLocalByDefault === true &&
			sessions.getSession().account.profileName === localProfileName &&
			settings.profiles().length === 0,
		proposedSignIn: () =>
			sessions.isKeyRefused()
				? {baseAddress: sessions.getSession().records.client.baseAddress, isKeyMissing: true}
				: {baseAddress: publicServiceAddress},
		proposedProfileName(baseAddress) {
			try {
				return proposedName(normalizeBaseAddress(baseAddress));
			} catch {
				return undefined;
			}
		},
		async signIn({baseAddress, apiKey, profileName}, signal) {
			const address = normalizeBaseAddress(baseAddress);
			refuseInsecureAddress(address, isInsecureHttpAllowed);
			const name = profileName === '' ? proposedName(address) : profileName;
			refuseProfileName(name);
			refuseTakenName(settings.profiles(), name, address);
			const {createClient} = await import('../client/client.ts');
			await createClient({...options, baseAddress: address, apiKey}).checkKey(signal);
			signal.throwIfAborted();
			await changeSettings(async () => settings.saveProfile({name, baseAddress: address, apiKey}));
			// The same address has the same records, so the screens stay as they are.
			const isSameAddress = sessions.getSession().records.client.baseAddress === address;
			store.dispatch({type: isSameAddress ? 'close' : 'close-all'});
			show(targetOf(name), isSameAddress ? savedViewOf(store.getState()) : undefined);
			say('info', `Connected to ${address} as profile ${name}.`);
		},
		async renameProfile(name, newName) {
			await changeSettings(async () => settings.renameProfile(name, newName));
			const baseAddress = settings.profiles().find(profile => profile.name === newName)?.baseAddress ?? '';
			renameKeptPrompts(
				{account: accountNameOf({baseAddress, profileName: name}), configFolder},
				accountNameOf({baseAddress, profileName: newName}),
			);
			for (const session of sessions.getAll()) {
				if (session.account.profileName === name) {
					session.account.rename(newName);
				}
			}

			mark = currentMark();
			say('info', `Renamed the profile ${name} to ${newName}.`);
		},
		async switchProfile(name) {
			if (name === sessions.getSession().account.profileName) {
				return;
			}

			const target = targetOf(name);
			await changeSettings(async () => settings.useProfile(name));
			show(target);
		},
		async signOut(name) {
			for (const session of sessions.getAll()) {
				if (session.account.profileName === name) {
					session.forget();
				}
			}

			await changeSettings(async () => settings.forgetKey(name));
			if (name === sessions.getSession().account.profileName) {
				await changeSettings(async () => settings.useProfile(localProfileName));
				show({kind: 'local'});
			}

			say('info', `Signed out of ${name}: its key was removed.`);
		},
	};
};

type ChosenProfileOptions = {readonly sessions: Sessions; readonly profileMark?: ProfileMark | undefined};

const refuse = async (): Promise<never> => {
	throw new SwitchboardError('refused', 'Profiles cannot be changed over SSH.');
};

/** The profile of somebody who came over SSH: the only one that there is for them. */
export const createChosenProfile = ({sessions: {getSession}, profileMark}: ChosenProfileOptions): ProfileServices => ({
	profiles: () => [],
	earlierPrompts: () => ({count: 0, text: ''}),
	currentProfileName: () => getSession().account.profileName,
	profileMark: () => profileMark,
	isTrial: () => false,
	proposedSignIn: () => ({baseAddress: getSession().records.client.baseAddress}),
	proposedProfileName: () => undefined,
	signIn: refuse,
	renameProfile: refuse,
	switchProfile: refuse,
	signOut: refuse,
});
