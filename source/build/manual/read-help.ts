import {type Command} from 'commander';
import {globalOptionsHint} from '../../commands/help/program-help.ts';
import {type HelpItem, type HelpTopic} from '../../commands/help/topic.ts';

/** The text below the options in the help of a command, without the pointer to the global options. */
const textAfter = (command: Command): string => {
	let text = '';
	command.configureOutput({
		writeOut(more) {
			text += more;
		},
	});
	command.outputHelp();
	return text.slice(command.helpInformation().length).replace(globalOptionsHint({command}), '');
};

/** Terms and their meanings in columns, or a long term with its meaning on the next line; `undefined` if it is something else. */
const readItems = (lines: readonly string[]): readonly HelpItem[] | undefined => {
	const items = lines.join('\n').split(/\n(?= {2}\S)/).map(item => item.trim().split(/ {2,}|\n +/));
	return items.every(({length}) => length === 2) ? items.map(([term, meaning]) => [term!, meaning!]) : undefined;
};

/** A block of the help: lines of a paragraph or a heading, then indented ones. */
const readBlock = (block: string): HelpTopic => {
	const lines = block.split('\n');
	const text = lines.filter(line => !line.startsWith(' ')).join(' ');
	const indented = lines.filter(line => line.startsWith(' '));
	const items = readItems(indented);
	return items === undefined ? [text, ...(indented.length === 0 ? [] : [{lines: indented.map(line => line.slice(2))}])] : [{heading: text, items}];
};

const examplesHeading = 'Examples:';

type CommandHelp = {
	readonly topic: HelpTopic;
	/** Commands and what they do. */
	readonly examples: readonly HelpItem[];
};

/** What the help of a command says below its options. */
export const readHelp = (command: Command): CommandHelp => {
	const parts = textAfter(command)
		.split(/\n{2,}/)
		.map(block => block.replaceAll(/^\n|\n$/g, ''))
		.filter(block => block !== '')
		.flatMap(block => readBlock(block));
	const isExamples = (part: HelpTopic[number]) => typeof part === 'object' && 'items' in part && part.heading === examplesHeading;
	return {
		topic: parts.filter(part => !isExamples(part)),
		examples: parts.flatMap(part => isExamples(part) && typeof part === 'object' && 'items' in part ? part.items : []),
	};
};
