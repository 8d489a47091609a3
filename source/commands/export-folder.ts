import {Buffer} from 'node:buffer';
import {lstat, readdir, readFile, rm, rmdir} from 'node:fs/promises';
import path from 'node:path';
import pMap from 'p-map';
import {readServiceSource} from '../client/release-source.ts';
import {checkAbilityFiles, entriesOf, pathProblem} from '../interface/ability-package/check-files.ts';
import {isHidden, tieFileName} from '../interface/ability-package/junk.ts';
import {formatBytes, quotePath} from '../interface/ability-package/limits.ts';
import type {PackageFile} from '../interface/ability-package/write-zip.ts';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError, toSwitchboardError, withoutFailing} from '../interface/errors.ts';
import {counted} from '../interface/format-count.ts';
import {stringifyJson} from '../interface/json.ts';
import type {Ability, Agent} from '../interface/records.ts';
import {maximumTextBytes} from '../state/bounded-text.ts';
import {exportState, refuseSharedNames, stateText, withoutShared, type ExportedRecords} from '../state/export-state.ts';
import {stateSchema} from '../state/schema.ts';
import {promptProblems} from '../state/field-problems.ts';
import type {Context} from './context.ts';
import {fileNames} from './file-names.ts';
import {printResult} from './output/table.ts';
import {keepTie} from './keep-tie.ts';
import type {Service} from './with-service.ts';
import {
	fileLines,
	folderFingerprint,
	leftOutNote,
	refuseConflicts,
	removeFiles,
	surveyFolder,
	writeFiles,
	type FolderSurvey,
	type WrittenFiles,
} from './write-folder.ts';

export type FolderOptions = {readonly sources?: boolean; readonly hidden?: boolean; readonly force?: boolean};

const stateFile = 'home.yaml';

const schemaFile = 'state.schema.json';

const manifestFile = '.switchboard-export.json';

/** All sources are in memory until the whole folder was compared. */
const maximumSourceBytes = 256 * 1024 * 1024;

/**
Writes the state of an account to a folder: `home.yaml` with its schema for editors, a file for each prompt and, if asked for, a folder for
each ability. Unchanged files of an earlier export are replaced, or removed if the state does not need them any more.

@throws SwitchboardError `conflict` if other files are in the way, unless `--force` was given; nothing was written then.
*/
export async function exportIntoFolder(
	context: Context,
	service: Service,
	records: ExportedRecords,
	folder: string,
	{sources: areSourcesWanted = false, hidden = false, force = false}: FolderOptions,
): Promise<void> {
	const root = path.resolve(folder);
	const earlier = await readManifest(root);
	// Before any further request to the service.
	await surveyFolder(root, [], earlier);
	const prompts = promptFiles(records.agents);
	const sources = areSourcesWanted ? await readSources(context, service, records.abilities, hidden) : undefined;
	const state = exportState(records, {
		promptFiles: new Map([...prompts].map(([id, file]) => [id, `./${file.path}`])),
		sources: sources?.folders,
	});
	for (const note of [...state.notes, ...(sources?.notes ?? [])]) {
		context.note(note);
	}

	const files = [
		{path: stateFile, bytes: Buffer.from(`# yaml-language-server: $schema=./${schemaFile}\n${stateText(state, 'yaml')}`)},
		{path: schemaFile, bytes: Buffer.from(`${stringifyJson(stateSchema)}\n`)},
		...prompts.values(),
		...(sources?.files ?? []),
	];
	// Without --sources, sources of an earlier export stay as they are, as do files of records that are left out now.
	const kept = [...sharedPaths(records), ...(sources?.leftOut ?? ['abilities/'])];
	const isKept = (file: string): boolean => kept.some(beginning => file.startsWith(beginning));
	const survey = await surveyFolder(root, files, new Map([...earlier].filter(([file]) => !isKept(file))));
	refuseConflicts(survey, folder, force);
	if (!context.isDryRun) {
		const after = new Map([...[...earlier].filter(([file]) => isKept(file)), ...asEarlier(files)]);
		const write = async (): Promise<void> => {
			await carryOut(root, survey, earlier, after);
			await removeTies(root, survey);
			await keepTies(context, service, root, records.abilities, sources?.folders ?? new Map());
		};

		await context.finishBeforeExit(write());
	}

	const {toWrite, toRemove} = survey;
	const counts = `${counted(toWrite.length, 'file')} written, ${toRemove.length} removed, ${files.length - toWrite.length} unchanged`;
	await printResult(context, {
		json: state.value,
		sentence: `${context.isDryRun ? 'Would export' : 'Exported'} to ${quotePath(folder)}: ${counts}.`,
		fields: [[...fileLines(files, survey), ...toRemove.map(file => `${cleanText(file.path)}\tremoved`)].join('\n')],
	});
	refuseSharedNames(state);
}

/** Returns the files of an earlier export. Without a readable manifest there are none, and existing files need `--force`. */
async function readManifest(root: string): Promise<WrittenFiles> {
	const location = path.join(root, manifestFile);
	// Not a pipe, which may never end, nor a file of any size.
	const stats = await lstat(location).catch(() => undefined);
	const isReadable = stats?.isFile() === true && stats.size < 32 * 1024 * 1024;
	const text = isReadable ? await readFile(location, 'utf8').catch(() => '') : '';
	const value = withoutFailing<unknown>(() => JSON.parse(text));
	return new Map(isManifest(value) ? Object.entries(value.files).filter(([file]) => isExportPath(file)) : []);
}

const isManifest = (value: unknown): value is {readonly files: Readonly<Record<string, readonly string[]>>} =>
	typeof value === 'object' &&
	value !== null &&
	'files' in value &&
	typeof value.files === 'object' &&
	value.files !== null &&
	Object.values(value.files).every(prints => Array.isArray(prints) && prints.every(print => typeof print === 'string'));

/** Tells whether an export writes such a path: a manifest may come from anywhere. */
function isExportPath(file: string): boolean {
	const [folder = '', name = '', ...rest] = file.split('/');
	// The limits of a path in an ability count from the ability's own folder.
	const paths = rest.length === 0 ? [name] : [name, rest.join('/')];
	return (
		[stateFile, schemaFile].includes(file) ||
		(['agents', 'abilities'].includes(folder) && paths.every(part => pathProblem(part) === undefined))
	);
}

function promptFiles(agents: readonly Agent[]): ReadonlyMap<number, PackageFile> {
	const names = fileNames(agents);
	return new Map(
		withoutShared(agents).flatMap(
			({id, raw: {description}}): ReadonlyArray<readonly [number, PackageFile]> =>
				typeof description === 'string' && canBeFile(description)
					? [[id, {path: `agents/${names.get(id)!}.md`, bytes: Buffer.from(description)}]]
					: [],
		),
	);
}

/** True if reading the file gives the same text again: an empty file is taken for a slip, and a byte order mark is dropped. */
const canBeFile = (prompt: string): boolean =>
	prompt.trim() !== '' &&
	!prompt.startsWith('\u{FEFF}') &&
	promptProblems(prompt).length === 0 &&
	Buffer.byteLength(prompt) <= maximumTextBytes;

/** Returns the sources that the service sends and that could be uploaded again, with a note for each other ability. */
async function readSources(context: Context, {client}: Service, abilities: readonly Ability[], areHiddenWanted: boolean) {
	const names = fileNames(abilities);
	const sources = new Map<number, readonly PackageFile[]>();
	const notes: string[] = [];
	let total = 0;
	await pMap(
		withoutShared(abilities),
		async ability => {
			const {id, name, category} = ability;
			context.showProgress(`Reading the source of ${name} …`);
			try {
				const files = await readServiceSource(client, ability, {
					signal: context.readSignal,
					onForbidden(paths) {
						notes.push(leftOutNote(ability, paths));
					},
				});
				const [problem] = checkAbilityFiles(entriesOf(files), {category, layout: 'root'});
				const hidden = areHiddenWanted ? undefined : files.find(file => isHidden(file.path));
				if (problem !== undefined || hidden !== undefined) {
					throw problem ?? new SwitchboardError('refused', `${quotePath(hidden!.path)} is hidden; use --hidden to write it too.`);
				}

				total += files.reduce((sum, {bytes}) => sum + bytes.byteLength, 0);
				sources.set(
					id,
					files.map(file => ({...file, path: `abilities/${names.get(id)!}/${file.path}`})),
				);
			} catch (error_) {
				const error = toSwitchboardError(error_);
				if (!['not-found', 'refused', 'too-large'].includes(error.kind)) {
					throw error;
				}

				notes.push(`Left out the source of ${name}. ${error.message}`);
			}

			if (total > maximumSourceBytes) {
				throw new SwitchboardError('too-large', `The sources are larger than ${formatBytes(maximumSourceBytes)}. Nothing was written.`, {
					nextStep: 'Leave out --sources, and read each with: switchboard abilities pull ABILITY',
				});
			}
		},
		{concurrency: 2},
	);
	return {
		notes,
		files: [...sources.values()].flat(),
		folders: new Map([...sources.keys()].map(id => [id, `./abilities/${names.get(id)!}`])),
		/** The beginnings of the paths of sources that were left out. */
		leftOut: abilities.filter(({id}) => !sources.has(id)).map(({id}) => `abilities/${names.get(id)!}/`),
	};
}

/** Returns the beginnings of the paths that an earlier export may have written for records that share their names now. */
function sharedPaths({agents, abilities}: ExportedRecords): readonly string[] {
	const pathsOf = (records: ReadonlyArray<Ability | Agent>, toPath: (name: string) => string): readonly string[] => {
		const [names, told] = [fileNames(records), new Set(withoutShared(records))];
		return records.filter(record => !told.has(record)).map(({id}) => toPath(names.get(id)!));
	};

	return [...pathsOf(agents, name => `agents/${name}.md`), ...pathsOf(abilities, name => `abilities/${name}/`)];
}

const asEarlier = (files: readonly PackageFile[]): WrittenFiles => new Map(files.map(file => [file.path, [folderFingerprint(file.bytes)]]));

/** Writes and removes files so that a run that was cut short can be repeated: until the end the manifest has both exports. */
async function carryOut(root: string, {toWrite, toRemove}: FolderSurvey, before: WrittenFiles, after: WrittenFiles): Promise<void> {
	const write = async (files: WrittenFiles): Promise<void> => {
		const survey = await surveyFolder(root, [manifestOf(files)], new Map());
		refuseConflicts({...survey, conflicts: []}, root, true);
		await writeFiles(root, survey.toWrite);
	};

	if (toWrite.length + toRemove.length > 0) {
		const both = new Map(
			[...before, ...after].map(([file]) => [file, [...new Set([...(before.get(file) ?? []), ...(after.get(file) ?? [])])]]),
		);
		await write(both);
		await writeFiles(root, toWrite);
		await removeFiles(root, toRemove);
	}

	await write(after);
}

function manifestOf(files: WrittenFiles): PackageFile {
	const entries = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
	return {path: manifestFile, bytes: Buffer.from(`${JSON.stringify({version: 1, files: Object.fromEntries(entries)}, undefined, '\t')}\n`)};
}

/** Removes the tie file from folders that hold nothing else any more. */
async function removeTies(root: string, {toRemove}: FolderSurvey): Promise<void> {
	const folders = new Set(toRemove.map(file => /^abilities\/[^/]+(?=\/)/.exec(file.path)?.[0]).filter(folder => folder !== undefined));
	for (const folder of folders) {
		const place = path.join(root, folder);
		try {
			if ((await readdir(place)).every(name => name === tieFileName)) {
				await rm(path.join(place, tieFileName), {force: true});
				await rmdir(place);
			}
		} catch {
			// The file is gone, or stays.
		}
	}
}

/**
Notes in each source folder which ability it is. Otherwise an export leaves these files as they are, because a push changes them, too.
*/
async function keepTies(
	context: Context,
	service: Service,
	root: string,
	abilities: readonly Ability[],
	folders: ReadonlyMap<number, string>,
): Promise<void> {
	for (const ability of abilities) {
		const folder = folders.get(ability.id);
		if (folder !== undefined) {
			await keepTie(context, service, path.join(root, folder), ability, {isReleaseRead: false});
		}
	}
}
