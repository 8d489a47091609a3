import {createContext, useContext, type ReactElement} from 'react';
import {Text} from 'ink';
import stringWidth from 'string-width';
import {spokenKeys} from '../terminal/spoken-lines.ts';
import {theme} from '../theme.ts';

export type Hint = {readonly key: string; readonly label: string};

/** True where a question lies above: until it is answered none of these keys acts. */
export const AreHintsHiddenContext = createContext(false);

/** The keys that act now, on one line; the last ones are dropped where it is narrow. */
export const HintLine = ({width, hints}: {readonly width: number; readonly hints: readonly Hint[]}): ReactElement => {
	if (useContext(AreHintsHiddenContext)) {
		return <Text aria-hidden> </Text>;
	}

	const shown: Hint[] = [];
	let used = 1;
	for (const hint of hints) {
		const next = used + stringWidth(hint.key) + stringWidth(hint.label) + 3;
		if (next > width + 1) {
			break;
		}

		shown.push(hint);
		used = next;
	}

	return (
		<Text wrap='truncate-end' aria-label={spokenKeys(...hints.map(({key, label}) => `${key} ${label}`))}>
			<Text> </Text>
			{shown.map((hint, index) => (
				<Text key={hint.key}>
					<Text {...theme.accent}>{hint.key}</Text>
					<Text {...theme.secondary}>{` ${hint.label}${index === shown.length - 1 ? '' : '  '}`}</Text>
				</Text>
			))}
		</Text>
	);
};
