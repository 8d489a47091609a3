/**
A text without what an editor puts into a file by itself, and a person does not see there: a byte order mark, and the line
breaks of Windows. Where the original has them too they are the text's own, and stay.
*/
export const withoutEditorMarks = (text: string, original: string): string => {
	const marked = text.startsWith('\u{FEFF}') && !original.startsWith('\u{FEFF}') ? text.slice(1) : text;
	return original.includes('\r') ? marked : marked.replaceAll('\r\n', '\n');
};
