import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {dataOption} from './data-option.ts';
import {
	chooseLocation,
	databaseUrlOption,
	type LocationOptions,
	shownLocation,
} from './database-option.ts';
import {
	dryRunOption,
	noteDryRun,
	startChange,
	type DryRunOption,
} from './dry-run.ts';
import {requireExistingStore} from './existing-store.ts';

const migrate = async (given: Context, options: LocationOptions & DryRunOption): Promise<void> => {
	const context = startChange(given, options);
	const location = await chooseLocation(options, context.env);
	await requireExistingStore(location, context.env);
	const [{migrateStore}, {describeMigration}] = await Promise.all([import('../service/store/open-store.ts'), import('../service/store/database-version.ts')]);
	const migration = await context.finishBeforeExit(migrateStore(location, {
		isDryRun: context.isDryRun,
		signal: context.readSignal,
		onProgress(part) {
			context.showProgress(`Copying the database: ${Math.floor(part * 100)} % …`);
		},
	}));
	const {from, to} = migration;
	if (context.options.isJson) {
		await context.printJson({from, to, changed: from !== to});
	} else {
		context.print(describeMigration(migration, shownLocation(location), context.isDryRun));
	}

	noteDryRun(context);
};

export const defineMigrate: DefineCommand = (parent, run) => parent
	.command('migrate')
	.description('bring the database of the bundled service to the version of this program, as serve does when it starts')
	.option(...dataOption)
	.option(...databaseUrlOption)
	.option(...dryRunOption)
	.addHelpText('after', examples(
		['switchboard migrate --dry-run', 'show the version of the database, and what would be done'],
		['switchboard migrate', 'stop serve first; a copy of the file is kept beside it'],
		['switchboard migrate --database-url postgres://home@db/home', 'while earlier processes go on reading'],
	))
	.action(run(migrate));
