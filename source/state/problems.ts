import {errorText, SwitchboardError, type ErrorKind} from '../interface/errors.ts';
import {formatCount} from '../interface/format-count.ts';
import {type Place} from './state.ts';

/** What is wrong at one place of a state file. */
export type Problem = {
	readonly place: Place;
	/** A sentence. */
	readonly message: string;
	/** `usage` by default. */
	readonly kind?: ErrorKind;
};

/** An error as a problem at the place that led to it. */
export const errorProblem = (place: Place, error: SwitchboardError): Problem => ({place, kind: error.kind, message: errorText(error)});

const byPlace = (a: Problem, b: Problem): number => a.place.line - b.place.line || a.place.column - b.place.column;

/** A file that is no state file may have one for each of its lines. */
const maximumLines = 50;

/**
One error for all problems of a state file, a line each in the form that editors understand: `FILE:LINE:COLUMN: message`. Its kind is
that of the problems if they share one.

@param label - names the file.
*/
export const problemsError = (label: string, problems: readonly Problem[]): SwitchboardError => {
	const [kind, ...others] = new Set(problems.map(problem => problem.kind ?? 'usage'));
	const lines = problems.toSorted(byPlace).slice(0, maximumLines).map(({place: {line, column}, message}) => `${label}:${line}:${column}: ${message}`);
	if (problems.length > maximumLines) {
		lines.push(`${label}: and ${formatCount(problems.length - maximumLines)} more`);
	}

	return new SwitchboardError(others.length === 0 && kind !== undefined ? kind : 'usage', `${lines.join('\n')}\nNothing was done.`);
};
