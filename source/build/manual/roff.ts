import {type HelpItem, type HelpTopic} from '../../commands/help/topic.ts';

/*
Writes roff with the macros of man(7). Everything is ASCII: a formatter need not be told the encoding.
*/

/** What roff would change into typographic signs, or take for its own. */
const escapes: Readonly<Record<string, string>> = {
	'\\': String.raw`\e`,
	'-': String.raw`\-`,
	'\'': String.raw`\(aq`,
	'"': String.raw`\(dq`,
	'`': String.raw`\(ga`,
	'^': String.raw`\(ha`,
	'~': String.raw`\(ti`,
	'“': String.raw`\(lq`,
	'”': String.raw`\(rq`,
	'→': String.raw`\(->`,
	'×': String.raw`\(mu`,
	'…': '...',
	'–': String.raw`\(en`,
};

/** A text as roff shows it unchanged. A dot would begin a request at the start of a line. */
export const roffText = (text: string): string => text
	.replaceAll(/["'\-\\^`~]|[^\n -~]/gu, sign => escapes[sign] ?? String.raw`\[u${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`)
	.replaceAll(/^\./gm, String.raw`\&.`);

const bold = (text: string): string => text === '' ? '' : String.raw`\fB${roffText(text)}\fR`;

/** A command or an option: what is typed as it stands is bold, what stands for something else (`<name>`) is italic. */
export const roffUsage = (text: string): string => text
	.split(/(?<value><[^>]*>|\[[^\]]*\])/)
	.map((part, index) => index % 2 === 0
		? bold(part)
		: (part.startsWith('<') ? String.raw`\fI${roffText(part.slice(1, -1))}\fR` : roffText(part)))
	.join('');

export const section = (title: string): string => `.SH "${roffText(title)}"`;

export const subsection = (title: string): string => `.SS "${roffText(title)}"`;

const paragraph = (text: string): readonly string[] => ['.PP', roffText(text)];

/** Lines that are never broken. */
const verbatim = (lines: readonly string[]): readonly string[] => ['.PP', '.in +2', '.nf', ...lines.map(line => roffText(line)), '.fi', '.in'];

/** A list of terms; a little indented, for narrow screens. */
export const itemList = (items: readonly HelpItem[], format: (term: string) => string = bold): readonly string[] =>
	items.flatMap(([term, meaning]) => ['.TP 4', format(term.replaceAll(/ {2,}/g, '  ')), ...(meaning === '' ? [] : [roffText(meaning)])]);

/** Commands, which are never broken, and what they do. */
export const exampleList = (items: readonly HelpItem[]): readonly string[] =>
	items.flatMap(([command, meaning]) => ['.PP', '.nf', bold(command), '.fi', '.RS 4', roffText(meaning), '.RE']);

const roffPart = (part: HelpTopic[number]): readonly string[] => {
	if (typeof part === 'string') {
		return paragraph(part);
	}

	if ('title' in part) {
		return [subsection(part.title)];
	}

	return 'lines' in part
		? verbatim(part.lines)
		: [...(part.heading === undefined ? [] : paragraph(part.heading)), ...itemList(part.items)];
};

/** A help topic as roff. */
export const roffTopic = (topic: HelpTopic): readonly string[] => topic
	.flatMap(part => roffPart(part))
	// A heading begins a paragraph itself.
	.filter((line, index, lines) => line !== '.PP' || !lines[index - 1]?.startsWith('.SS'));
