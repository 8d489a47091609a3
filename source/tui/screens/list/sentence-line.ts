import {useEffect, useMemo, useState} from 'react';
import {useAppState, useUiServices, type UiServices} from '../../app-context.ts';
import {useServiceSession, type MemoryKey, type ServiceSession} from '../../hooks/service-session.ts';
import {isShownEnabled} from '../../hooks/switching.ts';
import {useTypedLine} from '../../keys/typed-line.ts';
import type {Hint} from '../../../words/keymap.ts';
import type * as Hearing from '../../state/hearing.ts';
import type {Move} from '../../state/list-state.ts';

/** Loaded with the first sentence, because most runs have none. */
let loaded: typeof Hearing | undefined;

const explained: MemoryKey<{isExplained: boolean}> = {create: () => ({isExplained: false})};

/** Opens the line, and says once for each service which rule it uses. */
export function openSentence({store, say}: UiServices, session: ServiceSession): void {
	store.dispatch({type: 'open-sentence'});
	const memory = session.memory.get(explained);
	if (memory.isExplained) {
		return;
	}

	memory.isExplained = true;
	say('info', 'This is how the bundled service matches phrases; others may differ.');
}

/** The hints while the line is open. */
export const sentenceHints: readonly Hint[] = [
	{key: 'enter', label: 'keep'},
	{key: 'esc', label: 'clear'},
];

/** Handles the keys of the line while it is open. Every printable key is text; Enter keeps the sentence, Escape clears it. */
export function useSentenceLine(move: (move: Move) => void): void {
	const {store} = useUiServices();
	useTypedLine(
		{
			read: () => store.getState().sentence,
			type: sentence => store.dispatch({type: 'edit-sentence', sentence}),
			keep: sentence => store.dispatch({type: sentence === '' ? 'clear-sentence' : 'keep-sentence'}),
			leave: () => store.dispatch({type: 'clear-sentence'}),
			move,
		},
		() => store.getState().isSentenceOpen,
	);
}

/**
Returns the outcome of the sentence by the lists on the screen, with the changes under way; `undefined` without a sentence, and until there
are lists. The screen that calls it follows all three lists. All phrases are compared once for each sentence or list, and the matching ones
once for each switch.
*/
export function useOutcome(): Hearing.HearingOutcome | undefined {
	const session = useServiceSession();
	const sentence = useAppState(state => state.sentence);
	const [hearing, setHearing] = useState(loaded);
	const isWanted = sentence !== '';
	useEffect(() => {
		if (isWanted && hearing === undefined) {
			void (async () => {
				loaded = await import('../../state/hearing.ts');
				setHearing(loaded);
			})();
		}
	}, [isWanted, hearing]);
	const used = isWanted ? hearing : undefined;
	const {seen} = session.records;
	const [installed, agents, abilities] = used === undefined ? [] : [seen('installed'), seen('agents'), seen('abilities')];
	const intents = session.changes.queue.intents('installed', 'enabled');
	const listeners = useMemo(() => installed && used?.listenersOf(installed, agents, abilities), [used, installed, agents, abilities]);
	const found = useMemo(() => listeners && used?.concerned(sentence, listeners), [used, sentence, listeners]);
	return useMemo(
		() => found && used?.outcomeOf(sentence, found, record => isShownEnabled(record, intents), agents),
		[used, sentence, found, agents, intents],
	);
}
