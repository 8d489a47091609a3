import type {SwitchboardError} from '../interface/errors.ts';
import {moveTimeOn} from './state/app-state.ts';
import {formatCount} from '../interface/format-count.ts';
import type {JsonObject} from '../interface/json.ts';
import {openPresets} from '../settings/presets.ts';
import type {StoredProfiles} from '../settings/profile.ts';
import type {Settings} from '../settings/settings.ts';
import type {Target} from '../settings/target.ts';
import type {UiStateStore} from '../settings/ui-state.ts';
import type {UiServices} from './app-context.ts';
import type {OpenSessionOptions} from './hooks/open-session.ts';
import type {ServiceSession} from './hooks/service-session.ts';
import {createProfiles} from './profiles.ts';
import {createLeaving} from './leaving.ts';
import {keyName} from '../words/keymap.ts';
import {keptPromptsText} from '../settings/prompt-file.ts';
import {createSessions} from './sessions.ts';
import {Views} from './views.ts';
import {infoMilliseconds, isLasting, type MessageEnd, type Say} from './state/messages.ts';
import type {Clipboard} from '../terminal/clipboard.ts';
import {runEditor, type Editor} from '../terminal/external-editor.ts';

export type UiServicesOptions = Omit<OpenSessionOptions, 'target' | 'report' | 'refreshKey'> &
	Omit<UiServices, 'keyLimits' | 'isOverSsh' | 'say' | 'copy' | 'profiles' | 'presets' | 'findEditor' | 'whileEditing'> & {
		readonly target: Target;
		/** The settings of the person; `undefined` for somebody who came over SSH: their profile is chosen, and what is theirs is kept in `configFolder`. */
		readonly settings?: Settings | undefined;
		readonly storedProfiles: StoredProfiles;
		/** True if the target is the bundled service because nothing else is set up. */
		readonly isLocalByDefault?: boolean | undefined;
		/** Where the presets are; beside the settings by default. Those who came over SSH share them with all who use their profile. */
		readonly presetFolder?: string | undefined;
		/** Where the screens were left is read from here and stored here. */
		readonly uiState: UiStateStore;
		readonly viewAtStart?: JsonObject | undefined;
		/** Lends the terminal to another program until the callback has settled. */
		readonly terminal: {lend(callback: () => Promise<void>): Promise<void>};
		/** The person's program for long texts; `undefined` if they are edited on the screen. */
		readonly findEditor: () => Editor | undefined;
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
	const {store, settings, keymap, isReadOnly, isAscii, isColorless, act, requests, onScreen, configFolder, loadTopics} = options;
	const unseenFailures: string[] = [];

	const say: Say = (level, text, ...ends) => {
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
			setTimeout(() => store.dispatch({type: 'dismiss', id: shown.id}), infoMilliseconds).unref();
		}
	};

	/** Mentions kept texts, so that the person finds them again. */
	const offerKeptPrompts = (session: ServiceSession): void => {
		const text = keptPromptsText({account: session.account.name, configFolder}, isReadOnly ? undefined : keyName(keymap, 'edit-prompt'));
		if (text !== undefined) {
			say('info', text, 'overlay');
		}
	};

	const offerTries = async (session: ServiceSession, areChangesRefused: boolean): Promise<void> => {
		const {offerLeftTries} = await import('./screens/later-overlays.ts');
		await offerLeftTries(session, areChangesRefused);
	};

	moveTimeOn(store);
	const isOverSsh = settings === undefined;
	const views = new Views({...options, settings, say});
	const sessions = createSessions({...options, isOverSsh, say, views, offerTries}, options.target);
	const profiles = createProfiles({...options, sessions, views, say, onShown: offerKeptPrompts});
	views.restore(sessions.getSession(), options.viewAtStart);
	offerKeptPrompts(sessions.getSession());

	const {leave, whileOpen, endEditor} = createLeaving({
		store,
		getSessions: sessions.getAll,
		onLeave() {
			options.onExit(0);
		},
	});

	const passedOn = {store, keymap, isAscii, isColorless, isReadOnly, act, requests, onScreen, configFolder, loadTopics};
	const ui: UiServices = {
		...passedOn,
		isOverSsh,
		profiles,
		presets: () =>
			openPresets(sessions.getSession().account.presetAccount, {
				configFolder: options.presetFolder,
				arePathsShown: !isOverSsh,
				note(notice) {
					say('error', notice);
				},
			}),
		findEditor() {
			const editor = options.findEditor();
			return editor && (async file => whileOpen(false, async ending => options.terminal.lend(async () => runEditor(editor, file, ending))));
		},
		async copy(text, what) {
			const means = await options.clipboard(text);
			say('info', means === undefined ? `This terminal has no clipboard. ${what}: ${text}` : `${what} is copied ${means}: ${text}`);
		},
		whileEditing: async work => whileOpen(true, work),
		say,
	};

	return {
		ui,
		sessions,
		leave,
		/** Cancels leaving. */
		stay(): void {
			store.dispatch({type: 'stay'});
			// They are on the screen now.
			unseenFailures.length = 0;
			say('info', 'Quitting was cancelled.');
		},
		endEditor,
		/** The lines to print once the terminal is restored: the outcomes that were not shown. */
		afterwords: () => withoutExcess([...unseenFailures, ...sessions.unconfirmedTexts()]),
		async close(): Promise<void> {
			views.keep(sessions.getSession());
			await sessions.close();
		},
	};
};
