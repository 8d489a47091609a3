import {existsSync} from 'node:fs';
import {realpath, stat} from 'node:fs/promises';
import path from 'node:path';
import {formatBytes} from '../interface/ability-package/limits.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {isDatabaseUrl, withoutPassword} from '../platform/secret-variables.ts';
import {shellWord} from '../platform/shell-word.ts';
import {counted, formatCount} from '../interface/format-count.ts';
import type {DefineCommand} from './command.ts';
import {printJsonOr, type Context} from './context.ts';
import {
	chooseExistingLocation,
	chooseLocation,
	chosenDatabaseUrl,
	databaseUrlOption,
	dataOption,
	parseDatabaseUrl,
	shownLocation,
	type LocationOptions,
} from './database-option.ts';
import type {FilePlace} from './output/replace-file.ts';
import {requireYes} from './input/confirm.ts';
import {dryRunOption, wrongValue} from './options.ts';
import type {Column} from './output/lay-table.ts';
import {printRows} from './output/table.ts';

/** The signal and the progress of a copy of a database. */
const copying = ({readSignal, showProgress}: Context, what: string) => ({
	signal: readSignal,
	onProgress: (part: number) => showProgress(`Copying the ${what}: ${Math.floor(part * 100)} % …`),
});

type BackupOptions = LocationOptions & {readonly force?: boolean};

const explainPgDump = (url: string, file: string): SwitchboardError =>
	new SwitchboardError('usage', 'A PostgreSQL database is backed up with its own tool, pg_dump.', {
		nextStep: `Run: pg_dump --format=custom --file=${shellWord(file)} ${shellWord(withoutPassword(url))}`,
	});

/** Returns the place of the backup, before anything is read. */
async function findPlace(file: string, folder: string, {force = false}: BackupOptions): Promise<FilePlace> {
	if (file === '-' || file === '') {
		throw new SwitchboardError('usage', 'A backup goes to a file, which is checked at the end.', {
			nextStep: 'Name one: switchboard backup home.db',
		});
	}

	const [{findFilePlace}, {databaseFilesIn, hasDatabase}] = await Promise.all([
		import('./output/replace-file.ts'),
		import('../service/data-folder.ts'),
	]);
	const place = await findFilePlace(file);
	if (hasDatabase(folder) && databaseFilesIn(await realpath(folder)).includes(path.resolve(place.path))) {
		throw new SwitchboardError('usage', `“${place.name}” is the database itself. Nothing was done.`, {nextStep: 'Name another file.'});
	}

	if (existsSync(`${place.path}-wal`)) {
		throw new SwitchboardError('conflict', `“${place.name}” is a database that is in use, or was not closed. Nothing was done.`, {
			nextStep: 'Use another file.',
		});
	}

	const isTaken = place.mode !== undefined && (await stat(place.path)).size > 0;
	if (isTaken && !force) {
		throw new SwitchboardError('conflict', `“${place.name}” exists. Nothing was done.`, {
			nextStep: 'Use another file, or --force to replace it.',
		});
	}

	// Whatever its mode was before: it will hold prompts and the hashes of keys.
	return {...place, mode: 0o600};
}

async function backUp(context: Context, file: string, options: BackupOptions): Promise<void> {
	const url = chosenDatabaseUrl(options, context.env);
	if (url !== undefined) {
		throw explainPgDump(url, file);
	}

	const [{defaultDataFolder}, {backUp: copy}, {replaceFileBy}] = await Promise.all([
		import('../service/data-folder.ts'),
		import('../service/store/maintenance.ts'),
		import('./output/replace-file.ts'),
	]);
	const folder = options.data ?? defaultDataFolder();
	const place = await findPlace(file, folder, options);
	// A signal ends the backup early, and its file is then removed.
	await context.finishBeforeExit(replaceFileBy(place, async unfinished => copy(folder, unfinished, copying(context, 'database'))));
	const {size} = await stat(place.path);
	await printJsonOr(context, {file, bytes: size}, () => context.note(`Wrote ${place.name}: ${formatBytes(size)}.`));
}

export const defineBackup: DefineCommand = (parent, run) =>
	parent
		.command('backup')
		.description('write a copy of the data of the bundled service, which may be running, to a file')
		.argument('<file>', 'the file to write')
		.option(...dataOption)
		.option(...databaseUrlOption)
		.option('--force', 'replace an existing file')
		.examples(
			['switchboard backup home.db', 'write the copy and check it'],
			['switchboard restore home.db', 'put it back; the present data is set aside'],
			['switchboard restore home.db --data new', 'restore it into a new data folder'],
		)
		.action(run(backUp));

const explainPostgres = (file: string, url: string): SwitchboardError =>
	new SwitchboardError('usage', `“${file}” cannot be restored into a PostgreSQL database directly. Nothing was restored.`, {
		nextStep: [
			`Restore a backup of a data folder into a new folder, then run: switchboard copy --from FOLDER --to ${shellWord(shownLocation(url))}`,
			`For an archive of pg_dump, run: pg_restore --dbname=${shellWord(shownLocation(url))} ${shellWord(file)}`,
		].join('\n'),
	});

async function restore(context: Context, file: string, options: LocationOptions): Promise<void> {
	const url = chosenDatabaseUrl(options, context.env);
	if (url !== undefined) {
		throw explainPostgres(file, url);
	}

	const [{defaultDataFolder}, {planRestore, refuseOpenData, restoreBackup}] = await Promise.all([
		import('../service/data-folder.ts'),
		import('../service/store/maintenance.ts'),
	]);
	if (file === '') {
		const nextStep = 'Name a file that “switchboard backup” wrote.';
		throw new SwitchboardError('usage', 'The name of the backup is empty. Nothing was restored.', {nextStep});
	}

	const folder = options.data ?? defaultDataFolder();
	const backup = path.resolve(file);
	const planned = await planRestore(backup, folder);
	if (planned !== undefined && !context.isDryRun && !context.isSure) {
		refuseOpenData(folder);
		await requireYes(context, `Replace the data in ${folder}? It is kept as ${planned}.`, {ifNo: 'Nothing was restored.'});
	}

	const aside = context.isDryRun ? planned : await context.finishBeforeExit(restoreBackup(backup, folder, copying(context, 'backup')));
	await printJsonOr(context, {file, set_aside: aside ?? null}, () => {
		const [done, kept] = context.isDryRun ? ['Would restore', 'would be'] : ['Restored', 'is'];
		context.note(`${done} ${file} into ${folder}.${aside === undefined ? '' : ` The data that was there ${kept} in ${aside}.`}`);
	});
}

export const defineRestore: DefineCommand = (parent, run) =>
	parent
		.command('restore')
		.description('replace the data of the bundled service with a backup; the present data is set aside')
		.argument('<backup>', 'a file that “switchboard backup” wrote')
		.option(...dataOption)
		.option(...databaseUrlOption)
		.option('--yes', 'skip the confirmation')
		.option(...dryRunOption)
		.examples(
			['switchboard restore home.db', 'check the backup and put it back; stop the service first'],
			['switchboard restore home.db --data new', 'into a new data folder'],
			['switchboard restore home.db --dry-run', 'only check the backup, and say what would be set aside'],
		)
		.action(run(restore));

async function check(context: Context, options: LocationOptions): Promise<void> {
	const location = await chooseLocation(options, context.env);
	const {checkStore} = await import('../service/store/maintenance.ts');
	context.showProgress('Checking the database …');
	const {findings, summary} = await checkStore(location);
	const problems = findings.filter(({severity}) => severity === 'problem');
	const isInOrder = problems.length === 0;
	await printJsonOr(context, {ok: isInOrder, findings}, () => {
		context.print(`The database in ${shownLocation(location)} ${isInOrder ? 'is in order' : 'has problems'}.`);
		for (const text of [...findings.map(({severity, message}) => `${severity}: ${message}`), ...summary]) {
			context.print(text);
		}
	});

	if (!isInOrder) {
		throw new SwitchboardError('unexpected', `The check found ${counted(problems.length, 'problem')}.`);
	}
}

export const defineCheck: DefineCommand = (parent, run) =>
	parent
		.command('check')
		.description('check the database of the bundled service, which may be running')
		.option(...dataOption)
		.option(...databaseUrlOption)
		.examples(
			['switchboard check', 'check it, and change nothing'],
			['switchboard check --data ./restored', 'a restored backup, before it is used'],
			['switchboard check --json', 'the findings as JSON'],
		)
		.exitCodes(['0', 'the database is in order'], ['1', 'it is not'])
		.action(run(check));

/** Anything with `://` is taken for a URL: a folder with such a name would be a mistake. */
const parseLocation =
	(option: string) =>
	(text: string): string => {
		if (text === '') {
			throw wrongValue(option, text, 'a data folder, or the URL of a PostgreSQL database');
		}

		return isDatabaseUrl(text) || text.includes('://')
			? parseDatabaseUrl(option, text, 'Put the password into the file that PGPASSFILE names (by default ~/.pgpass).')
			: path.resolve(text);
	};

const copiedColumns: ReadonlyArray<Column<readonly [table: string, count: number]>> = [
	{title: 'TABLE', text: ([table]) => table},
	{title: 'ROWS', text: ([, count]) => String(count)},
];

async function copy(context: Context, {from, to}: {readonly from: string; readonly to: string}): Promise<void> {
	const {copyStore, planCopy} = await import('../service/store/maintenance.ts');
	const work = context.isDryRun ? planCopy : copyStore;
	const counts = await context.finishBeforeExit(
		work(from, to, {
			signal: context.readSignal,
			onProgress(doing, table, count) {
				context.showProgress(`${doing === 'copying' ? 'Copying' : 'Comparing'} ${table}: ${formatCount(count)} …`);
			},
		}),
	);
	await (context.options.isJson
		? context.printJson({counts})
		: printRows(context, copiedColumns, Object.entries(counts), {ifEmpty: 'Nothing was copied.'}));

	if (!context.isDryRun) {
		context.note(
			`Copied to ${shownLocation(to)}, and compared. Changes that a service made to ${shownLocation(from)} meanwhile are not in the copy.`,
		);
	}
}

export const defineCopy: DefineCommand = (parent, run) =>
	parent
		.command('copy')
		.description('copy the data of the bundled service to another data folder or PostgreSQL database')
		.requiredOption('--from <folder|url>', 'what to copy: a data folder or postgres://…; it is not changed', parseLocation('--from'))
		.requiredOption('--to <folder|url>', 'where to copy it: a new folder, or a database without such data', parseLocation('--to'))
		.option(...dryRunOption)
		.examples(
			[
				'switchboard copy --from ./data --to postgres://home@db/home',
				'to PostgreSQL; stop the service first, or later changes are missing',
			],
			['switchboard copy --from postgres://home@db/home --to ./data', 'back to a data folder'],
		)
		.action(run(copy));

async function migrate(context: Context, options: LocationOptions): Promise<void> {
	const location = await chooseExistingLocation(options, context.env);
	const [{migrateStore}, {describeMigration}] = await Promise.all([
		import('../service/store/open-store.ts'),
		import('../service/store/database-version.ts'),
	]);
	const migration = await context.finishBeforeExit(migrateStore(location, {isDryRun: context.isDryRun, ...copying(context, 'database')}));
	const {from, to} = migration;
	await printJsonOr(context, {from, to, changed: from !== to}, () =>
		context.print(describeMigration(migration, shownLocation(location), context.isDryRun)),
	);
}

export const defineMigrate: DefineCommand = (parent, run) =>
	parent
		.command('migrate')
		.description('update the database of the bundled service to this version of the program, as serve does when it starts')
		.option(...dataOption)
		.option(...databaseUrlOption)
		.option(...dryRunOption)
		.examples(
			['switchboard migrate --dry-run', 'show the version of the database, and what would be done'],
			['switchboard migrate', 'stop serve first; a copy of the file is kept beside it'],
			['switchboard migrate --database-url postgres://home@db/home', 'while earlier processes go on reading'],
		)
		.action(run(migrate));
