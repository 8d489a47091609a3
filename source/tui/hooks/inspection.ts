import {readdir, stat} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join, resolve, sep} from 'node:path';
import {useQuery} from '@tanstack/react-query';
import {useEffect, useState} from 'react';
import type {FolderTie} from '../../bundle/folder-tie.ts';
import type {CheckedDraft} from '../../bundle/pack-ability.ts';
import {startFiles} from '../../interface/ability-package/check-files.ts';
import {cleanText} from '../../interface/clean-text.ts';
import {useServiceSession, type ServiceSession} from './service-session.ts';

/** Returns the path that a person typed, pasted or dropped, as a shell would read it, with `~` for the home folder. */
export function expandPath(typed: string): string {
	const text = unquote(typed.trim());
	if (text === '') {
		return '';
	}

	return text === '~' || text.startsWith('~/') ? join(homedir(), text.slice(1)) : resolve(text);
}

/** Removes quotes and backslashes as a shell does; a terminal adds them to a dropped file's path. */
function unquote(text: string): string {
	if (/^(?<quote>["']).*\k<quote>$/u.test(text)) {
		return text.slice(1, -1);
	}

	return sep === '\\' ? text : text.replaceAll(/\\(?<escaped>[^\p{Letter}\p{Number}])/gu, '$<escaped>');
}

/** Returns the kind of file at a path; `undefined` if it cannot be read. Never rejects. */
export async function pathKind(path: string): Promise<'folder' | 'file' | undefined> {
	const found = await stat(path).catch(() => undefined);
	return found && (found.isDirectory() ? 'folder' : 'file');
}

type Completion = {
	/** The text, completed with the common beginning of all candidates. */
	readonly text: string;
	/** Possible names if there are several; folders end with a slash. */
	readonly candidates: readonly string[];
};

/**
Completes a path as a shell does: folders, and files with one of the extensions. Offers names that begin with a dot only after a typed dot,
and ignores case if nothing matches otherwise. Never rejects: if nothing can be read, nothing is added.

@param extensions - such as `.zip`.
@param goals - files whose folder the person looks for: nothing in that folder is offered.
*/
export async function completePath(typed: string, extensions: readonly string[], goals: readonly string[] = []): Promise<Completion> {
	if (typed === '~') {
		return {text: '~/', candidates: []};
	}

	const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
	const beginning = typed.slice(folder.length);
	const listed = await list(folder);
	if (beginning === '' && goals.some(goal => listed.includes(goal))) {
		return {text: typed, candidates: []};
	}

	// A name with control characters cannot be typed into a field.
	const names = listed.filter(name => cleanText(name) === name && (!name.startsWith('.') || beginning.startsWith('.')));
	const exact = names.filter(name => name.startsWith(beginning));
	const matching = exact.length > 0 ? exact : names.filter(name => name.toLowerCase().startsWith(beginning.toLowerCase()));
	const marked = await Promise.all(
		matching.map(async name =>
			(await pathKind(join(expandPath(folder === '' ? '.' : folder), name))) === 'folder'
				? `${name}/`
				: extensions.some(extension => name.toLowerCase().endsWith(extension))
					? name
					: undefined,
		),
	);
	const candidates = marked.filter(name => name !== undefined).toSorted();
	const [first, ...others] = candidates;
	if (first === undefined) {
		return {text: typed, candidates};
	}

	let common = first;
	for (const other of others) {
		common = commonPrefix(common, other);
	}

	// Names that differ in case may share less than was typed.
	return {text: common.length < beginning.length ? typed : folder + common, candidates: others.length === 0 ? [] : candidates};
}

const list = async (folder: string): Promise<readonly string[]> => readdir(folder === '' ? '.' : expandPath(folder)).catch(() => []);

function commonPrefix(first: string, second: string): string {
	const others = [...second];
	const characters = [...first];
	const end = characters.findIndex((character, index) => character !== others[index]);
	return end === -1 ? first : characters.slice(0, end).join('');
}

export type Inspection =
	| {readonly kind: 'no-path' | 'reading'}
	/** No file, or a folder without an ability; `problem` is the reason, without a full stop. */
	| {readonly kind: 'no-ability'; readonly problem: string}
	| {
			readonly kind: 'ability';
			readonly ability: CheckedDraft;
			/** The image that was inspected too: another one may have been typed since. */
			readonly imagePath: string;
			/** The ability of this service that the folder belongs to, by the file in it. */
			readonly tie: FolderTie | undefined;
	  };

/** Nothing is read until the person pauses for this long. */
const pauseMilliseconds = 120;

/** Inspects the target of a path, once the path has not changed for a moment. A late answer about another path is dropped. */
export function useInspection(path: string, category: string | undefined, imagePath: string): Inspection {
	const session = useServiceSession();
	const settledPath = useSettled(path);
	const settledImagePath = useSettled(imagePath);
	const {data, error} = useQuery<Inspection>(
		{...inspectionQuery(session, settledPath, category, settledImagePath), enabled: settledPath !== ''},
		session.records.queryClient,
	);
	if (path === '') {
		return {kind: 'no-path'};
	}

	if (settledPath === path && error !== null) {
		return unreadable(error);
	}

	return settledPath === path && data !== undefined ? data : {kind: 'reading'};
}

function useSettled(value: string): string {
	const [settled, setSettled] = useState(value);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(value), pauseMilliseconds);
		return () => clearTimeout(timer);
	}, [value]);
	return settled;
}

const inspectionQuery = ({records: {client}}: ServiceSession, path: string, category: string | undefined, imagePath: string) => ({
	queryKey: ['inspection', path, category, imagePath],
	queryFn: async () => inspect(path, {address: client.baseAddress, category, imagePath}),
	staleTime: 0,
	gcTime: 0,
});

type InspectOptions = {readonly address: string; readonly category: string | undefined; readonly imagePath: string};

async function inspect(path: string, {address, category, imagePath}: InspectOptions): Promise<Inspection> {
	const kind = await pathKind(path);
	if (kind === undefined) {
		return {kind: 'no-ability', problem: 'no such file or folder'};
	}

	// A path that is being typed leads to every folder above the ability, even the home folder: these are not read.
	const kinds = kind === 'folder' ? await Promise.all([...startFiles, 'config.json'].map(async name => pathKind(join(path, name)))) : [];
	if (kind === 'folder' && kinds.every(found => found === undefined)) {
		return {kind: 'no-ability', problem: 'no main.py or background.py in this folder'};
	}

	const [{readDraft}, {readTieFile, tieOf}] = await Promise.all([
		import('../../bundle/pack-ability.ts'),
		import('../../bundle/folder-tie.ts'),
	]);
	const {draft} = await readDraft(path, {category, ...(imagePath !== '' && {imagePath})});
	const tie = kind === 'folder' ? tieOf(await readTieFile(path), address, process.env) : undefined;
	return {kind: 'ability', ability: draft, imagePath, tie: tie?.isHere ? tie : undefined};
}

const unreadable = (error: unknown): Inspection => ({
	kind: 'no-ability',
	problem: `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
});

/** Inspects the path now, because the files may have changed, and shows the result at the field. Never rejects. */
export async function inspectNow(
	session: ServiceSession,
	path: string,
	category: string | undefined,
	imagePath: string,
): Promise<Inspection> {
	if (path === '') {
		return {kind: 'no-path'};
	}

	try {
		return await session.records.queryClient.query(inspectionQuery(session, path, category, imagePath));
	} catch (error) {
		return unreadable(error);
	}
}
