import {realpath, stat} from 'node:fs/promises';
import path from 'node:path';
import {formatBytes} from '../interface/ability-package/limits.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {withoutPassword} from '../platform/database-url.ts';
import {shellWord} from '../settings/sign-in-hint.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {dataOption} from './data-option.ts';
import {chosenDatabaseUrl, databaseUrlOption, type LocationOptions} from './database-option.ts';
import type {FilePlace} from './output/replace-file.ts';

type BackupOptions = LocationOptions & {readonly force?: boolean};

const explainPgDump = (url: string, file: string): SwitchboardError => new SwitchboardError('usage', 'A PostgreSQL database is backed up with its own tool, pg_dump.', {
	nextStep: `Run: pg_dump --format=custom --file=${shellWord(file)} ${shellWord(withoutPassword(url))}`,
});

/** The place of the backup, before anything is read. */
const findPlace = async (file: string, folder: string, {force = false}: BackupOptions): Promise<FilePlace> => {
	if (file === '-' || file === '') {
		throw new SwitchboardError('usage', 'A backup goes to a file, which is checked at the end.', {nextStep: 'Name one: switchboard backup home.db'});
	}

	const [{findFilePlace}, {databaseFilesIn, hasDatabase}] = await Promise.all([import('./output/replace-file.ts'), import('../service/data-folder.ts')]);
	const place = await findFilePlace(file);
	if (hasDatabase(folder) && databaseFilesIn(await realpath(folder)).includes(path.resolve(place.path))) {
		throw new SwitchboardError('usage', `“${place.name}” is the database itself. Nothing was done.`, {nextStep: 'Name another file.'});
	}

	const isTaken = place.mode !== undefined && (await stat(place.path)).size > 0;
	if (isTaken && !force) {
		throw new SwitchboardError('conflict', `“${place.name}” exists. Nothing was done.`, {nextStep: 'Use another file, or --force to replace it.'});
	}

	// Whatever it was before: it will hold prompts and the hashes of keys.
	return {...place, mode: 0o600};
};

const backUp = async (context: Context, file: string, options: BackupOptions): Promise<void> => {
	const url = chosenDatabaseUrl(options, context.env);
	if (url !== undefined) {
		throw explainPgDump(url, file);
	}

	const [{defaultDataFolder}, {backUp: copy}, {replaceFileBy}] = await Promise.all([
		import('../service/data-folder.ts'), import('../service/store/maintenance.ts'), import('./output/replace-file.ts'),
	]);
	const folder = options.data ?? defaultDataFolder();
	const place = await findPlace(file, folder, options);
	// A signal ends it early, and then what is written is removed.
	await context.finishBeforeExit(replaceFileBy(place, async unfinished => copy(folder, unfinished, {
		signal: context.readSignal,
		onProgress(part) {
			context.showProgress(`Copying the database: ${Math.floor(part * 100)} % …`);
		},
	})));
	const {size} = await stat(place.path);
	if (context.options.isJson) {
		await context.printJson({file, bytes: size});
	} else {
		context.note(`Wrote ${place.name}: ${formatBytes(size)}.`);
	}
};

export const defineBackup: DefineCommand = (parent, run) => parent
	.command('backup')
	.description('copy the database of the bundled service while it runs')
	.argument('<file>', 'the file to write; to restore it: switchboard restore')
	.option(...dataOption)
	.option(...databaseUrlOption)
	.option('--force', 'replace an existing file')
	.addHelpText('after', examples(
		['switchboard backup home.db', 'copy the database and check the copy'],
		['switchboard restore home.db', 'put it back; the present home is set aside'],
		['switchboard restore home.db --data new', 'restore it into a new data folder'],
	))
	.action(run(backUp));
