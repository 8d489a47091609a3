import {Help} from 'commander';

/** A term, such as a variable or an exit code, and what it means. */
export type HelpItem = readonly [term: string, meaning: string];

/** A part of a topic: a paragraph, the title of a section, lines that are printed as they are, steps in order, or a list of items. */
export type HelpPart =
	| string
	| {readonly title: string}
	| {readonly lines: readonly string[]}
	| {readonly steps: readonly string[]}
	| {readonly heading?: string; readonly items: readonly HelpItem[]};

/** The text of `switchboard help TOPIC`, from the top. */
export type HelpTopic = readonly HelpPart[];

/** Narrower than this, meanings that have no room beside their terms stand below them. */
const usualWidth = 80;

/** Lays an item out with the meaning below the term. */
export function layItemBelow(help: Help, [term, meaning]: HelpItem, width: number): string {
	return [
		`  ${term.trimEnd()}`,
		...help
			.boxWrap(meaning, width - 4)
			.split('\n')
			.map(line => `    ${line}`),
	].join('\n');
}

/** Lays a topic out for a screen of this width. */
export function layTopic(topic: HelpTopic, width: number): string {
	const help = new Help();
	help.prepareContext({helpWidth: width});
	const fewestColumns = help.minWidthToWrap;
	// The column of keys may take half of the usual width; Commander leaves what is beside it in one long line from 40 on.
	help.minWidthToWrap = width < usualWidth ? 16 : 30;

	return topic
		.map(part => {
			if (typeof part === 'string') {
				return help.boxWrap(part, width);
			}

			if ('title' in part) {
				return part.title.toUpperCase();
			}

			if ('lines' in part) {
				return part.lines.map(line => `  ${line}`).join('\n');
			}

			if ('steps' in part) {
				return part.steps.map((step, index) => `  ${index + 1}. ${help.boxWrap(step, width - 5).replaceAll('\n', '\n     ')}`).join('\n');
			}

			const termWidth = Math.max(0, ...part.items.map(([term]) => term.length));
			const isBelow = width < usualWidth && width - termWidth - 4 < fewestColumns;
			const lines = part.items.map(item =>
				isBelow ? layItemBelow(help, item, width) : help.formatItem(item[0], termWidth, item[1], help),
			);
			return [...(part.heading === undefined ? [] : [help.boxWrap(part.heading, width)]), ...lines].join('\n');
		})
		.join('\n\n');
}
