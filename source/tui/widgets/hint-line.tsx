import {createContext, useContext, type ReactElement} from 'react';
import {Text} from 'ink';
import stringWidth from 'string-width';
import {type Hint} from '../state/hint.ts';
import {spokenKeys} from '../terminal/spoken-text.ts';
import {theme} from '../theme.ts';
import {StyledLine} from './lines.tsx';
import {type Part} from './styled-text.ts';

const separator = '  ';

/** Up to this width a kept key loses its label if that makes room for another hint. */
const narrow = 40;

const textOf = ({key, label}: Hint): string => label === '' ? key : `${key} ${label}`;

const widthOf = (hints: readonly Hint[]): number => stringWidth(` ${hints.map(hint => textOf(hint)).join(separator)}`);

/** The hints that fit: the last ones are dropped first, except kept ones. */
const dropLast = (hints: readonly Hint[], width: number): readonly Hint[] => {
	const last = hints.findLastIndex(({isKept = false}) => !isKept);
	return widthOf(hints) <= width || last === -1 ? hints : dropLast(hints.toSpliced(last, 1), width);
};

const fitHints = (hints: readonly Hint[], width: number): readonly Hint[] => {
	const labelled = dropLast(hints, width);
	const bare = dropLast(hints.map(hint => hint.isKept ? {...hint, label: ''} : hint), width);
	return width <= narrow && bare.length > labelled.length ? bare : labelled;
};

/** True while a question is asked: none of these keys works then. */
export const AreHintsHiddenContext = createContext(false);

/** The keys that work now, as many as fit on one line. */
export const HintLine = ({width, hints}: {readonly width: number; readonly hints: readonly Hint[]}): ReactElement => {
	if (useContext(AreHintsHiddenContext)) {
		return <Text aria-hidden> </Text>;
	}

	const shown = fitHints(hints, width);
	return (
		<StyledLine
			label={spokenKeys(...hints.map(hint => textOf(hint)))}
			parts={[[' '], ...shown.flatMap((hint, index): readonly Part[] => [
				[hint.key, theme.accent],
				[`${textOf(hint).slice(hint.key.length)}${index === shown.length - 1 ? '' : separator}`, theme.secondary],
			])]}
		/>
	);
};
