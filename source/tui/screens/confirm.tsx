import {type ReactElement, type ReactNode, useContext, useLayoutEffect, useState} from 'react';
import {Box, useIsScreenReaderEnabled} from 'ink';
import {type UiServices, useAppState, useUiServices} from '../app-context.ts';
import {DispatcherContext, layers, useKeys, useQuestion} from '../keys/dispatcher.ts';
import type {Overlay, Question} from '../state/app-state.ts';
import {layoutOf} from '../state/layout.ts';
import {AreHintsHiddenContext} from '../widgets/notice.tsx';
import {hasBox, helpsOf, QuestionBox, WholeQuestion, type Obstacle} from '../widgets/question.tsx';
import {editedLine} from '../state/text-editing.ts';

/**
Asks the person before an action.

@returns a function that replaces the question once more is known; it returns false if the question was answered already.
*/
export function askQuestion({store}: UiServices, question: Question): (question: Question) => boolean {
	const id = Symbol('question');
	store.dispatch({type: 'open', overlay: {kind: 'confirm', id, ...question}});
	return newest => {
		const top = store.getState().overlays.at(-1);
		if (top?.kind !== 'confirm' || top.id !== id) {
			return false;
		}

		store.dispatch({type: 'replace', overlay: {kind: 'confirm', id, ...newest}});
		return true;
	};
}

/**
The keys so far, and the reason why the question is still there: the key did not answer it, or a Yes came too early. `typed` is `undefined`
unless a word is expected.
*/
type Answer = {readonly obstacle?: Obstacle | undefined; readonly typed: string | undefined};

const noAnswer: Answer = {typed: undefined};

type Asking = Extract<Overlay, {readonly kind: 'confirm'}>;

type AskedProps = {
	readonly asked: Asking | undefined;
	/** The screen below. It stays unchanged and gets no keys. */
	readonly children: ReactNode;
};

/**
Draws a screen with a question in a box above it; if there is no room for a box, or for a screen reader, the question replaces the screen.
Only `y` means Yes, or the question's word and Enter. Any other Enter repeats the question, because some people expect it to mean Yes; every
other key means No, except keys that type a word. Pasted text does not answer, and a Yes counts only once the question could have been read:
before that, a note says to press the key again.
*/
export function Asked({asked: question, children}: AskedProps): ReactElement {
	const {store} = useUiServices();
	const size = useAppState(state => state.size);
	const columns = useAppState(state => layoutOf(state).columns);
	const isScreenReader = useIsScreenReaderEnabled();
	const [{obstacle, typed}, change, mayBeYes] = useAnswer(question);
	const word = question?.word;
	const asked = question && {...question, help: obstacle === undefined ? '' : helpsOf(word)[obstacle], typed};
	const isInBox = asked !== undefined && !isScreenReader && hasBox(asked, size);
	const finish = (isYes: boolean): void => {
		store.dispatch({type: 'close'});
		if (isYes) {
			question?.onYes();
		} else {
			question?.onNo?.();
		}
	};

	useKeys(
		layers.question,
		{
			onKey(key) {
				const isYes = word === undefined ? /^y$/i.test(key.name) : key.name === 'enter' && typed?.trim().toLowerCase() === word;
				if (isYes && !mayBeYes()) {
					change({obstacle: 'early'});
				} else if (isYes || key.name === 'escape' || (word === undefined && key.name !== 'enter')) {
					finish(isYes);
				} else if (word !== undefined && typed === undefined) {
					return 'settled';
				} else {
					change(
						key.name === 'enter'
							? {obstacle: word === undefined ? (obstacle ?? 'no-answer') : 'no-answer'}
							: {typed: editedLine(typed!, key) ?? typed},
					);
				}

				return true;
			},
			onPaste() {
				change({obstacle: word === undefined ? obstacle : 'no-answer'});
				return true;
			},
		},
		asked !== undefined,
	);
	return (
		<>
			<AreHintsHiddenContext value={asked !== undefined}>
				<Box flexDirection="column" display={asked === undefined || isInBox ? 'flex' : 'none'}>
					{children}
				</Box>
			</AreHintsHiddenContext>
			{asked &&
				(isInBox ? (
					<QuestionBox asked={asked} size={{columns, rows: size.rows}} />
				) : (
					<WholeQuestion asked={asked} size={size} isSpoken={isScreenReader} />
				))}
		</>
	);
}

/**
Returns the answer to a question, which stays when its text changes, a function that changes it, and a function that tells whether a key may
mean Yes.
*/
function useAnswer(asked: Asking | undefined): readonly [Answer, (change: Partial<Answer>) => void, () => boolean] {
	const dispatcher = useContext(DispatcherContext);
	const [{of, ...answer}, setAnswer] = useState<Answer & {readonly of?: unknown}>(noAnswer);
	const question = asked?.id ?? asked;
	const current = of === question ? answer : noAnswer;
	const change = (changes: Partial<Answer>): void => setAnswer({...current, ...changes, of: question});

	const mayBeYes = useQuestion(question);
	const hasWord = asked?.word !== undefined;
	useLayoutEffect(() => {
		if (!hasWord) {
			return;
		}

		const readWord = async (): Promise<void> => {
			await dispatcher?.whenReady;
			setAnswer({...noAnswer, typed: '', of: question});
		};

		// Keys that arrived with the key that asks were pressed before anybody could read the question.
		setImmediate(() => {
			void readWord();
		});
	}, [dispatcher, hasWord, question]);
	return [current, change, mayBeYes];
}
