import {useEffect} from 'react';
import {type ErrorKind, type SwitchboardError} from '../../../interface/errors.ts';
import {useUiServices, type UiServices} from '../../app-context.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import {type MemoryKey} from '../../hooks/session-memory.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {keyName} from '../../keys/hints.ts';
import {type Keymap} from '../../keys/keymap.ts';
import {retryText} from '../../keys/retry-text.ts';
import {type ScreenName} from '../../state/view.ts';

/** For these the header says enough, and they may pass without help. */
const selfExplanatory: ReadonlySet<ErrorKind> = new Set(['unreachable', 'timeout', 'server-error', 'rate-limited']);

/** What to do about a list that could not be read. */
export const refreshHint = (error: SwitchboardError, keymap: Keymap): string => {
	const {nextStep = ''} = error;
	const retry = retryText(keyName(keymap, 'refresh'), nextStep);
	return nextStep === '' || /^Try again(?: in [^.]+)?\.$/.test(nextStep) ? retry : `${retry} ${nextStep}`;
};

/** The newest failure reported for each list: a screen that comes back reports nothing twice. */
const reportedFailures: MemoryKey<Map<ScreenName, string>> = {create: () => new Map()};

const failureText = (plural: string, error: SwitchboardError, keymap: Keymap): string =>
	`Could not refresh the ${plural}. ${error.message} ${refreshHint(error, keymap)}`;

/** A list, and what it is called, such as “agents”. */
type ReportedList = {readonly screen: ScreenName; readonly plural: string};

type Place = {
	readonly ui: Pick<UiServices, 'store' | 'keymap' | 'say'>;
	readonly session: Pick<ServiceSession, 'memory'>;
};

/** Takes back what was reported for a list, because it is read again. */
export const withdrawFailure = ({screen}: ReportedList, {ui: {store}, session}: Place): void => {
	if (session.memory.get(reportedFailures).delete(screen)) {
		store.dispatch({type: 'end', end: screen});
	}
};

/** Reports why a list that is shown could not be refreshed to the person who asked for it, whatever the header says. */
export const reportFailure = ({screen, plural}: ReportedList, error: SwitchboardError, {ui: {store, keymap, say}, session}: Place): void => {
	const failure = failureText(plural, error, keymap);
	if (store.getState().messages.shown?.text === failure) {
		return;
	}

	say('error', failure, error, screen);
	session.memory.get(reportedFailures).set(screen, failure);
};

/** Reports why a list could not be refreshed, if the old one is still shown and the header cannot say why. */
export const useReportFailure = ({screen, plural}: ReportedList, {records, error}: Pick<ResourceState<unknown>, 'records' | 'error'>): void => {
	const {store, keymap, say} = useUiServices();
	const session = useServiceSession();
	const failure = records === undefined || error === undefined ? undefined : failureText(plural, error, keymap);
	const isSilent = error !== undefined && selfExplanatory.has(error.kind) && error.field !== 'proxy';
	useEffect(() => {
		const reported = session.memory.get(reportedFailures);
		if (reported.get(screen) === failure) {
			return;
		}

		if (reported.delete(screen)) {
			store.dispatch({type: 'end', end: screen});
		}

		if (failure === undefined || isSilent) {
			return;
		}

		// An error about a change comes first.
		if (store.getState().messages.shown?.level !== 'error') {
			say('error', failure, screen);
		}

		reported.set(screen, failure);
	}, [failure, isSilent, screen, session, store, say]);
};
