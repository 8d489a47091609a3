import {type Program} from '../../app-context.ts';
import {type Outcome} from '../../hooks/each.ts';
import {keyName} from '../../keys/hints.ts';
import {type ActionName} from '../../keys/key-table.ts';
import {type ScreenName} from '../../state/app-state.ts';

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
	/** Says what became of one; what is done loses its mark, what failed keeps it. */
	onEach(outcome: Outcome<Item>): void;
	/** Says what became of all, where they are several. */
	end(): void;
};

/** Why something did not come about, with what can be done. */
export const failureText = (name: string, done: string, {error}: Outcome<unknown>): string => {
	const {message, nextStep = '', isOutcomeUnknown} = error!;
	return `${isOutcomeUnknown ? `It is not known whether ${name} is ${done}` : `${name} is not ${done}`}: ${message} ${nextStep}`.trim();
};

/** Tells of a write to one or several, as each is answered. */
export const createReport = <Item extends {readonly id: number; readonly name: string}>({program, screen, count, done, action}: ReportOptions): Report<Item> => {
	let doneCount = 0;
	let failedCount = 0;

	const unmark = (id: number): void => {
		const {marks} = program.store.getState().views[screen];
		if (marks.has(id)) {
			program.store.dispatch({type: 'change-view', screen, change: {marks: new Set([...marks].filter(each => each !== id))}});
		}
	};

	return {
		onEach(outcome) {
			const {item, error} = outcome;
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
				program.say('error', `${failureText(item.name, done, outcome)}${counted}${count === 1 ? ` ${keyName(program.keymap, action)} tries again.` : ''}`);
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
