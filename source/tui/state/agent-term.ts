import {fold} from './match.ts';

/*
`agent:` in a filter line. A name with spaces stands in quotes, `agent:"Front Porch"`, with a quote in it twice; in quotes
the whole name is meant, without them any part of it. Quotes that are not closed yet are still being typed.
*/

const word = /!?agent:"(?:[^"]|"")*(?:"|$)|\S+/giu;

/** The words of a filter line; a name in quotes is one with what it belongs to. */
export const filterTerms = (line: string): readonly string[] => line.match(word) ?? [];

/** True where `agent:` is followed by nothing yet. */
export const isAgentTermEmpty = (filterWord: string): boolean => /^!?agent:"?$/i.test(filterWord);

/** Whether what follows `agent:` names this agent. */
export const matchesAgent = (wanted: string, name: string): boolean => {
	const quoted = /^"(?<name>(?:[^"]|"")*)(?<end>"?)$/u.exec(wanted)?.groups;
	if (quoted === undefined) {
		return fold(name).includes(fold(wanted));
	}

	const meant = fold(quoted['name']!.replaceAll('""', '"'));
	return quoted['end'] === '' ? fold(name).includes(meant) : fold(name) === meant;
};

/** The filter for what one agent has: its name in quotes where it needs them, or others have names that it is a part of. */
export const agentFilter = (name: string, names: readonly string[]): string => {
	const isClear = !/[\s"]/u.test(name) && names.every(other => other === name || !matchesAgent(name, other));
	return isClear ? `agent:${name}` : `agent:"${name.replaceAll('"', '""')}"`;
};
