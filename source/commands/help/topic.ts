import {Help} from 'commander';

/** A term, such as a variable or an exit code, and what it means. */
export type HelpItem = readonly [term: string, meaning: string];

/** A part of a topic: a paragraph, the title of a section, lines that are printed as they are, or a list of items. */
type HelpPart = string | {readonly title: string} | {readonly lines: readonly string[]} | {readonly heading?: string; readonly items: readonly HelpItem[]};

/** What `switchboard help TOPIC` prints, from the top. */
export type HelpTopic = readonly HelpPart[];

/** Lays a topic out for a screen of this width. */
export const layTopic = (topic: HelpTopic, width: number): string => {
	const help = new Help();
	help.prepareContext({helpWidth: width});
	const items = topic.flatMap(part => typeof part === 'object' && 'items' in part ? part.items : []);
	const termWidth = Math.max(0, ...items.map(([term]) => term.length));
	return topic.map(part => {
		if (typeof part === 'string') {
			return help.boxWrap(part, width);
		}

		if ('title' in part) {
			return part.title.toUpperCase();
		}

		if ('lines' in part) {
			return part.lines.map(line => `  ${line}`).join('\n');
		}

		const lines = part.items.map(([term, meaning]) => help.formatItem(term, termWidth, meaning, help));
		return [...(part.heading === undefined ? [] : [part.heading]), ...lines].join('\n');
	}).join('\n\n');
};
