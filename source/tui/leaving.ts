import type {ServiceSession} from './hooks/service-session.ts';
import {subscribeToWrites, writesUnderWay} from './hooks/writes.ts';
import type {AppAction, AppState, WaitedFor} from './state/app-state.ts';
import {createObservable, when, type Store} from './observable.ts';

type LeavingOptions = {
	readonly store: Store<AppState, AppAction>;
	/** Every service that may have changes under way, even if it is no longer shown. */
	readonly getSessions: () => readonly ServiceSession[];
	/** Called when there is nothing left to wait for, and on a second press. */
	readonly onLeave: () => void;
};

/** Delays quitting by a key until changes under way are answered and the editor is closed. */
export const createLeaving = ({store, getSessions, onLeave}: LeavingOptions) => {
	/** The open editors, on the screen or of another program. */
	const editors = createObservable<ReadonlyArray<{readonly ending: AbortController; readonly isOnScreen: boolean}>>([]);

	const waitedFor = (): WaitedFor => ({
		changeCount: getSessions().reduce(
			(count, {changes: {queue}, records: {queryClient}}) => count + queue.all().length + writesUnderWay(queryClient).length,
			0,
		),
		isEditorOpen: editors.get().length > 0,
	});

	const isOver = ({changeCount, isEditorOpen}: WaitedFor): boolean => changeCount === 0 && !isEditorOpen;

	const isLeaving = (): boolean => store.getState().leaving !== undefined;

	const waitAndLeave = async (): Promise<void> => {
		await when(
			() => {
				const now = waitedFor();
				if (isLeaving() && !isOver(now)) {
					store.dispatch({type: 'leave', waitedFor: now});
					return false;
				}

				return true;
			},
			editors.subscribe,
			store.subscribe,
			...getSessions().flatMap(({changes: {queue}, records: {queryClient}}) => [queue.subscribe, subscribeToWrites(queryClient)]),
		);
		if (isLeaving()) {
			onLeave();
		}
	};

	/**
	Runs work that needs an editor. `ending` is aborted, with a signal's name as the reason, when the editor must end: one on the screen, which
	keeps its text, also with SIGINT when the person leaves.
	*/
	const whileOpen = async <Result>(isOnScreen: boolean, work: (ending: AbortSignal) => Promise<Result>): Promise<Result> => {
		const editor = {ending: new AbortController(), isOnScreen};
		editors.set([...editors.get(), editor]);
		try {
			return await work(editor.ending.signal);
		} finally {
			editors.set(editors.get().filter(other => other !== editor));
		}
	};

	return {
		/** Leaves once all changes are answered: at once if none is under way, or if called again. An open editor is always waited for. */
		leave(): void {
			for (const session of getSessions()) {
				session.leave();
			}

			const now = waitedFor();
			const isAskedAgain = isLeaving();
			// Keys are ignored from here on, even if there is nothing to wait for.
			store.dispatch({type: 'leave', waitedFor: now});
			for (const {ending, isOnScreen} of editors.get()) {
				if (isOnScreen) {
					ending.abort('SIGINT');
				}
			}

			if (isOver(now) || (isAskedAgain && !now.isEditorOpen)) {
				onLeave();
			} else if (!isAskedAgain) {
				void waitAndLeave();
			}
		},
		whileOpen,
		/** Ends an open editor with this signal because the program ends; resolves when it is closed. */
		async endEditor(signal: NodeJS.Signals): Promise<void> {
			store.dispatch({type: 'leave', waitedFor: waitedFor()});
			for (const {ending} of editors.get()) {
				ending.abort(signal);
			}

			await when(() => editors.get().length === 0, editors.subscribe);
		},
	};
};
