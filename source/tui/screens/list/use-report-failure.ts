import {useEffect} from 'react';
import {type ErrorKind, type SwitchboardError} from '../../../interface/errors.ts';
import {useUiServices, type UiServices} from '../../app-context.ts';
import {useServiceSession, type ServiceSession} from '../../hooks/service-session.ts';
import {type MemoryKey} from '../../hooks/session-memory.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {keyName} from '../../keys/hints.ts';
import {type Keymap} from '../../keys/keymap.ts';
import {retryText} from '../../keys/retry-text.ts';

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

const failureText = (plural: string, error: SwitchboardError, keymap: Keymap): string =>
	`Could not refresh the ${plural}. ${error.message} ${refreshHint(error, keymap)}`;

type Place = {
	readonly ui: Pick<UiServices, 'store' | 'keymap' | 'say'>;
	readonly session: Pick<ServiceSession, 'memory'>;
};

/** Takes back what was reported for a list, because it is read again. */
export const withdrawFailure = (plural: string, {ui: {store}, session}: Place): void => {
	const reported = session.memory.get(reportedByList);
	const messageId = reported.get(plural)?.messageId;
	if (messageId === undefined) {
		return;
	}

	store.dispatch({type: 'dismiss', id: messageId});
	reported.delete(plural);
};

/** Reports why a list that is shown could not be refreshed to the person who asked for it, whatever the header says. */
export const reportFailure = (plural: string, error: SwitchboardError, {ui: {store, keymap, say}, session}: Place): void => {
	const failure = failureText(plural, error, keymap);
	const reported = session.memory.get(reportedByList);
	const messageId = reported.get(plural)?.messageId;
	const {shown} = store.getState().messages;
	if (shown !== undefined && shown.id === messageId && shown.text === failure) {
		return;
	}

	say('error', failure, error);
	reported.set(plural, {failure, messageId: store.getState().messages.shown?.id});
};

/** Reports why a list could not be refreshed, if the old one is still shown and the header cannot say why. */
export const useReportFailure = (plural: string, {records, error}: Pick<ResourceState<unknown>, 'records' | 'error'>): void => {
	const {store, keymap, say} = useUiServices();
	const session = useServiceSession();
	const failure = records === undefined || error === undefined ? undefined : failureText(plural, error, keymap);
	const isSilent = error !== undefined && selfExplanatory.has(error.kind) && error.field !== 'proxy';
	useEffect(() => {
		const reported = session.memory.get(reportedByList);
		const before = reported.get(plural);
		if (before?.failure === failure) {
			return;
		}

		if (before?.messageId !== undefined) {
			store.dispatch({type: 'dismiss', id: before.messageId});
		}

		if (failure === undefined || isSilent) {
			reported.delete(plural);
			return;
		}

		// An error about a change comes first.
		const isErrorShown = store.getState().messages.shown?.level === 'error';
		if (!isErrorShown) {
			say('error', failure);
		}

		reported.set(plural, {failure, messageId: isErrorShown ? undefined : store.getState().messages.shown?.id});
	}, [failure, isSilent, plural, session, store, say]);
};
