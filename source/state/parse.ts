import {
	isAlias,
	isMap,
	isScalar,
	isSeq,
	Lexer,
	LineCounter,
	parseDocument,
	type Node,
	type Pair,
} from 'yaml';
import {cleanText} from '../interface/clean-text.ts';
import {formatCount} from '../interface/format-count.ts';
import type {
	Place,
	PlacedEntry,
	PlacedValue,
	Problem,
} from './state.ts';

/** The parser needs ten seconds for a million commas. A file of 15,000 installed abilities has fewer tokens. */
const maximumTokens = 400_000;

/** The lexer puts this before the text of a scalar, which may begin with a `#` of its own. */
const scalarMark = '\u{1F}';

/** Looks through the text before it is parsed; stops where there is too much of it. */
const scanText = (text: string): {readonly isTooMuch: boolean; readonly hasComments: boolean} => {
	let [count, hasComments, previous] = [0, false, ''];
	for (const token of new Lexer().lex(text)) {
		count++;
		if (count > maximumTokens) {
			return {isTooMuch: true, hasComments};
		}

		hasComments ||= token.startsWith('#') && previous !== scalarMark;
		previous = token;
	}

	return {isTooMuch: false, hasComments};
};

const start: Place = {line: 1, column: 1};

const tooMuchProblem = `The file is too large: it may have ${formatCount(maximumTokens)} words and signs.`;

const tooDeepProblem = 'This is nested too deeply to be read.';

/** The messages of the parser are half sentences, in the words of the YAML specification. */
const syntaxMessage = (code: string, message: string): string => {
	if (code === 'MULTIPLE_DOCS') {
		return 'A second document begins here: a state file is one.';
	}

	return code === 'RESOURCE_EXHAUSTION' ? tooDeepProblem : `This is not YAML: ${cleanText(message).replace(/\.$/, '')}.`;
};

type Parsed = {
	/** `undefined` if the text is empty or cannot be parsed. */
	readonly root: PlacedValue | undefined;
	readonly problems: readonly Problem[];
	readonly hasComments: boolean;
};

/**
Parses YAML 1.2, which includes JSON. Anchors, aliases, tags and merge keys are problems: they could hide something in a file that people
review.
*/
export const parseText = (text: string): Parsed => {
	const {isTooMuch, hasComments} = scanText(text);
	if (isTooMuch) {
		return {root: undefined, problems: [{place: start, message: tooMuchProblem}], hasComments};
	}

	const lineCounter = new LineCounter();
	// The parser compares each key with all keys before it.
	const document = parseDocument<Node>(text, {
		lineCounter, prettyErrors: false, uniqueKeys: false, logLevel: 'error',
	});
	const problems: Problem[] = [];
	const placeAt = (offset: number): Place => {
		const {line, col} = lineCounter.linePos(offset);
		return {line: Math.max(1, line), column: Math.max(1, col)};
	};

	const placeOf = (node: Node): Place => placeAt(node.range?.[0] ?? 0);

	const checkNode = (node: Node): void => {
		if (isAlias(node)) {
			problems.push({place: placeOf(node), message: `Aliases are not supported: write out what “*${cleanText(node.source, 60)}” stands for.`});
		} else if (node.anchor !== undefined) {
			problems.push({place: placeOf(node), message: `Anchors are not supported: remove “&${cleanText(node.anchor, 60)}”.`});
		}

		if (node.tag !== undefined) {
			problems.push({place: placeOf(node), message: `Tags are not supported: remove “${cleanText(node.tag, 60).replace('tag:yaml.org,2002:', '!!')}”.`});
		}
	};

	const keyOf = (node: Node | null): string | undefined => {
		if (!isScalar(node) || node.value === null) {
			return undefined;
		}

		// A number or a boolean as it is written: 1.0 is not 1.
		return typeof node.value === 'string' ? node.value : node.source;
	};

	const toEntry = ({key, value}: Pair<Node | null, Node | null>, outer: Place): PlacedEntry | undefined => {
		if (key !== null) {
			checkNode(key);
		}

		const keyPlace = key === null ? outer : placeOf(key);
		const name = keyOf(key);
		if (name === undefined) {
			problems.push({place: keyPlace, message: 'A name must be text: put it in quotes.'});
			return undefined;
		}

		if (name === '<<' && isScalar(key) && key.type === 'PLAIN') {
			problems.push({place: keyPlace, message: 'Merge keys are not supported: write the fields out.'});
		}

		return {key: name, keyPlace, value: toPlaced(value, keyPlace)};
	};

	const toPlaced = (node: Node | null, outer: Place): PlacedValue => {
		if (node === null) {
			return {kind: 'scalar', place: outer, value: null};
		}

		checkNode(node);
		const place = placeOf(node);
		if (isAlias(node)) {
			return {kind: 'unread', place};
		}

		if (isMap<Node | null, Node | null>(node)) {
			return {kind: 'mapping', place, entries: node.items.map(pair => toEntry(pair, place)).filter(entry => entry !== undefined)};
		}

		if (isSeq<Node | null>(node)) {
			return {kind: 'list', place, items: node.items.map(item => toPlaced(item, place))};
		}

		const value = isScalar(node) ? node.value : null;
		return {kind: 'scalar', place, value: typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null};
	};

	// In YAML 1.1, “yes” and a name such as “on” are booleans.
	if (document.directives?.yaml.explicit === true && document.directives.yaml.version !== '1.2') {
		problems.push({place: start, message: `A state file is YAML 1.2: remove “%YAML ${document.directives.yaml.version}”.`});
	}

	if (document.errors.length > 0) {
		// A bracket that is open at the end is reported again for everything around it.
		const firstAt = new Map(document.errors.toReversed().map(error => [error.pos[0], error]));
		return {
			root: undefined,
			problems: [...firstAt.values()].map(({code, message, pos}) => ({place: placeAt(pos[0]), message: syntaxMessage(code, message)})),
			hasComments,
		};
	}

	const isEmpty = document.contents === null || (isScalar(document.contents) && document.contents.value === null);
	return {root: isEmpty ? undefined : toPlaced(document.contents, start), problems, hasComments};
};
