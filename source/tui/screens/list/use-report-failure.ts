import {useEffect} from 'react';
import {type ErrorKind, type SwitchboardError} from '../../../interface/errors.ts';
import {useUiServices} from '../../app-context.ts';
import {retryText} from '../../failure-text.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {type MemoryKey} from '../../hooks/session-memory.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {keyName} from '../../keys/hints.ts';
import {type Keymap} from '../../keys/keymap.ts';

/** For these the header says enough, and they may pass without help. */
const selfExplanatory: ReadonlySet<ErrorKind> = new Set(['unreachable', 'timeout', 'server-error', 'rate-limited']);

/** What to do about a list that could not be read. */
export const refreshHint = (error: SwitchboardError, keymap: Keymap): string => {
	const {nextStep = ''} = error;
	const retry = retryText(keyName(keymap, 'refresh'), nextStep);
	return nextStep === '' || /^Try again(?: in [^.]+)?\.$/.test(nextStep) ? retry : `${retry} ${nextStep}`;
};

type Reported = {readonly failure: string; readonly messageId: number | undefined};

/** The failures reported for each list: a screen that comes back reports nothing twice. */
const reportedByList: MemoryKey<Map<string, Reported>> = {create: () => new Map()};

/** Reports why a list could not be refreshed, if the old one is still shown and the header cannot say why. */
export const useReportFailure = (plural: string, {records, error}: Pick<ResourceState<unknown>, 'records' | 'error'>): void => {
	const {store, keymap, say} = useUiServices();
	const session = useServiceSession();
	const failure = records === undefined || error === undefined || (selfExplanatory.has(error.kind) && error.field !== 'proxy')
		? undefined
		: `Could not refresh the ${plural}. ${error.message} ${refreshHint(error, keymap)}`;
	useEffect(() => {
		const reported = session.memory.get(reportedByList);
		const before = reported.get(plural);
		if (before?.failure === failure) {
			return;
		}

		if (before?.messageId !== undefined) {
			store.dispatch({type: 'dismiss', id: before.messageId});
		}

		if (failure === undefined) {
			reported.delete(plural);
			return;
		}

		// An error about a change comes first.
		const isErrorShown = store.getState().messages.shown?.level === 'error';
		if (!isErrorShown) {
			say('error', failure);
		}

		reported.set(plural, {failure, messageId: isErrorShown ? undefined : store.getState().messages.shown?.id});
	}, [failure, plural, session, store, say]);
};
