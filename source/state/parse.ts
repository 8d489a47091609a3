import {Composer, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, Parser, type CST, type Document, type Node} from 'yaml';
import {cleanText} from '../interface/clean-text.ts';
import {formatCount} from '../interface/format-count.ts';
import type {JsonValue} from '../interface/json.ts';
import {takeTurn} from '../platform/turns.ts';
import {checkNames} from './field-problems.ts';
import type {Place, Problem} from './state.ts';

/** The parser needs ten seconds for a million commas. A file of 15,000 installed abilities has fewer tokens. */
const maximumTokens = 400_000;

/** About ten milliseconds' work of the lexer and the parser. */
const tokensInTurn = 2000;

/** The lexer puts this before the text of a scalar, which may itself begin with a `#`. */
const scalarMark = '\u{1F}';

/** The nodes of a file that are read: the work after the parser grows with them. */
export type NodeLimits = {
	/** Agents and abilities. */
	readonly names: number;
	/** Trigger phrases, abilities of agents, and anything else beyond the few fields of a record. */
	readonly parts: number;
};

const usualLimits: NodeLimits = {names: 20_000, parts: Infinity};

/** A text within these limits is read without checking the limits of its kind. */
const smallLimits: NodeLimits = {names: 500, parts: 500};

/** The fields of a file and of a record, which are not counted. */
const fieldCount = 4;

const start: Place = {line: 1, column: 1};

const tooDeepProblem = 'This is nested too deeply to be read.';

/** A value of the file, as messages name it and find it. */
export type Placed = {readonly what: string; readonly value: JsonValue; readonly place: Place; readonly keyPlace: Place};

export type Parsed = {
	/** The values by their JSON Pointers. Empty if the text is empty or cannot be parsed. */
	readonly values: ReadonlyMap<string, Placed>;
	readonly problems: readonly Problem[];
	/** Problems with the keys of mappings. */
	readonly nameProblems: readonly Problem[];
	readonly hasComments: boolean;
};

/** Returns a JSON Pointer to an entry of the value at another pointer. */
export function pointerTo(outer: string, key: string): string {
	return `${outer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function quoted(text: string): string {
	return `“${cleanText(text, 80)}”`;
}

/**
Parses YAML 1.2, which includes JSON. Anchors, aliases, tags and merge keys are problems: they could hide something in a file that people
review.

@param readLimits - called for a text that is not small.
*/
export async function parseText(text: string, readLimits: () => Promise<NodeLimits> = async () => usualLimits): Promise<Parsed> {
	const lineCounter = new LineCounter();
	const {tokens, hasComments, problem} = await readTokens(text, readLimits, lineCounter);
	const values = new Map<string, Placed>();
	const nameProblems: Problem[] = [];
	if (problem !== undefined) {
		return {values, problems: [{place: start, message: problem}], nameProblems, hasComments};
	}

	// The parser compares each key with all earlier keys.
	const documents: Iterable<Document> = new Composer({uniqueKeys: false, logLevel: 'error'}).compose(tokens, true, text.length);
	const [document, second] = documents;
	const problems: Problem[] = [];
	const placeAt = (offset: number): Place => {
		const {line, col} = lineCounter.linePos(offset);
		return {line: Math.max(1, line), column: Math.max(1, col)};
	};

	const placeOf = (node: Node | null, outer: Place): Place => (node?.range ? placeAt(node.range[0]) : outer);

	const checkNode = (node: Node | null, place: Place): void => {
		const report = (message: string): number => problems.push({place, message});
		if (isAlias(node)) {
			report(`Aliases are not supported: write out what “*${cleanText(node.source, 60)}” means.`);
		} else if (node?.anchor !== undefined) {
			report(`Anchors are not supported: remove “&${cleanText(node.anchor, 60)}”.`);
		}

		if (node?.tag !== undefined) {
			report(`Tags are not supported: remove “${cleanText(node.tag, 60).replace('tag:yaml.org,2002:', '!!')}”.`);
		}
	};

	const readName = (key: Node | null, place: Place): string => {
		checkNode(key, place);
		if (!isScalar(key) || key.value === null) {
			problems.push({place, message: 'A name must be text: put it in quotes.'});
			return '';
		}

		if (key.value === '<<' && key.type === 'PLAIN') {
			problems.push({place, message: 'Merge keys are not supported: write the fields out.'});
		}

		// A number or a boolean as it is written: 1.0 is not 1.
		return typeof key.value === 'string' ? key.value : key.source!;
	};

	const read = (node: Node | null, pointer: string, what: string, keyPlace: Place): JsonValue => {
		const place = placeOf(node, keyPlace);
		checkNode(node, place);
		let value: JsonValue = null;
		if (isMap<Node | null, Node | null>(node)) {
			const named = node.items.map(pair => {
				const place_ = placeOf(pair.key, place);
				return {name: readName(pair.key, place_), place: place_, node: pair.value};
			});
			nameProblems.push(...checkNames(named));
			// Each name counts once, also to its place.
			const entries = [...Map.groupBy(named, ({name}) => name).values()].map(([first]) => first!);
			value = Object.fromEntries(
				entries.map(entry => [entry.name, read(entry.node, pointerTo(pointer, entry.name), quoted(entry.name), entry.place)]),
			);
		} else if (isSeq<Node | null>(node)) {
			value = node.items.map((item, index) => read(item, pointerTo(pointer, String(index)), `An entry of ${what}`, place));
		} else if (isScalar(node)) {
			value = node.value as JsonValue;
		}

		values.set(pointer, {what, value, place, keyPlace});
		return value;
	};

	// In YAML 1.1, “yes” and a name such as “on” are booleans.
	if (document!.directives?.yaml.explicit === true && document!.directives.yaml.version !== '1.2') {
		problems.push({place: start, message: `A state file is YAML 1.2: remove “%YAML ${document!.directives.yaml.version}”.`});
	}

	const errors = [
		...document!.errors,
		...(second === undefined ? [] : [{code: 'MULTIPLE_DOCS', message: '', pos: [second.range?.[0] ?? 0] as const}]),
	];
	const {contents} = document!;
	if (errors.length > 0) {
		// A bracket that is open at the end is reported again for everything around it.
		const firstAt = new Map(errors.toReversed().map(error => [error.pos[0], error]));
		problems.splice(
			0,
			Infinity,
			...[...firstAt.values()].map(({code, message, pos}) => ({place: placeAt(pos[0]), message: syntaxMessage(code, message)})),
		);
	} else if (contents !== null && !(isScalar(contents) && contents.value === null)) {
		read(contents, '', 'The file', start);
	}

	return {values, problems, nameProblems, hasComments};
}

/** Splits a text into the tokens of its documents, or stops with a problem if there are too many. Yields to other work. */
async function readTokens(text: string, readLimits: () => Promise<NodeLimits>, lineCounter: LineCounter) {
	const parser = new Parser(offset => {
		lineCounter.addNewLine(offset);
	});
	const tokens: CST.Token[] = [];
	let limits = smallLimits;
	let [count, signCount, hasComments, previous] = [0, 0, false, ''];
	lineCounter.addNewLine(0);
	for (const lexeme of new Lexer().lex(text)) {
		count++;
		const isComment = lexeme.startsWith('#') && previous !== scalarMark;
		hasComments ||= isComment;
		signCount += isComment || (previous !== scalarMark && lexeme.trim() === '') ? 0 : 1;
		previous = lexeme;
		if (signCount > signsAllowed(limits) && limits === smallLimits) {
			limits = await readLimits();
		}

		if (count > maximumTokens || signCount > signsAllowed(limits)) {
			return {tokens, hasComments, problem: tooMuch(Math.min(maximumTokens, signsAllowed(limits)), 'words and signs')};
		}

		if (count % tokensInTurn === 0) {
			await takeTurn();
		}

		tokens.push(...parser.next(lexeme));
	}

	tokens.push(...parser.end());
	const {names, parts} = countNodes(tokens);
	if (limits === smallLimits && (names > limits.names || parts > limits.parts)) {
		limits = await readLimits();
	}

	const problem =
		names > limits.names
			? tooMuch(limits.names, 'agents and abilities')
			: parts > limits.parts
				? tooMuch(limits.parts, 'trigger phrases and abilities of agents')
				: undefined;
	return {tokens, hasComments, problem};
}

/** A name with its few fields has 30 words and signs at most, a part 6. */
const signsAllowed = ({names, parts}: NodeLimits): number => 30 * names + 6 * parts;

const tooMuch = (count: number, what: string): string => `The file is too large: it may have ${formatCount(count)} ${what}.`;

function countNodes(tokens: readonly CST.Token[]): NodeLimits {
	let [names, parts] = [0, 0];
	const waiting: Array<readonly [token: CST.Token | null | undefined, depth: number]> = tokens.map(token => [
		token.type === 'document' ? token.value : undefined,
		0,
	]);
	// A loop, because deep nesting would overflow the stack.
	for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
		const [token, depth] = next;
		if (token?.type !== 'block-map' && token?.type !== 'block-seq' && token?.type !== 'flow-collection') {
			continue;
		}

		const {length} = token.items;
		names += depth === 1 ? length : 0;
		parts += depth === 1 ? 0 : Math.max(0, length - (depth < 3 ? fieldCount : 0));
		for (const {key, value} of token.items) {
			waiting.push([key, depth + 1], [value, depth + 1]);
		}
	}

	return {names, parts};
}

/** Returns the parser's message as a sentence: the parser's messages are fragments in the words of the YAML specification. */
function syntaxMessage(code: string, message: string): string {
	if (code === 'MULTIPLE_DOCS') {
		return 'A second document begins here: a state file is one.';
	}

	return code === 'RESOURCE_EXHAUSTION' ? tooDeepProblem : `This is not YAML: ${cleanText(message).replace(/\.$/, '')}.`;
}
