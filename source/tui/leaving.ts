import {setImmediate as nextTurn} from 'node:timers/promises';
import {type ServiceSession} from './hooks/service-session.ts';
import {writesUnderWay} from './hooks/writes.ts';
import {type AppAction, type AppState, type WaitedFor} from './state/app-state.ts';
import {type Store} from './state/store.ts';

type LeavingOptions = {
	readonly store: Store<AppState, AppAction>;
	/** Every service that may have changes under way, even if it is no longer shown. */
	readonly getSessions: () => readonly ServiceSession[];
	/** Called when there is nothing left to wait for, or on a second press. */
	readonly onLeave: () => void;
};

export type Leaving = {
	/** Leaves once all changes are answered: at once if none is under way, or if called again. An open editor is always waited for. */
	leave(): void;
	/** Cancels leaving. */
	stay(): void;
	/** Runs work that needs an editor. `ending` is aborted, with a signal's name as the reason, when the editor must end. */
	whileEditorIsOpen<Result>(work: (ending: AbortSignal) => Promise<Result>): Promise<Result>;
	/** The same for an editor on the screen, which must also end, with SIGINT, when the person leaves: it keeps its text. */
	whileEditing<Result>(work: (ending: AbortSignal) => Promise<Result>): Promise<Result>;
	/** Ends an open editor with this signal because the program ends; resolves when it is closed. */
	endEditor(signal: NodeJS.Signals): Promise<void>;
};

/** Delays quitting by a key until changes under way are answered and the editor is closed. */
export const createLeaving = ({store, getSessions, onLeave}: LeavingOptions): Leaving => {
	/** The editors of another program, and those on the screen. */
	const openEditors = {others: new Set<AbortController>(), own: new Set<AbortController>()};
	const editorListeners = new Set<() => void>();

	const waitedFor = (): WaitedFor => ({
		changeCount: getSessions().reduce((count, {toggles, queryClient}) => count + toggles.getIntents().size + writesUnderWay(queryClient).length, 0),
		isEditorOpen: openEditors.others.size + openEditors.own.size > 0,
	});

	const isOver = ({changeCount, isEditorOpen}: WaitedFor): boolean => changeCount === 0 && !isEditorOpen;

	/** Resolves with the next event that may change what is waited for. */
	const nextEvent = async (): Promise<void> => {
		const {promise, resolve} = Promise.withResolvers<void>();
		editorListeners.add(resolve);
		const unsubscribes = [
			() => editorListeners.delete(resolve),
			store.subscribe(resolve),
			...getSessions().flatMap(({toggles, queryClient}) => [toggles.subscribe(resolve), queryClient.getMutationCache().subscribe(() => {
				resolve();
			})]),
		];
		await promise;
		for (const unsubscribe of unsubscribes) {
			unsubscribe();
		}
	};

	const isLeaving = (): boolean => store.getState().leaving !== undefined;

	const waitAndLeave = async (): Promise<void> => {
		while (isLeaving()) {
			const now = waitedFor();
			if (isOver(now)) {
				onLeave();
				return;
			}

			store.dispatch({type: 'leave', waitedFor: now});
			await nextEvent();
			// By then messages about the answer are shown, and the next of several writes has begun.
			await nextTurn();
		}
	};

	const whileOpen = async <Result>(editors: Set<AbortController>, work: (ending: AbortSignal) => Promise<Result>): Promise<Result> => {
		const editor = new AbortController();
		editors.add(editor);
		try {
			return await work(editor.signal);
		} finally {
			editors.delete(editor);
			for (const listener of editorListeners) {
				listener();
			}
		}
	};

	const end = (editors: Iterable<AbortController>, signal: NodeJS.Signals): void => {
		for (const editor of editors) {
			editor.abort(signal);
		}
	};

	return {
		leave() {
			const now = waitedFor();
			const isAskedAgain = isLeaving();
			// Keys are ignored from here on, even if there is nothing to wait for.
			store.dispatch({type: 'leave', waitedFor: now});
			end(openEditors.own, 'SIGINT');
			if (isOver(now) || (isAskedAgain && !now.isEditorOpen)) {
				onLeave();
			} else if (!isAskedAgain) {
				void waitAndLeave();
			}
		},
		stay() {
			store.dispatch({type: 'stay'});
		},
		whileEditorIsOpen: async work => whileOpen(openEditors.others, work),
		whileEditing: async work => whileOpen(openEditors.own, work),
		async endEditor(signal) {
			store.dispatch({type: 'leave', waitedFor: waitedFor()});
			end([...openEditors.others, ...openEditors.own], signal);
			while (waitedFor().isEditorOpen) {
				await nextEvent();
				// By then messages about the text are shown.
				await nextTurn();
			}
		},
	};
};
