import {type SwitchboardError} from '../../../interface/errors.ts';
import {type UiServices} from '../../app-context.ts';
import {type BatchItem, type BatchOutcome} from '../../hooks/batch.ts';
import {type UndoHistory} from '../../hooks/undo-history.ts';
import {keyName} from '../../keys/hints.ts';
import {type Keymap} from '../../keys/keymap.ts';
import {type ScreenName} from '../../state/view.ts';

/** What a person did with one or several abilities. */
export type BatchAction = 'delete' | 'install' | 'uninstall';

type BatchWords = {
	readonly doing: string;
	readonly done: string;
	/** The screen with the marks. */
	readonly screen: ScreenName;
	/** What a person can do, or should know, instead of undoing it. */
	readonly undoAdvice: (keymap: Keymap) => string;
};

const wordsOf: Readonly<Record<BatchAction, BatchWords>> = {
	delete: {
		doing: 'deleting', done: 'deleted', screen: 'abilities', undoAdvice: () => '',
	},
	install: {
		doing: 'installing', done: 'installed', screen: 'abilities', undoAdvice: keymap => ` ${keyName(keymap, 'uninstall')} on the Installed screen uninstalls.`,
	},
	uninstall: {
		doing: 'uninstalling', done: 'uninstalled', screen: 'installed', undoAdvice: () => ' Installing again restores neither the state nor the agents.',
	},
};

type BatchMessages<Item> = {
	/** Reports one outcome. A row that is done loses its mark; a failed one keeps it. */
	onEach(outcome: BatchOutcome<Item>): void;
	/** Sums up the outcomes of several. */
	end(): void;
};

type BatchMessagesOptions = {
	readonly ui: UiServices;
	readonly history: Pick<UndoHistory, 'begin'>;
	readonly action: BatchAction;
};

/** A message has no room for several names. */
const subjectOf = (items: readonly BatchItem[]): string => items.length === 1 ? items[0]!.name : `${items.length} abilities`;

const wasDone = (items: readonly BatchItem[], action: BatchAction): string => `${subjectOf(items)} ${items.length === 1 ? 'was' : 'were'} ${wordsOf[action].done}`;

/** Reports that the same action is still under way. */
export const sayUnderWay = ({say}: Pick<UiServices, 'say'>, action: BatchAction, items: readonly BatchItem[]): void => {
	say('info', `Still ${wordsOf[action].doing} ${subjectOf(items)}.`);
};

/** What a person can do about a failure; the error may already name the key. */
const nextStepOf = ({nextStep, kind}: SwitchboardError, {ui: {keymap}, action}: BatchMessagesOptions): string => {
	if (nextStep === undefined && kind === 'not-found') {
		// There is nothing left to retry.
		return '';
	}

	const isTransient = kind === 'server-error' || kind === 'timeout';
	return nextStep === undefined || isTransient ? `${keyName(keymap, action)} tries again.` : nextStep;
};

const failureText = ({name}: BatchItem, error: SwitchboardError, options: BatchMessagesOptions): string => {
	const {message, isOutcomeUnknown} = error;
	const what = isOutcomeUnknown ? `It is not known whether ${name} is ${wordsOf[options.action].done}` : `Could not ${options.action} ${name}`;
	return `${what}: ${message} ${nextStepOf(error, options)}`.trim();
};

/** Reports a write to one or several abilities: its start, because a slow service answers late, then each outcome. */
export const createBatchMessages = <Item extends BatchItem>(items: readonly Item[], options: BatchMessagesOptions): BatchMessages<Item> => {
	const {ui, history, action} = options;
	const {doing, done, screen, undoAdvice} = wordsOf[action];
	const outcomes: Array<BatchOutcome<Item>> = [];
	const doneItems = (): readonly Item[] => outcomes.filter(({error}) => error === undefined).map(({item}) => item);
	const endEntry = history.begin(`Still ${doing} ${subjectOf(items)}.`);
	ui.say('info', `${doing[0]!.toUpperCase()}${doing.slice(1)} ${subjectOf(items)}…`);

	const endHistory = (): void => {
		const all = doneItems();
		const unknown = outcomes.filter(({error}) => error?.isOutcomeUnknown).map(({item}) => item);
		if (all.length > 0) {
			endEntry({refusal: `Cannot undo: ${wasDone(all, action)}.${undoAdvice(ui.keymap)}`});
		} else {
			endEntry(unknown.length === 0 ? undefined : {refusal: `Cannot undo: it is not known whether ${wasDone(unknown, action)}.`});
		}
	};

	const unmark = (id: number): void => {
		const {marks} = ui.store.getState().views[screen];
		if (marks.has(id)) {
			ui.store.dispatch({type: 'change-view', screen, change: {marks: marks.difference(new Set([id]))}});
		}
	};

	return {
		onEach(outcome) {
			const {item, error} = outcome;
			outcomes.push(outcome);
			if (outcomes.length === items.length) {
				endHistory();
			}

			const counted = items.length === 1 ? '' : ` (${outcomes.length} of ${items.length})`;
			if (error === undefined) {
				unmark(item.id);
				ui.say('info', `${item.name} is ${done}${counted}.`);
			} else {
				ui.say('error', `${failureText(item, error, options)}${counted}`, error);
			}
		},
		end() {
			const {length: doneCount} = doneItems();
			if (items.length === 1) {
				return;
			}

			if (doneCount === items.length) {
				ui.say('info', `All ${doneCount} abilities are ${done}.`);
			} else {
				ui.say('error', `${doneCount} of ${items.length} abilities ${done}; the rest stay marked. ${keyName(ui.keymap, action)} tries again, ${keyName(ui.keymap, 'messages')} shows why.`);
			}
		},
	};
};
