import path from 'node:path';
import type {SwitchboardError} from '../interface/errors.ts';
import {moveTimeOn} from './state/app-state.ts';
import {formatCount} from '../interface/format-count.ts';
import type {JsonObject} from '../interface/json.ts';
import {openPresets} from '../settings/presets.ts';
import type {Settings} from '../settings/settings.ts';
import type {Target} from '../settings/target.ts';
import type {UiStateStore} from '../settings/ui-state.ts';
import type {TerminalControl, UiServices} from './app-context.ts';
import type {OpenSessionOptions} from './hooks/open-session.ts';
import type {ServiceSession} from './hooks/service-session.ts';
import {createChosenProfile, createProfileServices} from './profile-services.ts';
import {createLeaving} from './leaving.ts';
import {keyName} from '../words/keymap.ts';
import {keptPromptsText} from '../settings/prompt-file.ts';
import {createSessions} from './sessions.ts';
import {Views} from './views.ts';
import {infoMilliseconds, isLasting, type MessageEnd} from './state/messages.ts';
import type {Clipboard} from '../terminal/clipboard.ts';
import type {ProfileMark} from '../words/signs.ts';

type Provided = Pick<
	UiServices,
	'store' | 'keymap' | 'isAscii' | 'isColorless' | 'act' | 'requests' | 'onScreen' | 'findEditor' | 'configFolder' | 'loadTopics'
>;

export type UiServicesOptions = Omit<OpenSessionOptions, 'target' | 'report' | 'refreshKey'> &
	Provided & {
		readonly target: Target;
		/** The settings of the person; `undefined` for somebody who came over SSH: their profile is chosen, and what is theirs is kept in `configFolder`. */
		readonly settings?: Settings | undefined;
		readonly profileMark?: ProfileMark | undefined;
		/** True if the target is the bundled service because nothing else is set up. */
		readonly isLocalByDefault?: boolean | undefined;
		/** Where the presets of somebody who came over SSH are: they share them with all who use their profile. */
		readonly presetFolder?: string | undefined;
		/** Where the screens were left is read from here and stored here. */
		readonly uiState: UiStateStore;
		readonly viewAtStart?: JsonObject | undefined;
		readonly terminal: Omit<TerminalControl, 'lend'> & {
			/** Lends the terminal to another program until the callback has settled. */
			lend<Result>(callback: () => Promise<Result>): Promise<Result>;
		};
		readonly clipboard: Clipboard;
		/** Called each time that an operation fails because its key is refused. */
		readonly onKeyRefused?: ((error: SwitchboardError) => void) | undefined;
		/** Called when the person leaves: at once, or when pending changes are answered; once more if they insist. */
		readonly onExit: (exitCode: number) => void;
	};

/** More would push what was on the terminal before out of sight. */
const maximumAfterwords = 20;

const withoutExcess = (texts: readonly string[]): readonly string[] =>
	texts.length <= maximumAfterwords
		? texts
		: [...texts.slice(0, maximumAfterwords), `${formatCount(texts.length - maximumAfterwords)} more like these are not listed.`];

/** Carries out the requests of the screens on the settings and the services. */
export const createUiServices = (options: UiServicesOptions) => {
	const {store, settings, keymap, isReadOnly, findEditor, configFolder} = options;
	const unseenFailures: string[] = [];

	const say: UiServices['say'] = (level, text, ...ends) => {
		const until = ends.flatMap((end): readonly MessageEnd[] =>
			typeof end === 'object' ? (end.kind === 'unreachable' ? ['answer'] : []) : end === undefined ? [] : [end],
		);
		store.dispatch({type: 'say', level, text, at: Date.now(), until});
		// The person may not see it before the screens close.
		if (level === 'error' && store.getState().leaving !== undefined) {
			unseenFailures.push(text);
		}

		const {shown} = store.getState().messages;
		if (level === 'info' && shown !== undefined && !isLasting(shown)) {
			setTimeout(() => {
				store.dispatch({type: 'dismiss', id: shown.id});
			}, infoMilliseconds).unref();
		}
	};

	/** Mentions kept texts, so that the person finds them again. */
	const offerKeptPrompts = (session: ServiceSession): void => {
		const text = keptPromptsText({account: session.account.name, configFolder}, isReadOnly ? undefined : keyName(keymap, 'edit-prompt'));
		if (text !== undefined) {
			say('info', text, 'overlay');
		}
	};

	moveTimeOn(store);
	const isOverSsh = settings === undefined;
	const views = new Views({...options, settings, say});
	const sessions = createSessions({...options, isOverSsh, say, views}, options.target);
	const profileServices =
		settings === undefined
			? createChosenProfile({...options, sessions})
			: createProfileServices({...options, settings, sessions, views, say, onShown: offerKeptPrompts});
	views.restore(sessions.getSession(), options.viewAtStart);
	offerKeptPrompts(sessions.getSession());

	const {leave, whileOpen, endEditor} = createLeaving({
		store,
		getSessions: sessions.getAll,
		onLeave() {
			options.onExit(0);
		},
	});

	const ui: UiServices = {
		...profileServices,
		store,
		isReadOnly,
		isOverSsh,
		keymap,
		isAscii: options.isAscii,
		isColorless: options.isColorless,
		presets: () =>
			openPresets(sessions.getSession().account.presetAccount, {
				configFolder: settings === undefined ? options.presetFolder : path.dirname(settings.path),
				arePathsShown: !isOverSsh,
				note(notice) {
					say('error', notice);
				},
			}),
		act: options.act,
		requests: options.requests,
		onScreen: options.onScreen,
		findEditor,
		configFolder,
		loadTopics: options.loadTopics,
		terminal: {
			...options.terminal,
			lend: async callback => whileOpen(false, async ending => options.terminal.lend(async () => callback(ending))),
		},
		async copy(text, what) {
			const means = await options.clipboard(text);
			say('info', means === undefined ? `This terminal has no clipboard. ${what}: ${text}` : `${what} is copied ${means}: ${text}`);
		},
		whileEditing: async work => whileOpen(true, work),
		leave,
		stay() {
			store.dispatch({type: 'stay'});
			// They are on the screen now.
			unseenFailures.length = 0;
			say('info', 'Quitting was cancelled.');
		},
		say,
	};

	return {
		ui,
		sessions,
		endEditor,
		/** The lines to print once the terminal is restored: the outcomes that were not shown. */
		afterwords: () => withoutExcess([...unseenFailures, ...sessions.unconfirmedTexts()]),
		async close(): Promise<void> {
			views.keep(sessions.getSession());
			await sessions.close();
		},
	};
};
