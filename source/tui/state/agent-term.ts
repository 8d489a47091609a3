import {fold} from './match.ts';

/*
`agent:` in a filter line. A name with spaces needs quotes, `agent:"Front Porch"`, with a quote in it doubled. Quotes match
the whole name; without them, or while they are not closed yet, any part of it matches.
*/

const term = /!?agent:"(?:[^"]|"")*(?:"|$)|\S+/giu;

/** The terms of a filter line; a quoted name belongs to the term before it. */
export const filterTerms = (line: string): readonly string[] => line.match(term) ?? [];

/** True if nothing follows `agent:` yet. */
export const isAgentTermEmpty = (filterTerm: string): boolean => /^!?agent:"?$/i.test(filterTerm);

/** True if the text after `agent:` matches this name. */
export const matchesAgent = (wanted: string, name: string): boolean => {
	const quoted = /^"(?<name>(?:[^"]|"")*)(?<end>"?)$/u.exec(wanted)?.groups;
	if (quoted === undefined) {
		return fold(name).includes(fold(wanted));
	}

	const exact = fold(quoted['name']!.replaceAll('""', '"'));
	return quoted['end'] === '' ? fold(name).includes(exact) : fold(name) === exact;
};

/** The filter for one agent's abilities; its name is quoted if it has spaces or is part of another agent's name. */
export const agentFilter = (name: string, names: readonly string[]): string => {
	const isPlain = !/[\s"]/u.test(name) && names.every(other => other === name || !matchesAgent(name, other));
	return isPlain ? `agent:${name}` : `agent:"${name.replaceAll('"', '""')}"`;
};
