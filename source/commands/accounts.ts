import {notSent} from '../changes/send-changes.ts';
import {formatBytes} from '../interface/ability-package/limits.ts';
import {cleanText} from '../interface/clean-text.ts';
import {counted} from '../interface/format-count.ts';
import type {AccountAdministration} from '../service/accounts.ts';
import {examples, type DefineCommand} from './command.ts';
import {toPublicError, type Context} from './context.ts';
import {chooseLocation, databaseUrlOption, dataOption, requireExistingStore, type LocationOptions} from './database-option.ts';
import {requireYes} from './input/confirm.ts';
import {defineListCommand} from './list-command.ts';
import type {Column} from './output/lay-table.ts';
import {printResult, printRows, type TableOptions} from './output/table.ts';
import {dryRunOption} from './options.ts';

/** No home is made by it. */
const withAccounts = async <T>(
	{env}: Context,
	options: LocationOptions,
	action: (accounts: AccountAdministration) => Promise<T>,
): Promise<T> => {
	const location = await chooseLocation(options, env);
	await requireExistingStore(location, env);
	const {openAccounts} = await import('../service/accounts.ts');
	const accounts = await openAccounts(location);
	try {
		return await action(accounts);
	} finally {
		await accounts.close();
	}
};

type StoredAccount = Awaited<ReturnType<AccountAdministration['find']>>;

type PublicAccount = Pick<StoredAccount, 'name' | 'keys' | 'bytes'>;

const toPublic = ({name, keys, bytes}: StoredAccount): PublicAccount => ({name, keys, bytes});

const columns: ReadonlyArray<Column<PublicAccount>> = [
	{title: 'ACCOUNT', name: 'name', text: ({name}) => cleanText(name), minimumWidth: 12},
	{title: 'KEYS', text: ({keys}) => String(keys), value: ({keys}) => keys},
	{title: 'BYTES', text: ({bytes}) => String(bytes), shownText: ({bytes}) => formatBytes(bytes), value: ({bytes}) => bytes},
];

const listAccounts = async (context: Context, options: LocationOptions & TableOptions): Promise<void> => {
	const stored = await withAccounts(context, options, async accounts => accounts.list());
	await printRows(
		context,
		columns,
		stored.map(account => toPublic(account)),
		{ifEmpty: 'There are no accounts. The first key creates one: switchboard keys create', options},
	);
};

const askToDelete = async (context: Context, account: StoredAccount): Promise<void> => {
	const question = `Delete the account “${cleanText(account.name)}” with all that it holds (${formatBytes(account.bytes)}) and its ${counted(account.keys, 'key')}? This cannot be undone.`;
	await requireYes(context, question, {
		verb: 'delete',
		ifNo: 'Nothing was deleted.',
		report: context.options.isJson
			? async isCut => {
					const error = isCut ? {error: toPublicError(notSent(undefined, context.readSignal).error)} : {};
					await context.printJson([{...toPublic(account), deleted: false, ...error}]);
				}
			: undefined,
	});
};

const reportDeleted = async (context: Context, account: StoredAccount): Promise<void> => {
	const name = cleanText(account.name);
	await printResult(context, {
		json: [{...toPublic(account), deleted: true}],
		sentence: `${context.isDryRun ? 'Would delete' : 'Deleted'} the account ${name}.`,
		fields: [name, 'deleted'],
	});
};

const removeAccount = async (context: Context, accounts: AccountAdministration, account: StoredAccount): Promise<void> => {
	await accounts.remove(account.id);
	try {
		context.showProgress('Removing its data from the database …');
		await accounts.erase();
	} finally {
		await reportDeleted(context, account);
	}
};

const deleteAccount = async (context: Context, name: string, options: LocationOptions): Promise<void> =>
	withAccounts(context, options, async accounts => {
		const account = await accounts.find(name);
		if (!context.isSure && !context.isDryRun) {
			await askToDelete(context, account);
		}

		await (context.isDryRun ? reportDeleted(context, account) : context.finishBeforeExit(removeAccount(context, accounts, account)));
	});

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
		.addHelpText(
			'after',
			`
The service may be running. Its database file is written anew without the data;
in PostgreSQL the rows are deleted, and VACUUM frees their room on the disk.
Backups keep the account.`,
		)
		.addHelpText(
			'after',
			examples(
				['switchboard accounts delete guests', 'asks for confirmation'],
				['switchboard accounts delete guests --dry-run', 'only say what would be deleted'],
			),
		)
		.action(run(deleteAccount));
	return accounts;
};
