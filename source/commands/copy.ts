import path from 'node:path';
import {formatCount} from '../interface/format-count.ts';
import {isDatabaseUrl} from '../platform/database-url.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {parseDatabaseUrl, shownLocation} from './database-option.ts';
import {
	dryRunOption,
	noteDryRun,
	startChange,
	type DryRunOption,
} from './dry-run.ts';
import {wrongValue} from './wrong-value.ts';

type CopyOptions = DryRunOption & {readonly from: string; readonly to: string};

/** Anything with `://` is taken for a URL: a folder of such a name would be a mistake. */
const parseLocation = (option: string) => (text: string): string => {
	if (text === '') {
		throw wrongValue(option, text, 'a data folder, or the URL of a PostgreSQL database');
	}

	return isDatabaseUrl(text) || text.includes('://')
		? parseDatabaseUrl(option, text, 'Put the password into the file that PGPASSFILE names (by default ~/.pgpass).')
		: path.resolve(text);
};

const copy = async (given: Context, {from, to, ...options}: CopyOptions): Promise<void> => {
	const context = startChange(given, options);
	const {copyStore, planCopy} = await import('../service/store/maintenance.ts');
	const work = context.isDryRun ? planCopy : copyStore;
	const counts = await context.finishBeforeExit(work(from, to, {
		signal: context.readSignal,
		onProgress(doing, table, count) {
			context.showProgress(`${doing === 'copying' ? 'Copying' : 'Comparing'} ${table}: ${formatCount(count)} …`);
		},
	}));
	if (context.options.isJson) {
		await context.printJson({counts});
	} else {
		for (const [table, count] of Object.entries(counts)) {
			context.print(`${table}\t${count}`);
		}
	}

	if (!context.isDryRun) {
		context.note(`Copied to ${shownLocation(to)}, and compared. Changes that a service made to ${shownLocation(from)} meanwhile are not in the copy.`);
	}

	noteDryRun(context);
};

export const defineCopy: DefineCommand = (parent, run) => parent
	.command('copy')
	.description('copy a home from one data folder or PostgreSQL database to another')
	.requiredOption('--from <folder|url>', 'what to copy: a data folder or postgres://…; it is not changed', parseLocation('--from'))
	.requiredOption('--to <folder|url>', 'where to copy it: a new folder, or a database without a home', parseLocation('--to'))
	.option(...dryRunOption)
	.addHelpText('after', examples(
		['switchboard copy --from ./data --to postgres://home@db/home', 'to PostgreSQL; stop the service first, or later changes are missing'],
		['switchboard copy --from postgres://home@db/home --to ./data', 'back to a data folder'],
	))
	.action(run(copy));
