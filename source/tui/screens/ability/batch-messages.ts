import {type SwitchboardError} from '../../../interface/errors.ts';
import {type UiServices} from '../../app-context.ts';
import {type Outcome} from '../../hooks/each.ts';
import {type UndoHistory} from '../../hooks/undo-history.ts';
import {keyName} from '../../keys/hints.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {type ScreenName} from '../../state/view.ts';

export type BatchMessagesOptions = {
	readonly ui: UiServices;
	readonly history: Pick<UndoHistory, 'begin'>;
	/** Whose marks these are. */
	readonly screen: ScreenName;
	readonly count: number;
	/** Such as “deleted”. */
	readonly done: string;
	/** What tries again. */
	readonly action: ActionName;
	/** Why the key for undo does not take it back, as what follows “lamplighter was deleted” or “3 abilities were deleted”. */
	readonly whyFinal: string;
};

export type BatchMessages<Item> = {
	/** Says that it is under way: a slow service answers long after the key. */
	begin(items: readonly Item[]): void;
	/** Says what became of one; what is done loses its mark, what failed keeps it. */
	onEach(outcome: Outcome<Item>): void;
	/** Says what became of all, where they are several. */
	end(): void;
};

type Named = {readonly name: string};

const subjectOf = ([first, ...others]: readonly Named[]): string => others.length === 0 ? `${first!.name} is` : `${others.length + 1} are`;

/** Says that what was asked for is under way already. */
export const sayUnderWay = ({say}: Pick<UiServices, 'say'>, items: readonly Named[], done: string): void => {
	say('info', `${subjectOf(items)} still being ${done}.`);
};

/** Why something did not come about. */
const failureText = (name: string, done: string, {message, isOutcomeUnknown}: SwitchboardError): string =>
	`${isOutcomeUnknown ? `It is not known whether ${name} is ${done}` : `${name} is not ${done}`}: ${message}`;

/** What can be done about it, once: the error may say in words what the key does. */
const nextStepOf = (error: SwitchboardError, {ui: {keymap}, action}: BatchMessagesOptions): string => {
	const {nextStep} = error;
	if (nextStep === undefined && error.kind === 'not-found') {
		// It is there no more: nothing is left to try again.
		return '';
	}

	const isPassing = error.kind === 'server-error' || error.kind === 'timeout';
	return nextStep === undefined || isPassing ? `${keyName(keymap, action)} tries again.` : nextStep;
};

/** Tells of a write to one or several, as each is answered. */
/** Several are counted: a message has no room for more. */
const countText = (names: readonly string[]): string => names.length === 1 ? names[0]! : `${names.length} abilities`;

const wasDone = (names: readonly string[], done: string): string => `${countText(names)} ${names.length === 1 ? 'was' : 'were'} ${done}`;

export const createBatchMessages = <Item extends {readonly id: number; readonly name: string}>(options: BatchMessagesOptions): BatchMessages<Item> => {
	const {ui, screen, count, done, action} = options;
	let doneNames: readonly string[] = [];
	let unknownNames: readonly string[] = [];
	let failedCount = 0;
	let endDeed: ReturnType<UndoHistory['begin']> | undefined;

	/** What was done, or perhaps was, is what the key for undo finds. */
	const record = (): void => {
		if (doneNames.length > 0) {
			endDeed?.({refusal: `${wasDone(doneNames, done)}${options.whyFinal}`});
		} else {
			endDeed?.(unknownNames.length === 0 ? undefined : {refusal: `It is not known whether ${wasDone(unknownNames, done)}, so that cannot be undone.`});
		}
	};

	const unmark = (id: number): void => {
		const {marks} = ui.store.getState().views[screen];
		if (marks.has(id)) {
			ui.store.dispatch({type: 'change-view', screen, change: {marks: new Set([...marks].filter(each => each !== id))}});
		}
	};

	return {
		begin(items) {
			endDeed = options.history.begin(`Still being ${done}: ${countText(items.map(({name}) => name))}.`);
			ui.say('info', `${subjectOf(items)} being ${done}…`);
		},
		onEach({item, error}) {
			if (error === undefined) {
				doneNames = [...doneNames, item.name];
				unmark(item.id);
			} else {
				failedCount++;
				unknownNames = error.isOutcomeUnknown ? [...unknownNames, item.name] : unknownNames;
			}

			if (doneNames.length + failedCount === count) {
				record();
			}

			const counted = count === 1 ? '' : ` (${doneNames.length + failedCount} of ${count})`;
			if (error === undefined) {
				ui.say('info', `${item.name} is ${done}${counted}.`);
			} else {
				ui.say('error', `${[failureText(item.name, done, error), nextStepOf(error, options)].filter(Boolean).join(' ')}${counted}`, error);
			}
		},
		end() {
			if (count === 1) {
				return;
			}

			if (failedCount === 0) {
				ui.say('info', `All ${count} are ${done}.`);
			} else {
				const summary = `${doneNames.length} of ${count} ${doneNames.length === 1 ? 'is' : 'are'} ${done}; what failed stays marked.`;
				ui.say('error', `${summary} ${keyName(ui.keymap, action)} tries again, ${keyName(ui.keymap, 'messages')} shows why.`);
			}
		},
	};
};
