import {notSent} from '../changes/send-changes.ts';
import {formatBytes} from '../interface/ability-package/limits.ts';
import {cleanText} from '../interface/clean-text.ts';
import {counted} from '../interface/format-count.ts';
import type {AccountAdministration} from '../service/accounts.ts';
import type {DefineCommand} from './command.ts';
import {toPublicError, type Context} from './context.ts';
import {chooseExistingLocation, databaseUrlOption, dataOption, type LocationOptions} from './database-option.ts';
import {requireYes} from './input/confirm.ts';
import {defineListCommand} from './list-command.ts';
import {dryRunOption} from './options.ts';
import type {Column} from './output/lay-table.ts';
import {printResult, printRows, type TableOptions} from './output/table.ts';

type Account = Awaited<ReturnType<AccountAdministration['find']>>;

type PublicAccount = Pick<Account, 'name' | 'keys' | 'bytes'>;

const toPublic = ({name, keys, bytes}: Account): PublicAccount => ({name, keys, bytes});

const columns: ReadonlyArray<Column<PublicAccount>> = [
	{title: 'ACCOUNT', name: 'name', text: ({name}) => cleanText(name), minimumWidth: 12},
	{title: 'KEYS', text: ({keys}) => String(keys), value: ({keys}) => keys},
	{title: 'BYTES', text: ({bytes}) => String(bytes), shownText: ({bytes}) => formatBytes(bytes), value: ({bytes}) => bytes},
];

export const defineAccounts: DefineCommand = (parent, run) => {
	const accounts = defineListCommand(parent, run, {
		name: 'accounts',
		description: 'list the accounts of the bundled service and the space that they take',
		examples: [
			['switchboard accounts', 'name, number of keys, and bytes'],
			['switchboard accounts delete guests', 'delete one with its keys and its data'],
		],
		columns,
		options: [dataOption, databaseUrlOption],
		list: listAccounts,
	});
	accounts
		.command('delete')
		.description('delete an account with all that it holds; its keys stop working at once')
		.argument('<account>', 'its name')
		.option('--yes', 'skip the confirmation')
		.option(...dataOption)
		.option(...databaseUrlOption)
		.option(...dryRunOption)
		.notes(`
The service may be running. Its database file is written anew without the data;
in PostgreSQL the rows are deleted, and VACUUM frees their space on the disk.
Backups keep the account.`)
		.examples(
			['switchboard accounts delete guests', 'asks for confirmation'],
			['switchboard accounts delete guests --dry-run', 'only say what would be deleted'],
		)
		.action(run(deleteAccount));
	return accounts;
};

async function listAccounts(context: Context, options: LocationOptions & TableOptions): Promise<void> {
	await using accounts = await openExisting(context, options);
	const stored = await accounts.list();
	await printRows(
		context,
		columns,
		stored.map(account => toPublic(account)),
		{ifEmpty: 'There are no accounts. The first key creates one: switchboard keys create', options},
	);
}

async function deleteAccount(context: Context, word: string, options: LocationOptions): Promise<void> {
	const {isSure, isDryRun, printJson, readSignal} = context;
	await using accounts = await openExisting(context, options);
	const account = await accounts.find(word);
	const name = cleanText(account.name);
	const undone = await accounts.timersOf(account.id);
	if (!isSure && !isDryRun) {
		const question = `Delete the account “${name}” with all that it holds (${formatBytes(account.bytes)}) and its ${counted(account.keys, 'key')}?${undone === undefined ? '' : ` ${undone}`} This cannot be undone.`;
		const printKept = async (isCut: boolean): Promise<void> => {
			const error = isCut ? {error: toPublicError(notSent(undefined, readSignal).error)} : {};
			await printJson([{...toPublic(account), deleted: false, ...error}]);
		};

		await requireYes(context, question, {ifNo: 'Nothing was deleted.', report: context.options.isJson ? printKept : undefined});
	}

	const report = async (): Promise<void> => {
		await printResult(context, {
			json: [{...toPublic(account), deleted: true}],
			sentence: `${isDryRun ? 'Would delete' : 'Deleted'} the account ${name}.`,
			fields: [name, 'deleted'],
		});
		if (undone !== undefined) {
			context.note(undone);
		}
	};

	const remove = async (): Promise<void> => {
		await accounts.remove(account.id);
		try {
			context.showProgress('Removing its data from the database …');
			await accounts.erase();
		} finally {
			await report();
		}
	};

	await (isDryRun ? report() : context.finishBeforeExit(remove()));
}

/** Opens the accounts of a service, which may be running. */
async function openExisting({env}: Context, options: LocationOptions) {
	const location = await chooseExistingLocation(options, env);
	return (await import('../service/accounts.ts')).openAccounts(location);
}
