import type {SwitchboardError} from '../../../interface/errors.ts';
import {useUiServices, type UiServices} from '../../app-context.ts';
import {bringBackStep} from '../../hooks/bring-back.ts';
import {uninstallStep} from '../../hooks/undo-installation.ts';
import {isKept, type Former} from '../../../changes/removals.ts';
import type {NotedFormer} from '../../../changes/recorded-client.ts';
import type {Gathered} from '../../hooks/former-abilities.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {
	deletion,
	installation,
	isInBatch,
	runBatch,
	uninstallation,
	type BatchItem,
	type BatchOutcome,
	type BatchWrite,
} from '../../hooks/writes.ts';
import {keyName} from '../../../words/keymap.ts';
import type {Question} from '../../state/app-state.ts';
import type {ScreenName} from '../../state/view.ts';
import {askQuestion} from '../confirm.tsx';

type BatchAction = 'delete' | 'install' | 'uninstall';

type BatchKind = {readonly write: BatchWrite; readonly doing: string; readonly done: string; readonly screen: ScreenName};

const batchKinds: Readonly<Record<BatchAction, BatchKind>> = {
	delete: {write: deletion, doing: 'deleting', done: 'deleted', screen: 'abilities'},
	install: {write: installation, doing: 'installing', done: 'installed', screen: 'abilities'},
	uninstall: {write: uninstallation, doing: 'uninstalling', done: 'uninstalled', screen: 'installed'},
};

/** A shorter wait needs no question. */
const noticeableMilliseconds = 500;

/**
Returns a function that deletes, installs or uninstalls items, except items for which that is under way. It reports the start, because a
slow service answers late, and then each outcome.
*/
export function useBatch(): (action: BatchAction, items: readonly BatchItem[], gathered?: Gathered) => Promise<void> {
	const ui = useUiServices();
	const session = useServiceSession();
	const {store, say, keymap} = ui;
	return async (action, items, gathered) => {
		const {write: writeNow, doing, done, screen} = batchKinds[action];
		const formers = new Map<number, NotedFormer>();
		/** True if the question named the losses that cannot be undone. */
		const isTold = gathered?.isOver() ?? true;
		let lostCount = 0;
		let waiting: Promise<void> | undefined;
		const write: BatchWrite =
			gathered === undefined
				? writeNow
				: {
						...writeNow,
						async write(current, item) {
							waiting ??= waitForUndo(ui, gathered, subjectOf(wanted));
							await waiting;
							const former = await gathered.note(item);
							if (former !== undefined) {
								formers.set(item.id, former);
							}

							await writeNow.write(current, item);
						},
					};
		const wanted = items.filter(item => !isInBatch(session, write, item));
		if (wanted.length === 0) {
			gathered?.stop();
			say('info', `Still ${doing} ${subjectOf(items)}.`);
			return;
		}

		const retryKey = keyName(keymap, action);
		const endEntry = session.changes.undoHistory.begin(`Still ${doing} ${subjectOf(wanted)}.`);
		const entry = session.changes.undoHistory.newest();
		say('info', `${doing[0]!.toUpperCase()}${doing.slice(1)} ${subjectOf(wanted)}…`);
		const doneItems: BatchItem[] = [];
		const unknownItems: BatchItem[] = [];
		let answeredCount = 0;

		const wasDone = (all: readonly BatchItem[]): string => `${subjectOf(all)} ${all.length === 1 ? 'was' : 'were'} ${done}`;
		const endHistory = (): void => {
			const all = doneItems.map(({id}) => formers.get(id)).filter(former => former !== undefined);
			const back = all.filter(former => isKept(former));
			if (doneItems.length > 0) {
				const isUndoable = back.length > 0 || action === 'install';
				session.changes.lately.add('you', [{subject: subjectOf(doneItems), what: done}], {done: isUndoable ? entry : undefined});
			}

			const cannotUndo = (reason: string | undefined): void =>
				endEntry({refusal: `Cannot undo: ${wasDone(doneItems)}.${reason === undefined ? '' : ` ${reason}`}`});

			if (back.length > 0) {
				const lostNames = all.filter(former => !back.includes(former)).map(({name}) => name);
				endEntry(
					bringBackStep(
						session,
						{
							what: `the ${action === 'delete' ? 'deletion' : 'uninstallation'} of ${subjectOf(doneItems)}`,
							redo: `Nothing to redo: ${retryKey} ${action}s ${subjectOf(doneItems)} again, and asks first.`,
						},
						back.map(former => ({former})),
						{lostNames},
					),
				);
			} else if (action === 'install' && doneItems.length > 0) {
				endEntry(uninstallStep(session, doneItems, `${retryKey} on the Abilities screen installs ${subjectOf(doneItems)} again.`));
			} else if (doneItems.length > 0) {
				cannotUndo(all.map(former => lostReason(former)).find(reason => reason !== undefined));
			} else {
				endEntry(unknownItems.length === 0 ? undefined : {refusal: `Cannot undo: it is not known whether ${wasDone(unknownItems)}.`});
			}
		};

		const report = ({item, error}: BatchOutcome<BatchItem>): void => {
			answeredCount++;
			const counted = wanted.length === 1 ? '' : ` (${answeredCount} of ${wanted.length})`;
			if (error === undefined) {
				doneItems.push(item);
				const {marks} = store.getState().views[screen];
				// A row loses its mark once it is done; a failed one keeps it.
				if (marks.has(item.id)) {
					store.dispatch({type: 'change-view', screen, change: {marks: marks.difference(new Set([item.id]))}});
				}

				const lost = lostReason(formers.get(item.id));
				lostCount += lost === undefined ? 0 : 1;
				say('info', `${item.name} is ${done}${counted}.${lost === undefined || isTold ? '' : ` This cannot be undone: ${lost}`}`);
			} else {
				const {message, isOutcomeUnknown} = error;
				if (isOutcomeUnknown) {
					unknownItems.push(item);
				}

				const what = isOutcomeUnknown ? `It is not known whether ${item.name} is ${done}` : `Could not ${action} ${item.name}`;
				say('error', `${`${what}: ${message} ${nextStepOf(error, retryKey)}`.trim()}${counted}`, error);
			}

			if (answeredCount === wanted.length) {
				endHistory();
			}
		};

		await session.changes.log.together(async () => runBatch(session, write, wanted, report));
		if (wanted.length > 1 && doneItems.length === wanted.length) {
			say('info', `${wanted.length} abilities ${done}.${lostCount === 0 || isTold ? '' : ` That of ${lostCount} cannot be undone.`}`);
		} else if (wanted.length > 1) {
			say(
				'error',
				`${doneItems.length} of ${wanted.length} abilities ${done}; the rest stay marked. ${retryKey} tries again, ${keyName(keymap, 'messages')} shows why.`,
			);
		}
	};
}

/** Waits for the data for undo, within a limit; the person may skip that. */
async function waitForUndo(ui: UiServices, gathered: Gathered, subject: string): Promise<void> {
	let amend: ReturnType<typeof askQuestion> | undefined;
	const question: Question = {
		question: `Go on without undo for ${subject}?`,
		details: ['The data for undo is still being read, for a few seconds at most. n waits for it.'],
		yes: 'without undo',
		onYes: gathered.stop,
	};
	const timer = setTimeout(() => {
		// A person who does something else meanwhile waits.
		if (ui.store.getState().overlays.length === 0) {
			amend = askQuestion(ui, question);
		}
	}, noticeableMilliseconds);
	await gathered.whenOver();
	clearTimeout(timer);
	if (amend?.(question)) {
		ui.store.dispatch({type: 'close'});
	}
}

/** A message has no room for several names. */
const subjectOf = (items: readonly BatchItem[]): string => (items.length === 1 ? items[0]!.name : `${items.length} abilities`);

const lostReason = (former: Former | undefined): string | undefined =>
	former?.source !== undefined && 'reason' in former.source ? former.source.reason : undefined;

/** Returns advice about a failure; the error may already name the key. */
function nextStepOf({nextStep, kind}: SwitchboardError, retryKey: string): string {
	if (nextStep === undefined && kind === 'not-found') {
		// Nothing is left to retry.
		return '';
	}

	const isTransient = kind === 'server-error' || kind === 'timeout';
	return nextStep === undefined || isTransient ? `${retryKey} tries again.` : nextStep;
}
