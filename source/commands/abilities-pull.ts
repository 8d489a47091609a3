import path from 'node:path';
import {readServiceSource} from '../client/read-service-source.ts';
import {quotePath} from '../interface/ability-package/refusals.ts';
import type {PackageFile} from '../interface/ability-package/write-zip.ts';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {counted} from '../interface/format-count.ts';
import {abilityNameProblem} from '../interface/names.ts';
import {rawName, type Ability} from '../interface/records.ts';
import {examples, type DefineCommand} from './command.ts';
import {isForPerson, type Context} from './context.ts';
import {
	dryRunOption,
	noteDryRun,
	startLocalChange,
	type DryRunOption,
} from './dry-run.ts';
import {readAndFind} from './find-records.ts';
import type {FileToWrite, FolderSurvey} from './source/survey-folder.ts';
import {withService} from './with-service.ts';

type PullOptions = DryRunOption & {readonly force?: boolean};

type Pulled = {
	readonly ability: Ability;
	readonly folder: string;
	readonly files: readonly PackageFile[];
	readonly written: readonly FileToWrite[];
};

/** An empty name, such as a script's unset variable, would mean the current folder. */
const refuseEmptyName = (folder: string | undefined): void => {
	if (folder === '') {
		throw new SwitchboardError('usage', 'The name of the folder is empty. Nothing was written.', {nextStep: 'For the current folder, use: .'});
	}
};

/** The name of the ability, which comes from the service and has to be no more than a name. */
const defaultFolder = ({name}: Ability): string => {
	if (abilityNameProblem(name) !== undefined) {
		throw new SwitchboardError('usage', `${quotePath(name)} cannot be the name of a folder.`, {nextStep: 'Name the folder: switchboard abilities pull ABILITY FOLDER'});
	}

	return name;
};

const maximumLines = 20;

/** One error for all problems, a line each. */
const refuse = (kind: 'conflict' | 'refused', title: string, problems: readonly string[], nextStep: string): SwitchboardError => {
	const left = problems.length - maximumLines;
	const lines = [...problems.slice(0, maximumLines), ...(left > 0 ? [`And ${left} more.`] : [])];
	return new SwitchboardError(kind, [`${title} Nothing was written.`, ...lines].join('\n'), {nextStep});
};

/** Such a file may change how programs behave in its folder without being seen there. */
const refuseHiddenFiles = ({name}: Ability, files: readonly PackageFile[]): void => {
	const problems = files
		.filter(file => file.path.split('/').some(part => part.startsWith('.')))
		.map(file => `${quotePath(file.path)} is hidden.`);
	if (problems.length > 0) {
		throw refuse('refused', `${name} has files whose names begin with a dot.`, problems, 'Look at them in the dashboard.');
	}
};

const refuseConflicts = ({conflicts, obstacles}: FolderSurvey, folder: string, isForced: boolean): void => {
	if (obstacles.length > 0) {
		throw refuse('refused', `Something is in the way in ${quotePath(folder)}.`, [...obstacles, ...(isForced ? [] : conflicts)], 'Remove it, or choose another folder.');
	}

	if (conflicts.length > 0 && !isForced) {
		throw refuse('conflict', `${quotePath(folder)} holds other files.`, conflicts, 'With --force those that differ are overwritten and all others stay.');
	}
};

const pull = async (context: Context, word: string, givenFolder: string | undefined, {force: isForced = false}: PullOptions): Promise<Pulled> =>
	withService(context, async service => {
		const ability = await readAndFind(context, service, word, {resource: 'abilities', isToChange: false});
		const folder = givenFolder ?? defaultFolder(ability);
		context.showProgress(`Reading the source of ${ability.name} …`);
		const files = await readServiceSource(service.client, ability, {signal: context.readSignal});
		if (files.length === 0) {
			throw new SwitchboardError('not-found', `The source of ${ability.name} on the service has no files.`, {nextStep: 'Look at it in the dashboard.'});
		}

		refuseHiddenFiles(ability, files);
		const [{surveyFolder}, {writeFiles}] = await Promise.all([import('./source/survey-folder.ts'), import('./source/write-files.ts')]);
		const root = path.resolve(folder);
		const survey = await surveyFolder(root, files);
		refuseConflicts(survey, folder, isForced);
		const write = async (): Promise<Pulled> => {
			if (!context.isDryRun) {
				await writeFiles(root, survey.toWrite);
			}

			if (context.signal.aborted && !context.isDryRun) {
				context.note(`The files of ${ability.name} were written.`);
			}

			return {
				ability, folder, files, written: survey.toWrite,
			};
		};

		return context.finishBeforeExit(write());
	});

const report = async (context: Context, {ability, folder, files, written}: Pulled): Promise<void> => {
	if (context.options.isJson) {
		await context.printJson({
			capability_id: ability.id, name: rawName(ability), folder, files: files.map(file => file.path),
		});
	} else if (isForPerson(context)) {
		const sameCount = files.length - written.length;
		const same = sameCount > 0 ? `, ${sameCount} unchanged` : '';
		const verb = context.isDryRun ? 'Would pull' : 'Pulled';
		context.print(`${verb} ${ability.name} into ${quotePath(folder)}: ${counted(written.length, 'file')} written${same}.`);
	} else {
		const befores = new Map(written.map(({path: file, before}) => [file, before === undefined ? 'added' : 'changed']));
		for (const file of files) {
			context.print(`${cleanText(file.path)}\t${befores.get(file.path) ?? 'unchanged'}`);
		}
	}

	noteDryRun(context);
};

export const definePullAbility: DefineCommand = (parent, run) => parent
	.command('pull')
	.description('write the source of an ability to a folder')
	.argument('<ability>', 'an id, or a name in any case')
	.argument('[folder]', 'by default one with the name of the ability')
	.option('--force', 'overwrite files that differ; files that are not part of the ability stay')
	.option(...dryRunOption)
	.addHelpText('after', examples(
		['switchboard abilities pull pantry', 'into the folder pantry'],
		['switchboard abilities pull 8 ./abilities/pantry', 'into another folder'],
		['switchboard abilities pull pantry --dry-run', 'the files that it would write'],
	))
	.action(run(async (given, word: string, folder: string | undefined, options: PullOptions) => {
		refuseEmptyName(folder);
		const context = startLocalChange(given, options);
		await report(context, await pull(context, word, folder, options));
	}));
