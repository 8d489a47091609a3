import {type SwitchboardError} from '../../../interface/errors.ts';
import {type Program} from '../../app-context.ts';
import {type Outcome} from '../../hooks/each.ts';
import {keyName} from '../../keys/hints.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {type ScreenName} from '../../state/app-state.ts';
import {nextStepHere} from '../next-step.ts';

export type ReportOptions = {
	readonly program: Program;
	/** Whose marks these are. */
	readonly screen: ScreenName;
	readonly count: number;
	/** Such as “deleted”. */
	readonly done: string;
	/** What tries again. */
	readonly action: ActionName;
};

export type Report<Item> = {
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
export const sayUnderWay = ({say}: Pick<Program, 'say'>, items: readonly Named[], done: string): void => {
	say('info', `${subjectOf(items)} still being ${done}.`);
};

/** Why something did not come about. */
const failureText = (name: string, done: string, {message, isOutcomeUnknown}: SwitchboardError): string =>
	`${isOutcomeUnknown ? `It is not known whether ${name} is ${done}` : `${name} is not ${done}`}: ${message}`;

/** What can be done about it, once: the error may say in words what the key does. */
const nextStepOf = (error: SwitchboardError, {program: {keymap}, action}: ReportOptions): string => {
	const nextStep = nextStepHere(error, keymap);
	if (nextStep === undefined && error.kind === 'not-found') {
		// It is there no more: nothing is left to try again.
		return '';
	}

	const isPassing = error.kind === 'server-error' || error.kind === 'timeout';
	return nextStep === undefined || isPassing ? `${keyName(keymap, action)} tries again.` : nextStep;
};

/** Tells of a write to one or several, as each is answered. */
export const createReport = <Item extends {readonly id: number; readonly name: string}>(options: ReportOptions): Report<Item> => {
	const {program, screen, count, done, action} = options;
	let doneCount = 0;
	let failedCount = 0;

	const unmark = (id: number): void => {
		const {marks} = program.store.getState().views[screen];
		if (marks.has(id)) {
			program.store.dispatch({type: 'change-view', screen, change: {marks: new Set([...marks].filter(each => each !== id))}});
		}
	};

	return {
		begin(items) {
			program.say('info', `${subjectOf(items)} being ${done}…`);
		},
		onEach({item, error}) {
			if (error === undefined) {
				doneCount++;
				unmark(item.id);
			} else {
				failedCount++;
			}

			const counted = count === 1 ? '' : ` (${doneCount + failedCount} of ${count})`;
			if (error === undefined) {
				program.say('info', `${item.name} is ${done}${counted}.`);
			} else {
				program.say('error', `${[failureText(item.name, done, error), nextStepOf(error, options)].filter(Boolean).join(' ')}${counted}`);
			}
		},
		end() {
			if (count === 1) {
				return;
			}

			if (failedCount === 0) {
				program.say('info', `All ${count} are ${done}.`);
			} else {
				const summary = `${doneCount} of ${count} ${doneCount === 1 ? 'is' : 'are'} ${done}; what failed stays marked.`;
				program.say('error', `${summary} ${keyName(program.keymap, action)} tries again, ${keyName(program.keymap, 'messages')} shows why.`);
			}
		},
	};
};
