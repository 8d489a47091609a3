import {type ServiceSession} from './hooks/service-session.ts';
import {writesUnderWay} from './hooks/writes.ts';
import {type AppAction, type AppState, type WaitedFor} from './state/app-state.ts';
import {type Store} from './state/store.ts';

export type LeavingOptions = {
	readonly store: Store<AppState, AppAction>;
	/** Every service with changes that may be under way, also one that was shown before. */
	readonly getSessions: () => readonly ServiceSession[];
	/** Called when nothing is waited for any more, or a second press does not want to wait. */
	readonly onLeave: () => void;
};

export type Leaving = {
	/** Leaves at once where nothing is under way or it was asked before, else once all changes are answered. An open editor is always waited for. */
	leave(): void;
	/** Calls leaving off. */
	stay(): void;
	/** Carries out what an editor is needed for. `ending` is aborted, with a signal's name as the reason, when the editor is to end. */
	whileEditorIsOpen<Result>(work: (ending: AbortSignal) => Promise<Result>): Promise<Result>;
	/** The program ends now: tells an open editor so, by this signal, and resolves when it is closed. */
	endEditor(signal: NodeJS.Signals): Promise<void>;
};

const nextTurn = async (): Promise<void> => new Promise(resolve => {
	setImmediate(resolve);
});

/** Knows what has to be over before the program may be left by a key. */
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
		const listener = (): void => {
			resolve();
		};

		editorListeners.add(listener);
		const unsubscribes = [
			() => editorListeners.delete(listener),
			store.subscribe(listener),
			...getSessions().flatMap(({toggles, queryClient}) => [toggles.subscribe(listener), queryClient.getMutationCache().subscribe(listener)]),
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
			// What comes of an answer is said by then, and the next of several writes has begun.
			await nextTurn();
		}
	};

	return {
		leave() {
			const now = waitedFor();
			const isAskedAgain = isLeaving();
			// Whatever is typed from here on is for nobody, also where there is nothing to wait for.
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
				// What became of the text is said by then.
				await nextTurn();
			}
		},
	};
};
