import {useEffect, useState, type ReactElement} from 'react';
import {Text} from 'ink';
import type {ErrorKind, SwitchboardError} from '../../../interface/errors.ts';
import {useUiServices} from '../../app-context.ts';
import {useServiceSession, type MemoryKey} from '../../hooks/service-session.ts';
import type {ResourceState} from '../../hooks/use-resource.ts';
import {keyName, retryText, type Keymap} from '../../../words/keymap.ts';
import {parseFilter, unknownTermsText} from '../../../interface/filter.ts';
import {withMark} from '../../../words/signs.ts';
import type {ScreenName} from '../../state/view.ts';
import {theme} from '../../theme.ts';
import type {NoticeProps} from '../../widgets/notice.tsx';

/** For these failures the header says enough, and they may pass without help. */
const selfExplanatory: ReadonlySet<ErrorKind> = new Set(['unreachable', 'timeout', 'server-error', 'rate-limited']);

/** Returns the next step if a list could not be read. */
export function refreshHint(error: SwitchboardError, keymap: Keymap): string {
	const {nextStep = ''} = error;
	const retry = retryText(keyName(keymap, 'refresh'), nextStep);
	return nextStep === '' || /^Try again(?: in [^.]+)?\.$/.test(nextStep) ? retry : `${retry} ${nextStep}`;
}

/** The newest reported failure of each list, so that a screen that comes back does not report it twice. */
const reportedFailures: MemoryKey<Map<ScreenName, string>> = {create: () => new Map()};

type ReportedList = {
	readonly screen: ScreenName;
	/** The name of its records, such as “agents”. */
	readonly plural: string;
	readonly resource: Pick<ResourceState<unknown>, 'records' | 'error'>;
};

/** Reports the reason why a visible list could not be refreshed: to a person who asked for it, or if the header cannot say it. */
export function useFailureReports({screen, plural, resource: {records, error}}: ReportedList) {
	const {store, keymap, say} = useUiServices();
	const session = useServiceSession();
	const reported = session.memory.get(reportedFailures);
	const textOf = (reason: SwitchboardError): string => `Could not refresh the ${plural}. ${reason.message} ${refreshHint(reason, keymap)}`;
	const failure = records === undefined || error === undefined ? undefined : textOf(error);
	const isSilent = error !== undefined && selfExplanatory.has(error.kind) && error.field !== 'proxy';

	/** Withdraws the report, because the list is read again. */
	const withdraw = (): void => {
		if (reported.delete(screen)) {
			store.dispatch({type: 'end', end: screen});
		}
	};

	useEffect(() => {
		if (reported.get(screen) === failure) {
			return;
		}

		withdraw();
		if (failure === undefined || isSilent) {
			return;
		}

		// An error about a change comes first.
		if (store.getState().messages.shown?.level !== 'error') {
			say('error', failure, screen);
		}

		reported.set(screen, failure);
	}, [failure, isSilent, screen, session, store, say]);

	return {
		withdraw,
		/** Reports a reason to the person who asked, whatever the header says. */
		report(reason: SwitchboardError): void {
			const text = textOf(reason);
			if (store.getState().messages.shown?.text === text) {
				return;
			}

			say('error', text, reason, screen);
			reported.set(screen, text);
		},
	};
}

type NextTryProps = {
	readonly width: number;
	/** The reason of the last failure, in a word or two. */
	readonly reason: string;
	readonly nextTryAt: number;
};

/** Draws the time of the next attempt to read a list. Only its digits change, once a second. */
export function NextTry({width, reason, nextTryAt}: NextTryProps): ReactElement {
	const {keymap} = useUiServices();
	const [now, setNow] = useState(() => Date.now());
	useEffect(() => {
		const timer = setInterval(() => setNow(Date.now()), 1000).unref();
		return () => clearInterval(timer);
	}, []);
	const next = `Next try in ${Math.max(1, Math.ceil((nextTryAt - now) / 1000))} s`;
	const short = `${next}; ${keyName(keymap, 'refresh')} tries now.`;
	const whole = `${reason[0]!.toUpperCase()}${reason.slice(1)}. ${short}`;
	return <Text wrap="truncate-end" {...theme.secondary}>{` ${[whole, short].find(text => text.length < width) ?? next}`}</Text>;
}

type ListNotice = {
	readonly plural: string;
	readonly emptyHint: string;
	readonly filter: string;
	/** The filter that Tab makes of a word such as “off”. */
	readonly term?: string | undefined;
	readonly hasRecords: boolean;
	readonly resource: Pick<ResourceState<unknown>, 'records' | 'error'>;
};

/** Returns the reason why a list has no rows, with the key to press next. */
export function listNotice(
	keymap: Keymap,
	{plural, emptyHint, filter, term, hasRecords, resource: {records, error}}: ListNotice,
): Pick<NoticeProps, 'tone' | 'title' | 'hint'> {
	if (hasRecords) {
		const title =
			term === undefined
				? (unknownTermsText(parseFilter(filter).unknownTerms) ?? `No ${plural} match the filter “${filter}”.`)
				: `No name has “${filter.trim()}”. Tab: ${term}`;
		return {tone: 'plain', title, hint: `${keyName(keymap, 'clear')} clears the filter.`};
	}

	if (records !== undefined) {
		return {tone: 'plain', title: `No ${plural} yet.`, hint: emptyHint};
	}

	return error === undefined
		? {tone: 'secondary', title: `Reading the ${plural}…`}
		: {tone: 'error', title: withMark('error', `The ${plural} could not be read. ${error.message}`), hint: refreshHint(error, keymap)};
}
