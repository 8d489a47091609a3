import path from 'node:path';
import {compareFiles} from '../bundle/compare-files.ts';
import {readTieFile} from '../bundle/folder-tie.ts';
import {readSource} from '../bundle/read-source.ts';
import {readServiceSource} from '../client/release-source.ts';
import {isHidden, tieFileName} from '../interface/ability-package/junk.ts';
import {quotePath} from '../interface/ability-package/limits.ts';
import type {PackageFile} from '../interface/ability-package/write-zip.ts';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {counted} from '../interface/format-count.ts';
import {rawName, type Ability} from '../interface/records.ts';
import {printJsonOr, type Context} from './context.ts';
import {fileNames, refuseEmptyFolder} from './file-names.ts';
import {findRecord, readAndFind, readList, wordFor} from './find-records.ts';
import {keepTie, otherTie} from './keep-tie.ts';
import {fileLines, leftOutNote, refuseConflicts, refuseFiles, surveyFolder, writeFiles} from './write-folder.ts';
import {differenceExitCode} from './options.ts';
import {printDiff, unifiedDiff} from './output/diff.ts';
import {printResult} from './output/table.ts';
import {withService, type Service} from './with-service.ts';

/**
Returns the files of an ability on the service, of the version in use or of a given one.

@param isForbiddenNoted - true to note the files that no package may hold, and leave them out; otherwise they are refused.
@throws SwitchboardError `not-found` if there is no such version, or the service does not offer it.
*/
export async function readPulledVersion(
	context: Context,
	{client}: Service,
	ability: Ability,
	{version, isForbiddenNoted = false}: {readonly version?: string | undefined; readonly isForbiddenNoted?: boolean},
): Promise<readonly PackageFile[]> {
	const {name, versions} = ability;
	if (version !== undefined && versions.length > 0 && versions.every(known => known.version !== version)) {
		throw new SwitchboardError('not-found', `There is no version ${cleanText(version, 60)} of ${name}. Nothing was done.`, {
			nextStep: `List them with: switchboard abilities versions ${wordFor(ability)}`,
		});
	}

	context.showProgress(`Reading the source of ${name} …`);
	const onForbidden = isForbiddenNoted ? (paths: readonly string[]) => context.note(leftOutNote(ability, paths)) : undefined;
	return readServiceSource(client, ability, {signal: context.readSignal, version, onForbidden});
}

type PullOptions = {readonly force?: boolean; readonly version?: string; readonly hidden?: boolean};

export async function pullAbility(
	context: Context,
	word: string,
	givenFolder: string | undefined,
	{force: isForced = false, version, hidden: areHiddenWanted = false}: PullOptions,
): Promise<void> {
	refuseEmptyFolder(givenFolder);
	const {ability, folder, files, survey} = await withService(context, async service => {
		const abilities = await readList(context, service, 'abilities');
		const ability = findRecord(abilities, word, {resource: 'abilities', isToChange: false});
		const folder = givenFolder ?? fileNames(abilities).get(ability.id)!;
		const files = await readPulledVersion(context, service, ability, {version, isForbiddenNoted: true});
		if (files.length === 0) {
			throw new SwitchboardError('not-found', `The source of ${ability.name} on the service has no files.`, {
				nextStep: 'Look at it in the dashboard.',
			});
		}

		if (!areHiddenWanted) {
			refuseHiddenFiles(ability, files);
		}

		const root = path.resolve(folder);
		const survey = await surveyFolder(root, files);
		const other = otherTie(context, service, await readTieFile(root), ability);
		const conflicts = other === undefined ? [] : [`${quotePath(tieFileName)} says that it belongs to ${other}.`];
		refuseConflicts({...survey, conflicts: [...conflicts, ...survey.conflicts]}, folder, isForced);
		const write = async (): Promise<void> => {
			await writeFiles(root, survey.toWrite);
			await keepTie(context, service, folder, ability, {version});
			if (context.signal.aborted) {
				context.note(`The files of ${ability.name} were written.`);
			}
		};

		if (!context.isDryRun) {
			await context.finishBeforeExit(write());
		}

		return {ability, folder, files, survey};
	});
	const writtenCount = survey.toWrite.length;
	const same = files.length > writtenCount ? `, ${files.length - writtenCount} unchanged` : '';
	await printResult(context, {
		json: {capability_id: ability.id, name: rawName(ability), folder, files: files.map(file => file.path)},
		sentence: `${context.isDryRun ? 'Would pull' : 'Pulled'} ${ability.name} into ${quotePath(folder)}: ${counted(writtenCount, 'file')} written${same}.`,
		fields: [fileLines(files, survey).join('\n')],
	});
}

function refuseHiddenFiles({name}: Ability, files: readonly PackageFile[]): void {
	const problems = files.filter(file => isHidden(file.path)).map(file => `${quotePath(file.path)} is hidden.`);
	if (problems.length > 0) {
		throw refuseFiles(
			'refused',
			`${name} has files whose names begin with a dot, which may change how programs behave in the folder.`,
			problems,
			'To write them too, use --hidden.',
		);
	}
}

/** Prints the difference between a folder and the source of an ability. */
export async function diffAbility(context: Context, word: string, folder: string): Promise<void> {
	const {files: local} = await readSource(folder);
	const remote = await withService(context, async service => {
		const ability = await readAndFind(context, service, word, {resource: 'abilities', isToChange: false});
		return readPulledVersion(context, service, ability, {isForbiddenNoted: true});
	});
	const changes = compareFiles(remote, local);
	await printJsonOr(context, {same: changes.length === 0, files: changes}, () => printDiff(context, unifiedDiff(changes, remote, local)));
	if (changes.length > 0) {
		context.exitWith(differenceExitCode);
	}
}
