import {type ReactElement, type ReactNode, useState} from 'react';
import {Box, useIsScreenReaderEnabled} from 'ink';
import {type UiServices, useAppState, useUiServices} from '../app-context.ts';
import {layers, useKeys} from '../keys/dispatcher.ts';
import type {Overlay, Question} from '../state/app-state.ts';
import {layoutOf} from '../state/layout.ts';
import {AreHintsHiddenContext} from '../widgets/notice.tsx';
import {hasBox, QuestionBox, WholeQuestion} from '../widgets/question.tsx';

/**
Asks the person before something is done.

@returns a function that replaces the question once more is known; it returns false after the question was answered.
*/
export const ask = ({store}: UiServices, question: Question): ((question: Question) => boolean) => {
	let overlay: Overlay = {kind: 'confirm', ...question};
	store.dispatch({type: 'open', overlay});
	return newest => {
		if (store.getState().overlays.at(-1) !== overlay) {
			return false;
		}

		overlay = {kind: 'confirm', ...newest};
		store.dispatch({type: 'replace', overlay});
		return true;
	};
};

type AskedProps = {
	readonly asked: Question | undefined;
	/** The screen below. It stays unchanged and gets no keys. */
	readonly children: ReactNode;
};

/**
A screen with a question in a box above it; if there is no room for a box, or for a screen reader, the question replaces the
screen. Only `y` means Yes. Enter repeats the question, since some expect it to mean Yes; every other key means No.
*/
export const Asked = ({asked: question, children}: AskedProps): ReactElement => {
	const {store} = useUiServices();
	const size = useAppState(state => state.size);
	const columns = useAppState(state => layoutOf(state).columns);
	const isScreenReader = useIsScreenReaderEnabled();
	const [repeated, setRepeated] = useState<Question>();
	const asked = question !== undefined && question === repeated ? {...question, question: `${question.question} Press y or n.`} : question;
	const isInBox = asked !== undefined && !isScreenReader && hasBox(asked, size);
	useKeys(layers.question, {
		onKey(key) {
			if (key.name === 'enter') {
				setRepeated(question);
				return true;
			}

			store.dispatch({type: 'close'});
			if (key.name === 'y' || key.name === 'Y') {
				asked?.onYes();
			} else {
				asked?.onNo?.();
			}

			return true;
		},
		onPaste: () => true,
	}, asked !== undefined);
	return (
		<>
			<AreHintsHiddenContext value={asked !== undefined}>
				<Box flexDirection='column' display={asked === undefined || isInBox ? 'flex' : 'none'}>{children}</Box>
			</AreHintsHiddenContext>
			{asked && (isInBox ? <QuestionBox asked={asked} size={{columns, rows: size.rows}}/> : <WholeQuestion asked={asked} size={size}/>)}
		</>
	);
};
