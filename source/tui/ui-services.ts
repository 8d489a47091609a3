import {normalizeBaseAddress, publicServiceAddress, refuseInsecureAddress} from '../interface/base-address.ts';
import {type SwitchboardError} from '../interface/errors.ts';
import {stateWord} from '../interface/state-word.ts';
import {
	localProfileName,
	refuseProfileName,
	refuseTakenName,
	suggestProfileName,
} from '../settings/profile.ts';
import {type Settings} from '../settings/settings.ts';
import {nameKey, withHelp} from '../settings/sign-in-hint.ts';
import {resolveTarget, type Target} from '../settings/target.ts';
import {type UiStateStore} from '../settings/ui-state.ts';
import {type TerminalControl, type UiServices} from './app-context.ts';
import {type SessionSource} from './app.tsx';
import {isLate} from './hooks/late-change.ts';
import {openSession, type OpenSessionOptions} from './hooks/open-session.ts';
import {outsideTexts} from './hooks/outside-texts.ts';
import {type RequestLog} from './hooks/request-log.ts';
import {whenWritesEnd, writesUnderWay} from './hooks/writes.ts';
import {accountOf, type ServiceSession} from './hooks/service-session.ts';
import {type SwitchKind} from './hooks/switching.ts';
import {type Intent, type ToggleFailure} from './hooks/toggle-queue.ts';
import {keyName} from './keys/hints.ts';
import {type ActionName} from './keys/key-table.ts';
import {type Keymap} from './keys/keymap.ts';
import {createLeaving} from './leaving.ts';
import {openSavedViews} from './saved-views.ts';
import {helpForRefusedKeyHere} from './refused-key.ts';
import {keptPromptsText, renameKeptPrompts} from './screens/agent/kept-prompts.ts';
import {type AppAction, type AppState} from './state/app-state.ts';
import {cursorKey} from './state/cursor-key.ts';
import {savedViewOf, readSavedView, type SavedView} from './state/saved-view.ts';
import {infoMilliseconds} from './state/messages.ts';
import {type Severity} from './state/severity.ts';
import {type Store} from './state/store.ts';
import {type Clipboard} from './terminal/clipboard.ts';
import {profileMarks, type ProfileMark} from './widgets/profile-mark.ts';

export type UiServicesOptions = Omit<OpenSessionOptions, 'target' | 'report'> & {
	readonly target: Target;
	readonly store: Store<AppState, AppAction>;
	readonly settings: Settings;
	/** Where the screens were left is read from here and stored here. */
	readonly uiState?: UiStateStore | undefined;
	readonly keymap: Keymap;
	readonly act: (name: ActionName) => void;
	readonly requests: RequestLog;
	readonly line: Omit<TerminalControl, 'lend'> & {
		/** Lends the terminal to another program until the callback has settled. */
		lend<Result>(callback: () => Promise<Result>): Promise<Result>;
	};
	readonly clipboard: Clipboard;
	/** Called once, when the person leaves: at once, or when what was under way is answered. */
	readonly onExit: (exitCode: number) => void;
};

export type RunningUiServices = {
	readonly ui: UiServices;
	readonly sessions: SessionSource;
	/** The program ends now: tells an open editor so, by this signal, and resolves when it is closed. */
	endEditor(signal: NodeJS.Signals): Promise<void>;
	/** What is to be said once the terminal is given back: changes whose outcome nobody saw. */
	afterwords(): readonly string[];
	close(): Promise<void>;
};

/** Why a change did not come about, or what is known of it. */
const outcomeText = (failure: ToggleFailure): string => {
	const {installed: {name, isEnabled}, isWantedEnabled, error: {message}, isOutcomeUnknown} = failure;
	if (isOutcomeUnknown) {
		return `It is not known whether ${name} is ${stateWord(isWantedEnabled)} now: ${message}`;
	}

	if (isEnabled === undefined) {
		return `${name} was not switched ${stateWord(isWantedEnabled)}: ${message}`;
	}

	return isLate(failure)
		? `The list shows ${name} ${stateWord(isEnabled)}, but the change may still arrive: ${message}`
		: `${name} stays ${stateWord(isEnabled)}: ${message}`;
};

/**
Why a change did not come about, and the key that goes on. Where many were set, or the cursor went on, the change may be on
any row. One that may still arrive is never to be flipped again: the key that tries again asks for the state that was wanted.
*/
export const failureText = (failure: ToggleFailure, kind: SwitchKind, keymap: Keymap): string => {
	const {installed: {isEnabled}, isOutcomeUnknown, error: {kind: errorKind, nextStep}} = failure;
	if (errorKind === 'key-refused' && nextStep !== undefined) {
		return `${outcomeText(failure)} ${nextStep}`;
	}

	const retry = `${keyName(keymap, kind === 'toggle' && isEnabled !== undefined && !isLate(failure) ? 'toggle' : 'retry')} tries again.`;
	return `${outcomeText(failure)} ${isOutcomeUnknown && isEnabled !== undefined ? `${keyName(keymap, 'refresh')} reads the list again.` : retry}`;
};

/** What is to be said about a change that is not waited for. */
const unknownText = ({installed, isWantedEnabled, phase}: Intent): string => phase === 'waiting'
	? `${installed.name} was not switched ${stateWord(isWantedEnabled)}: the service had not answered yet.`
	: `It is not known whether ${installed.name} is ${stateWord(isWantedEnabled)} now: the service had not answered yet.`;

const whenSettled = async ({toggles, queryClient}: ServiceSession): Promise<void> => {
	await toggles.whenIdle();
	await whenWritesEnd(queryClient);
};

/** What the screens ask for, carried out on the settings and the services. */
export const createUiServices = (options: UiServicesOptions): RunningUiServices => {
	const {store, settings} = options;
	const startedAt = Date.now();
	const places = openSavedViews(options.uiState);
	const unseenFailures: string[] = [];
	const closing: Array<Promise<void>> = [];
	/** Those whose newest answer was that the key is not taken. */
	const refused = new WeakSet<ServiceSession>();
	const listeners = new Set<() => void>();
	let isExiting = false;

	const say = (level: Severity, text: string, reason?: Pick<SwitchboardError, 'kind'>, isLasting = false): void => {
		store.dispatch({
			type: 'say', level, text, at: Date.now(), isOutage: reason?.kind === 'unreachable',
		});
		// Nobody may see it before the screens are gone.
		if (level === 'error' && store.getState().leaving !== undefined) {
			unseenFailures.push(text);
		}

		const {shown} = store.getState().messages;
		if (level === 'info' && shown !== undefined && !isLasting) {
			setTimeout(() => {
				store.dispatch({type: 'dismiss', id: shown.id});
			}, infoMilliseconds).unref();
		}
	};

	const open = (target: Target): ServiceSession => {
		/** The newest message on what failed, and the records that it tells of. */
		let told: {readonly messageId: number | undefined; readonly ids: readonly number[]} | undefined;
		const tellFailure = (text: string, ids: readonly number[], reason?: ToggleFailure['error']): void => {
			say('error', text, reason);
			told = {messageId: store.getState().messages.shown?.id, ids};
		};

		// The service that is shown now may have records of the same names, and its keys act there alone.
		const isLeft = (): boolean => session !== opened;
		const opened = openSession({
			...options,
			nameKeyOf: ({keyVariable, profileName}) => nameKey({keyVariable, profileName: profileName === undefined ? undefined : opened.profileName}),
			explainError: (error, source) => withHelp(error, () => helpForRefusedKeyHere(source, options.keymap)),
			onRequest(entry) {
				if (entry.status === 401) {
					refused.add(opened);
				} else if (entry.status !== undefined && entry.status < 300) {
					refused.delete(opened);
				}

				options.requests.add(entry);
				options.onRequest?.(entry);
				if (entry.status !== undefined && !isLeft()) {
					store.dispatch({type: 'reached'});
				}
			},
			target,
			report: {
				cursorPlace: () => cursorKey(store.getState()),
				onFailed(failure, kind, isUnderCursor) {
					if (isLeft()) {
						say('error', `${opened.profileName}: ${failure.isGone ? failure.error.message : outcomeText(failure)}`);
					} else if (failure.isGone) {
						say('error', failure.error.message);
					} else {
						tellFailure(failureText(failure, isUnderCursor ? kind : 'many', options.keymap), [failure.installed.id], failure.error);
					}
				},
				onUndo(level, text) {
					say(level, isLeft() ? `${opened.profileName}: ${text}` : text);
				},
				onChanged(changes) {
					for (const text of isLeft() ? [] : outsideTexts(changes)) {
						store.dispatch({type: 'note', text, at: Date.now()});
					}
				},
				onProgress(text) {
					if (!isLeft()) {
						store.dispatch({type: 'progress', text});
					}
				},
				onSummary(level, text) {
					if (isLeft()) {
						say(level, `${opened.profileName}: ${text}`);
						return;
					}

					if (level === 'info') {
						say(level, text);
						return;
					}

					const nextSteps = `${keyName(options.keymap, 'retry')} tries those again, ${keyName(options.keymap, 'messages')} shows why.`;
					tellFailure(`${text} ${nextSteps}`, [...opened.switching.getFailures().keys()]);
				},
			},
		});
		opened.switching.subscribe(() => {
			const failures = opened.switching.getFailures();
			if (told?.messageId === undefined || told.ids.some(id => failures.has(id))) {
				return;
			}

			// Asked for again, or done after all: the message would contradict the row.
			store.dispatch({type: 'dismiss', id: told.messageId});
			told = undefined;
		});
		return opened;
	};

	const markOf = ({profileName}: ServiceSession): ProfileMark | undefined => profileMarks(settings.profiles().map(({name}) => name)).get(profileName);

	/** A text that was kept is found again by who is told of it. */
	const offerKeptPrompts = (): void => {
		const text = options.isReadOnly ? undefined : keptPromptsText({account: accountOf(session)}, options.keymap);
		if (text !== undefined) {
			say('info', text, undefined, true);
		}
	};

	let session = open(options.target);
	let mark = markOf(session);
	store.dispatch({type: 'restore', left: places.atStart(session)});
	offerKeptPrompts();
	/** Shown before, and not closed yet: a change is still under way there. */
	const sessionsBefore = new Set<ServiceSession>();

	/** Shows another service, where it was left unless told otherwise. What is under way on the one before is answered first. */
	const show = (target: Target, left?: SavedView): void => {
		const before = session;
		places.keep(before, store.getState());
		session = open(target);
		mark = markOf(session);
		store.dispatch({type: 'forget-records'});
		store.dispatch({type: 'progress', text: undefined});
		store.dispatch({type: 'restore', left: left ?? places.of(session)});
		offerKeptPrompts();
		for (const listener of listeners) {
			listener();
		}

		sessionsBefore.add(before);
		closing.push((async () => {
			await whenSettled(before);
			sessionsBefore.delete(before);
			await before.close();
		})());
	};

	const leaving = createLeaving({
		store,
		getSessions: () => [...sessionsBefore, session],
		onLeave() {
			if (isExiting) {
				return;
			}

			isExiting = true;
			options.onExit(0);
		},
	});

	/** Changes that no service has confirmed yet: what is to be said where they are not waited for. */
	const changesUnderWay = (): readonly string[] => [...sessionsBefore, session].flatMap(({toggles, queryClient}) => [
		...[...toggles.getIntents().values()].map(intent => unknownText(intent)),
		...writesUnderWay(queryClient),
	]);

	const targetOf = (name: string): Target => resolveTarget({
		settings,
		env: {},
		profile: name,
		isInsecureHttpAllowed: options.isInsecureHttpAllowed,
		isForUi: true,
	});

	const proposedProfileName: UiServices['proposedProfileName'] = baseAddress => {
		try {
			return suggestProfileName(settings.profiles(), normalizeBaseAddress(baseAddress), settings.currentProfileName());
		} catch {
			return undefined;
		}
	};

	const storeProfile = async (change: () => Promise<void>): Promise<void> => {
		const noticeCount = settings.notices.length;
		await change();
		for (const notice of settings.notices.slice(noticeCount)) {
			say('error', notice);
		}
	};

	const ui: UiServices = {
		store,
		startedAt,
		isReadOnly: options.isReadOnly,
		profiles: () => settings.profiles(),
		currentProfileName: () => session.profileName,
		profileMark: () => mark,
		proposedSignIn: () => refused.has(session) ? {baseAddress: session.client.baseAddress, isKeyMissing: true} : {baseAddress: publicServiceAddress},
		proposedProfileName,
		async signIn({baseAddress, apiKey, profileName}, signal) {
			const address = normalizeBaseAddress(baseAddress);
			refuseInsecureAddress(address, options.isInsecureHttpAllowed);
			const name = profileName === '' ? suggestProfileName(settings.profiles(), address, settings.currentProfileName()) : profileName;
			refuseProfileName(name);
			refuseTakenName(settings.profiles(), name, address);
			const {createClient} = await import('../client/client.ts');
			await createClient({...options, baseAddress: address, apiKey}).checkKey(signal);
			signal.throwIfAborted();
			await storeProfile(async () => settings.saveProfile({name, baseAddress: address, apiKey}));
			// The records are those of before: whoever signs in again goes on where they were.
			const isPlaceKept = session.client.baseAddress === address;
			store.dispatch({type: isPlaceKept ? 'close' : 'close-all'});
			show(targetOf(name), isPlaceKept ? readSavedView(savedViewOf(store.getState())) : undefined);
			say('info', `Connected to ${address} as profile ${name}.`);
		},
		async renameProfile(name, newName) {
			await storeProfile(async () => settings.renameProfile(name, newName));
			places.rename(name, newName);
			const renamed = [session, ...sessionsBefore].filter(({profileName}) => profileName === name);
			const baseAddress = settings.profiles().find(profile => profile.name === newName)?.baseAddress ?? '';
			renameKeptPrompts({account: accountOf({client: {baseAddress}, profileName: name})}, accountOf({client: {baseAddress}, profileName: newName}));
			for (const each of renamed) {
				each.rename(newName);
			}

			mark = markOf(session);
			say('info', `The profile ${name} is called ${newName} now.`);
		},
		async switchProfile(name) {
			if (name === session.profileName) {
				return;
			}

			const target = targetOf(name);
			await storeProfile(async () => settings.useProfile(name));
			show(target);
		},
		async signOut(name) {
			await storeProfile(async () => settings.forgetKey(name));
			if (name === session.profileName) {
				await storeProfile(async () => settings.useProfile(localProfileName));
				show({kind: 'local'});
			}

			say('info', `Signed out of ${name}: its key is forgotten.`);
		},
		keymap: options.keymap,
		act: options.act,
		requests: options.requests,
		line: {
			...options.line,
			lend: async callback => leaving.whileEditorIsOpen(async ending => options.line.lend(async () => callback(ending))),
		},
		async copy(text, what) {
			const means = await options.clipboard(text);
			say('info', `${what} is copied ${means}: ${text}`);
		},
		leave: leaving.leave,
		stay() {
			leaving.stay();
			// Whoever stays sees them on the screen.
			unseenFailures.length = 0;
			say('info', 'Leaving is called off.');
		},
		say(level, text) {
			say(level, text);
		},
	};

	return {
		ui,
		sessions: {
			getSession: () => session,
			subscribe(listener) {
				listeners.add(listener);
				return () => {
					listeners.delete(listener);
				};
			},
		},
		endEditor: leaving.endEditor,
		afterwords: () => [
			...unseenFailures,
			...changesUnderWay(),
		],
		async close() {
			places.keep(session, store.getState());
			closing.push(session.close());
			await Promise.all(closing);
		},
	};
};
