import {useEffect} from 'react';
import {type ErrorKind, type SwitchboardError} from '../../../interface/errors.ts';
import {useUiServices} from '../../app-context.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {type MemoryKey} from '../../hooks/session-memory.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {keyName} from '../../keys/hints.ts';
import {type Keymap} from '../../keys/keymap.ts';

/** What the header says of these in two words is all there is to it, and it may pass by itself. */
const selfExplanatory: ReadonlySet<ErrorKind> = new Set(['unreachable', 'timeout', 'server-error', 'rate-limited']);

/** What can be done about a list that could not be read. */
export const readAgainHint = (error: SwitchboardError, keymap: Keymap): string => {
	const {nextStep} = error;
	return `${keyName(keymap, 'refresh')} tries again.${nextStep === undefined ? '' : ` ${nextStep}`}`;
};

type Told = {readonly failure: string; readonly messageId: number | undefined};

/** What was told of the lists of a service: a screen that comes back tells nothing twice. */
const toldByList: MemoryKey<Map<string, Told>> = {create: () => new Map()};

/** Says why a list could not be read again, where the one of before still stands and the header cannot say it. */
export const useTellFailure = (plural: string, {records, error}: Pick<ResourceState<unknown>, 'records' | 'error'>): void => {
	const {store, keymap, say} = useUiServices();
	const session = useServiceSession();
	const failure = records === undefined || error === undefined || (selfExplanatory.has(error.kind) && error.field !== 'proxy')
		? undefined
		: `The ${plural} could not be read again. ${error.message} ${readAgainHint(error, keymap)}`;
	useEffect(() => {
		const told = session.memory.get(toldByList);
		const before = told.get(plural);
		if (before?.failure === failure) {
			return;
		}

		if (before?.messageId !== undefined) {
			store.dispatch({type: 'dismiss', id: before.messageId});
		}

		if (failure === undefined) {
			told.delete(plural);
			return;
		}

		// Why a change failed stands first.
		const isPlaceTaken = store.getState().messages.shown?.level === 'error';
		if (!isPlaceTaken) {
			say('error', failure);
		}

		told.set(plural, {failure, messageId: isPlaceTaken ? undefined : store.getState().messages.shown?.id});
	}, [failure, plural, session, store, say]);
};
