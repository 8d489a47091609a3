import {type UiServices} from './app-context.ts';
import {type ToggleFailure} from './hooks/intents.ts';
import {outsideTexts} from './hooks/outside-texts.ts';
import {type ServiceSession, type ServiceSessionOptions} from './hooks/service-session.ts';
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
	/** The newest message about failures, and the records that it is about. */
	let reported: {readonly messageId: number | undefined; readonly ids: readonly number[]} | undefined;

	const sayFailure = (text: string, ids: readonly number[], reason?: ToggleFailure['error']): void => {
		say('error', text, reason);
		reported = {messageId: store.getState().messages.shown?.id, ids};
	};

	const sayNamed = (level: Severity, text: string): void => {
		say(level, isShown() ? text : `${getSession().profileName}: ${text}`);
	};

	const report: ServiceSessionOptions['report'] = {
		cursorKey: () => cursorKey(store.getState()),
		onFailed(failure, kind, isUnderCursor) {
			const {isGone, installed: {id}, error} = failure;
			if (!isShown() || isGone) {
				sayNamed('error', isGone ? error.message : outcomeText(failure));
			} else {
				sayFailure(failureText(failure, isUnderCursor ? kind : 'many', keymap), [id], error);
			}
		},
		onUndo: sayNamed,
		onService: sayNamed,
		onChanged(changes) {
			for (const text of isShown() ? outsideTexts(changes) : []) {
				store.dispatch({type: 'note', text, at: Date.now()});
			}
		},
		onProgress(text) {
			if (isShown()) {
				store.dispatch({type: 'progress', text});
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
			if (reported?.messageId === undefined || reported.ids.some(id => failures.has(id))) {
				return;
			}

			store.dispatch({type: 'dismiss', id: reported.messageId});
			reported = undefined;
		},
	};
};
