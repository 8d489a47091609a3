import {createContext, useContext, type ReactElement} from 'react';
import {Text} from 'ink';
import stringWidth from 'string-width';
import {type Hint} from '../state/hint.ts';
import {spokenKeys} from '../terminal/spoken-lines.ts';
import {theme} from '../theme.ts';

const separator = '  ';

/** Up to this width a key that is kept goes without its label where that leaves room for another one. */
const narrow = 40;

const textOf = ({key, label}: Hint): string => label === '' ? key : `${key} ${label}`;

const widthOf = (hints: readonly Hint[]): number => stringWidth(` ${hints.map(hint => textOf(hint)).join(separator)}`);

/** The hints that there is room for: the last ones go first, but for those that are kept. */
const dropLast = (hints: readonly Hint[], width: number): readonly Hint[] => {
	const last = hints.findLastIndex(({isKept = false}) => !isKept);
	return widthOf(hints) <= width || last === -1 ? hints : dropLast(hints.toSpliced(last, 1), width);
};

const fitHints = (hints: readonly Hint[], width: number): readonly Hint[] => {
	const labelled = dropLast(hints, width);
	const bare = dropLast(hints.map(hint => hint.isKept ? {...hint, label: ''} : hint), width);
	return width <= narrow && bare.length > labelled.length ? bare : labelled;
};

/** True where a question lies above: until it is answered none of these keys acts. */
export const AreHintsHiddenContext = createContext(false);

/** The keys that act now, on one line, as many as there is room for. */
export const HintLine = ({width, hints}: {readonly width: number; readonly hints: readonly Hint[]}): ReactElement => {
	if (useContext(AreHintsHiddenContext)) {
		return <Text aria-hidden> </Text>;
	}

	const shown = fitHints(hints, width);
	return (
		<Text wrap='truncate-end' aria-label={spokenKeys(...hints.map(hint => textOf(hint)))}>
			<Text> </Text>
			{shown.map((hint, index) => (
				<Text key={hint.key}>
					<Text {...theme.accent}>{hint.key}</Text>
					<Text {...theme.secondary}>{`${textOf(hint).slice(hint.key.length)}${index === shown.length - 1 ? '' : separator}`}</Text>
				</Text>
			))}
		</Text>
	);
};
