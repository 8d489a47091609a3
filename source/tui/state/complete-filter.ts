import {categories, categoryLabel, categoryWords} from '../../interface/categories.ts';
import {graphemes} from '../widgets/wrap.ts';
import {agentFilter, filterTerms} from './agent-term.ts';
import {maximumLineLength} from './edit-line.ts';
import {stateNames} from './filter.ts';
import {fold} from './match.ts';

/** The end of a line that is completed. */
type Completable = {
	/** The values that exist, as the list would write them. */
	readonly values: readonly string[];
	/** What is typed of a value. */
	readonly typed: string;
	/** Writes a value, or the beginning of several, in place of what is typed. */
	write(value: string, isWhole: boolean): string;
};

const termNames: readonly string[] = ['is:', 'category:', 'agent:'];

const categoryNames = categories.map(category => categoryLabel(category));

const agentValues = (typed: string, names: readonly string[]): Completable => {
	const isQuoted = typed.startsWith('"');
	return {
		values: [...new Set(names)],
		typed: isQuoted ? typed.slice(1).replace(/(?<=(?:^|[^"])(?:"")*)"$/u, '').replaceAll('""', '"') : typed,
		write(value, isWhole) {
			if (isWhole) {
				return agentFilter(value, names);
			}

			return isQuoted || /[\s"]/u.test(value) ? `agent:"${value.replaceAll('"', '""')}` : `agent:${value}`;
		},
	};
};

const completableOf = (term: string, agentNames: readonly string[]): Completable => {
	const {field, typed = ''} = /^(?<field>is|category|agent):(?<typed>.*)$/isu.exec(term)?.groups ?? {};
	switch (field?.toLowerCase()) {
		case 'agent': {
			return agentValues(typed, agentNames);
		}

		case 'category': {
			const hasLabel = categoryNames.some(name => name.startsWith(fold(typed)));
			return {values: hasLabel ? categoryNames : categoryWords, typed, write: value => `category:${value}`};
		}

		case 'is': {
			return {values: stateNames, typed, write: value => `is:${value}`};
		}

		default: {
			return {values: termNames, typed: term, write: value => value};
		}
	}
};

const charactersOf = (text: string): readonly string[] => [...graphemes.segment(text)].map(({segment}) => segment);

/** What all values begin with, in any case; written as in the first one. */
const commonBeginning = ([first, ...others]: readonly [string, ...string[]]): string => {
	const rest = others.map(other => charactersOf(other));
	const characters = charactersOf(first);
	const end = characters.findIndex((character, index) => rest.some(other => fold(other[index] ?? '') !== fold(character)));
	return characters.slice(0, end === -1 ? characters.length : end).join('');
};

type Completion = {
	/** The line with as much as all candidates have in common. */
	readonly common: string;
	/** The line with each candidate. */
	readonly lines: readonly string[];
};

/** What the term at the end of a line can become; `undefined` if nothing fits. */
const completionOf = (line: string, agentNames: readonly string[]): Completion | undefined => {
	const last = filterTerms(line).at(-1) ?? '';
	const term = line.endsWith(last) ? last.replace(/^!+/, '') : '';
	const head = line.slice(0, line.length - term.length);
	const {values, typed, write} = completableOf(term, agentNames);
	const [first, ...others] = values.filter(value => fold(value).startsWith(fold(typed)) && head.length + write(value, true).length <= maximumLineLength);
	if (first === undefined) {
		return undefined;
	}

	const lines = [first, ...others].map(value => head + write(value, true));
	const common = commonBeginning([first, ...others]);
	return {lines, common: others.length === 0 ? lines[0]! : (common.length > typed.length ? head + write(common, false) : line)};
};

/**
Completes the term at the end of a filter line: its name, or after the colon a value that exists. Where several fit, it
first adds what they have in common; then each call goes on to the next one, or to the one before.

@returns a function that returns the line after the key, or `undefined` if nothing fits.
*/
export const createFilterCompletion = (): ((line: string, by: 1 | -1, agentNames: readonly string[]) => string | undefined) => {
	/** What was typed before the last completion, and the line that this made of it. Any other line is completed anew. */
	let last: {readonly typed: string; readonly line: string} | undefined;
	return (line, by, agentNames) => {
		const typed = last?.line === line ? last.typed : line;
		const completion = completionOf(typed, agentNames);
		if (completion === undefined) {
			return undefined;
		}

		const {lines, common} = completion;
		const index = lines.indexOf(line);
		const isGoingOn = last?.line === line || common === line;
		const next = index === -1 ? (by === 1 ? 0 : -1) : (index + by) % lines.length;
		const completed = isGoingOn ? lines.at(next)! : common;
		last = lines.length === 1 ? undefined : {typed, line: completed};
		return completed;
	};
};
