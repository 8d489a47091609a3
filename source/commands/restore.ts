import path from 'node:path';
import {SwitchboardError} from '../interface/errors.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {dataOption} from './data-option.ts';
import {
	chosenDatabaseUrl,
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
import {confirm, refuseUnaskable, requireYes} from './input/confirm.ts';

type RestoreOptions = DryRunOption & LocationOptions & {readonly yes?: boolean};

const explainPostgres = (file: string, url: string): SwitchboardError => new SwitchboardError('usage', `“${file}” cannot be restored into a PostgreSQL database directly. Nothing was restored.`, {
	nextStep: [
		`Restore a backup of a data folder into a new folder, then run: switchboard copy --from FOLDER --to ${shownLocation(url)}`,
		`For an archive of pg_dump, run: pg_restore --dbname=${shownLocation(url)} ${file}`,
	].join('\n'),
});

const restore = async (given: Context, file: string, options: RestoreOptions): Promise<void> => {
	const context = startChange(given, options);
	const url = chosenDatabaseUrl(options, context.env);
	if (url !== undefined) {
		throw explainPostgres(file, url);
	}

	const [{defaultDataFolder}, {planRestore, restoreBackup}] = await Promise.all([import('../service/data-folder.ts'), import('../service/store/maintenance.ts')]);
	const folder = options.data ?? defaultDataFolder();
	const backup = path.resolve(file);
	const planned = await planRestore(backup, folder, context.readSignal);
	if (planned !== undefined && !context.isDryRun && !context.isSure) {
		refuseUnaskable(context, false, 'replace the home');
		await requireYes(context, async () => confirm(context, `Replace the home in ${folder}? It is kept as ${planned}.`), {ifNo: 'Nothing was restored.'});
	}

	const copy = async (): Promise<string | undefined> => restoreBackup(backup, folder, {
		signal: context.readSignal,
		onProgress(part) {
			context.showProgress(`Copying the backup: ${Math.floor(part * 100)} % …`);
		},
	});
	const aside = context.isDryRun ? planned : await context.finishBeforeExit(copy());
	if (context.options.isJson) {
		await context.printJson({file, set_aside: aside ?? null});
	} else {
		const [done, kept] = context.isDryRun ? ['Would restore', 'would be'] : ['Restored', 'is'];
		context.note(`${done} ${file} into ${folder}.${aside === undefined ? '' : ` The home that was there ${kept} in ${aside}.`}`);
	}

	noteDryRun(context);
};

export const defineRestore: DefineCommand = (parent, run) => parent
	.command('restore')
	.description('put a backup in the place of the home of the bundled service, which is set aside')
	.argument('<backup>', 'a file that “switchboard backup” wrote')
	.option(...dataOption)
	.option(...databaseUrlOption)
	.option('--yes', 'replace the home without confirmation')
	.option(...dryRunOption)
	.addHelpText('after', examples(
		['switchboard restore home.db', 'check the backup and put it back; stop the service first'],
		['switchboard restore home.db --data new', 'into a new data folder'],
		['switchboard restore home.db --dry-run', 'check the backup, and say what would be set aside'],
	))
	.action(run(restore));
