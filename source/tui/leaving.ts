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
	/** Ends an open editor with this signal because the program ends; resolves when it is closed. */
	endEditor(signal: NodeJS.Signals): Promise<void>;
};

/** Delays quitting by a key until changes under way are answered and the editor is closed. */
export const createLeaving = ({store, getSessions, onLeave}: LeavingOptions): Leaving => {
	const ending = new AbortController();
	const openEditors = new Set<symbol>();
	const editorListeners = new Set<() => void>();

	const waitedFor = (): WaitedFor => ({
		changeCount: getSessions().reduce((count, {toggles, queryClient}) => count + toggles.getIntents().size + writesUnderWay(queryClient).length, 0),
		isEditorOpen: openEditors.size > 0,
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

	return {
		leave() {
			const now = waitedFor();
			const isAskedAgain = isLeaving();
			// Keys are ignored from here on, even if there is nothing to wait for.
			store.dispatch({type: 'leave', waitedFor: now});
			if (isOver(now) || (isAskedAgain && !now.isEditorOpen)) {
				onLeave();
			} else if (!isAskedAgain) {
				void waitAndLeave();
			}
		},
		stay() {
			store.dispatch({type: 'stay'});
		},
		async whileEditorIsOpen(work) {
			const editor = Symbol('editor');
			openEditors.add(editor);
			try {
				return await work(ending.signal);
			} finally {
				openEditors.delete(editor);
				for (const listener of editorListeners) {
					listener();
				}
			}
		},
		async endEditor(signal) {
			ending.abort(signal);
			store.dispatch({type: 'leave', waitedFor: waitedFor()});
			while (openEditors.size > 0) {
				await nextEvent();
				// By then messages about the text are shown.
				await nextTurn();
			}
		},
	};
};
