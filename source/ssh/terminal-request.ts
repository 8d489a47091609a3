import {cleanText} from '../interface/clean-text.ts';

/** The terminal that a client asked for. */
export type RemoteTerminal = {
	readonly term: string;
	readonly columns: number;
	readonly rows: number;
};

const clamp = (value: unknown, usual: number, largest: number): number =>
	typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? Math.min(value, largest) : usual;

/** The size of a terminal, in cells; 80×24 where a client does not know. A frame of more cells than any screen has would only cost. */
export const terminalSize = ({cols, rows}: {readonly cols?: unknown; readonly rows?: unknown}): Pick<RemoteTerminal, 'columns' | 'rows'> =>
	({columns: clamp(cols, 80, 1000), rows: clamp(rows, 24, 500)});

/** The type of a terminal, as in `TERM`; `dumb` for what cannot be one. */
export const terminalName = (term: unknown): string => typeof term === 'string' && /^\w[\w+\-.]{0,63}$/.test(term) ? term : 'dumb';

const largestValue = 100;

/** Enough for every category of a locale. */
const mostVariables = 32;

const isAllowed = (name: string): boolean => /^(?:LANG|LC_[A-Z]{1,30}|NO_COLOR|COLORTERM)$/.test(name);

/** Adds a variable of the client, if it is one of those that a session takes. Returns whether it is. */
export const takeVariable = (variables: Map<string, string>, name: unknown, value: unknown): boolean => {
	if (typeof name !== 'string' || typeof value !== 'string' || !isAllowed(name) || (!variables.has(name) && variables.size >= mostVariables)) {
		return false;
	}

	variables.set(name, cleanText(value, largestValue));
	return true;
};
