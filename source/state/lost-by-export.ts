import {parseText} from './parse.ts';
import {type PlacedEntry, type PlacedValue} from './placed.ts';

const entriesOf = (value: PlacedValue | undefined): readonly PlacedEntry[] => value?.kind === 'mapping' ? value.entries : [];

const valueOf = (value: PlacedValue, key: string): PlacedValue | undefined => entriesOf(value).find(entry => entry.key === key)?.value;

/** What a file is that `lostByExport` cannot make out as a state. */
export const noState = 'something else than a state';

/** The comment in the first line that tells editors the schema of the file; empty if there is none. */
export const languageServerLine = (text: string): string => /^# yaml-language-server:[^\n\r]*(?=\r?\n|$)/.exec(text)?.[0] ?? '';

/** What a text has that no export writes, for a sentence; `undefined` if an export may take its place. */
export const lostByExport = (text: string): string | undefined => {
	const {root, problems, hasComments} = parseText(text);
	if (text.trim() === '') {
		return undefined;
	}

	if (hasComments) {
		return 'comments';
	}

	if (problems.length > 0 || root === undefined || valueOf(root, 'version') === undefined) {
		return noState;
	}

	if (valueOf(root, 'abilities') !== undefined) {
		return '“abilities:”';
	}

	const agentFields = new Set(entriesOf(valueOf(root, 'agents')).flatMap(({value}) => entriesOf(value).map(({key}) => key)));
	const lost = ['prompt_file', 'name'].find(field => agentFields.has(field));
	return lost === undefined ? undefined : `“${lost}:”`;
};
