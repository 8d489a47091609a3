import type {Category} from '../interface/categories.ts';
import {errorText, SwitchboardError, type ErrorKind} from '../interface/errors.ts';
import {formatCount} from '../interface/format-count.ts';

/** A place in the state file, counted from 1. */
export type Place = {readonly line: number; readonly column: number};

/** The entry of one installed ability. An `undefined` field is left as it is. */
export type InstalledEntry = {
	readonly name: string;
	readonly place: Place;
	readonly isEnabled: boolean | undefined;
	readonly triggerPhrases: readonly string[] | undefined;
};

/** The entry of one ability. Fields other than the source count only when the ability is created. */
export type AbilityEntry = {
	readonly name: string;
	readonly place: Place;
	/** Its folder or zip as the file names it. */
	readonly source: string;
	readonly sourcePath: string;
	readonly sourcePlace: Place;
	readonly category: Category | undefined;
	readonly description: string | undefined;
	readonly triggerPhrases: readonly string[] | undefined;
	/** True if it may be created although another ability has nearly this name. */
	readonly isCreationWanted: boolean;
};

export type NamedPlace = {readonly name: string; readonly place: Place};

/** The entry of one agent. An `undefined` field is left as it is. */
export type AgentEntry = {
	readonly key: string;
	readonly place: Place;
	readonly name: string | undefined;
	readonly prompt: string | undefined;
	readonly abilities: readonly NamedPlace[] | undefined;
};

/** A state file, checked by itself: whether its names exist is not known yet. */
export type State = {
	/** Names the file in messages. */
	readonly label: string;
	readonly installed: readonly InstalledEntry[];
	readonly abilities: readonly AbilityEntry[];
	readonly agents: readonly AgentEntry[];
};

export type Problem = {
	readonly place: Place;
	readonly message: string;
	/** `usage` by default. */
	readonly kind?: ErrorKind;
};

/** Returns an error as a problem at the place that led to it. */
export function errorProblem(place: Place, error: SwitchboardError): Problem {
	return {place, kind: error.kind, message: errorText(error)};
}

const byPlace = (a: Problem, b: Problem): number => a.place.line - b.place.line || a.place.column - b.place.column;

/** A file that is not a state file may have a problem in each line. */
const maximumLines = 20;

/**
Returns one error for all problems of a state file, one a line, in the form that editors understand: `FILE:LINE:COLUMN: message`. Its kind
is that of the problems if they share one.

@param label - names the file.
*/
export function problemsError(label: string, problems: readonly Problem[]): SwitchboardError {
	const [kind, ...others] = new Set(problems.map(problem => problem.kind ?? 'usage'));
	const lines = problems
		.toSorted(byPlace)
		.slice(0, maximumLines)
		.map(({place: {line, column}, message}) => `${label}:${line}:${column}: ${message}`);
	if (problems.length > maximumLines) {
		lines.push(`${label}: and ${formatCount(problems.length - maximumLines)} more`);
	}

	return new SwitchboardError(others.length === 0 && kind !== undefined ? kind : 'usage', `${lines.join('\n')}\nNothing was done.`);
}
