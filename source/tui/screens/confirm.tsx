import {type ReactElement, type ReactNode} from 'react';
import {Box, useIsScreenReaderEnabled} from 'ink';
import {useAppState, useUiServices} from '../app-context.ts';
import {layers, useKeys} from '../keys/use-keys.ts';
import {type Question} from '../state/overlays.ts';
import {layoutOf} from '../state/layout.ts';
import {AreHintsHiddenContext} from '../widgets/hint-line.tsx';
import {hasBox, QuestionBox, WholeQuestion} from '../widgets/question.tsx';

type ConfirmProps = {
	readonly asked: Question;
	readonly isInBox: boolean;
};

/** Takes the answer. Only `y` means Yes; every other key, Enter too, means No. */
const Confirm = ({asked, isInBox}: ConfirmProps): ReactElement => {
	const {store} = useUiServices();
	const state = useAppState();
	useKeys(layers.question, {
		onKey(key) {
			store.dispatch({type: 'close'});
			if (key.name === 'y' || key.name === 'Y') {
				asked.onYes();
			} else {
				asked.onNo?.();
			}

			return true;
		},
		onPaste: () => true,
	});
	return isInBox
		? <QuestionBox asked={asked} size={{columns: layoutOf(state).columns, rows: state.size.rows}}/>
		: <WholeQuestion asked={asked} size={state.size}/>;
};

type AskedProps = {
	/** `undefined` if nothing is asked. */
	readonly asked: Question | undefined;
	/** The screen below. It stays unchanged and gets no keys. */
	readonly children: ReactNode;
};

/** A screen with a question in a box above it; if there is no room for a box, or for a screen reader, the question replaces the screen. */
export const Asked = ({asked, children}: AskedProps): ReactElement => {
	const size = useAppState(state => state.size);
	const isScreenReader = useIsScreenReaderEnabled();
	const isInBox = asked !== undefined && !isScreenReader && hasBox(asked, size);
	return (
		<>
			<AreHintsHiddenContext value={asked !== undefined}>
				<Box flexDirection='column' display={asked === undefined || isInBox ? 'flex' : 'none'}>{children}</Box>
			</AreHintsHiddenContext>
			{asked === undefined ? null : <Confirm asked={asked} isInBox={isInBox}/>}
		</>
	);
};
