import {type UiServices} from './app-context.ts';
import {type ToggleFailure} from './hooks/intents.ts';
import {outsideNotes} from './hooks/outside-texts.ts';
import {type ServiceSession, type ServiceSessionOptions} from './hooks/service-session.ts';
import {switchedLines} from './hooks/switching-texts.ts';
import {keyName} from './keys/hints.ts';
import {failureText, outcomeText} from './failure-text.ts';
import {cursorKey} from './state/cursor-key.ts';
import {type Severity} from './state/severity.ts';

type SessionReportOptions = Pick<UiServices, 'store' | 'keymap' | 'say'> & {
	getSession(): ServiceSession;
	/** False once another service is shown: it may have records of the same names, and keys act only on it. */
	isShown(): boolean;
};

/** Turns what a session reports into messages; those of a session that is no longer shown begin with the name of its profile. */
export const createSessionReport = ({store, keymap, say, getSession, isShown}: SessionReportOptions) => {
	/** The records that the newest message about failures is about. */
	let reportedIds: readonly number[] = [];

	const sayFailure = (text: string, ids: readonly number[], reason?: ToggleFailure['error']): void => {
		say('error', text, reason, 'failures');
		reportedIds = ids;
	};

	const named = (text: string): string => isShown() ? text : `${getSession().profileName}: ${text}`;

	const sayNamed = (level: Severity, text: string): void => {
		say(level, named(text));
	};

	const report: ServiceSessionOptions['report'] = {
		cursorKey: () => cursorKey(store.getState()),
		onStart() {
			if (isShown()) {
				store.dispatch({type: 'switch'});
			}
		},
		onSwitched(changes) {
			for (const line of switchedLines(changes)) {
				store.dispatch({type: 'note', text: named(line), at: Date.now()});
			}
		},
		onFailed(failure, kind, isUnderCursor) {
			const {isGone, installed: {id}, error} = failure;
			if (!isShown() || isGone) {
				sayNamed('error', isGone ? error.message : outcomeText(failure));
			} else {
				sayFailure(failureText(failure, isUnderCursor ? kind : 'many', keymap), [id], error);
			}
		},
		onUndo: sayNamed,
		async confirm(question) {
			const {leaving, overlays, views, screen} = store.getState();
			const isFree = overlays.length === 0 || overlays.at(-1)!.kind === 'agent';
			if (!isShown() || leaving !== undefined || !isFree || views[screen].isFilterOpen) {
				return false;
			}

			return new Promise(resolve => {
				store.dispatch({
					type: 'open', overlay: {
						kind: 'confirm',
						...question,
						onYes() {
							resolve(true);
						},
						onNo() {
							resolve(false);
						},
					},
				});
			});
		},
		onService(text, state) {
			say('error', named(text), state === 'down' ? 'answer' : undefined);
		},
		onRead(resource) {
			if (isShown()) {
				store.dispatch({type: 'end', end: resource});
			}
		},
		onChanged(changes) {
			for (const note of isShown() ? outsideNotes(changes) : []) {
				store.dispatch({type: 'note', ...note, at: Date.now()});
			}
		},
		onProgress(text, count) {
			if (isShown()) {
				store.dispatch({type: 'progress', text, count});
			}
		},
		onSummary(level, text) {
			if (level === 'info' || !isShown()) {
				sayNamed(level, text);
			} else {
				const nextSteps = `${keyName(keymap, 'retry')} tries those again, ${keyName(keymap, 'messages')} shows why.`;
				sayFailure(`${text} ${nextSteps}`, [...getSession().switching.getFailures().keys()]);
			}
		},
	};

	return {
		report,
		/** Dismisses the message about failures once all changes were requested again or done: it would contradict the rows. */
		dismissOutdated(): void {
			const failures = getSession().switching.getFailures();
			if (isShown() && reportedIds.every(id => !failures.has(id))) {
				store.dispatch({type: 'end', end: 'failures'});
			}
		},
	};
};
