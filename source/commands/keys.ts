import {notSent} from '../changes/send-changes.ts';
import {cleanText} from '../interface/clean-text.ts';
import type {ApiKeys} from '../service/accounts.ts';
import {examples, type DefineCommand} from './command.ts';
import {
	isForPerson,
	printJsonOr,
	toPublicError,
	type Context,
} from './context.ts';
import {
	chooseLocation,
	databaseUrlOption,
	dataOption,
	requireExistingStore,
	type LocationOptions,
} from './database-option.ts';
import {confirmOnTerminal} from './input/confirm.ts';
import type {Column} from './output/lay-table.ts';
import {
	addTableOptions,
	chosenFormat,
	printRows,
	type TableOptions,
} from './output/table.ts';
import {dryRunOption} from './options.ts';

type CreateOptions = LocationOptions & {readonly account?: string; readonly name?: string};

/** Runs an action on the keys of a service, which may be running. */
const withKeys = async <T>(location: string, action: (keys: ApiKeys) => Promise<T>): Promise<T> => {
	const {openApiKeys} = await import('../service/accounts.ts');
	const keys = await openApiKeys(location);
	try {
		return await action(keys);
	} finally {
		await keys.close();
	}
};

/** Where there is no database yet, none is made. */
const previewKey = async (context: Context, {account, name, ...options}: CreateOptions): Promise<void> => {
	const [{planKey}, {hasStore}] = await Promise.all([import('../service/accounts.ts'), import('../service/store/open-store.ts')]);
	const location = await chooseLocation(options, context.env);
	const stored = await hasStore(location) ? await withKeys(location, async keys => keys.list()) : [];
	const planned = planKey(stored, {account, name});
	await printJsonOr(context, {key: null, id: null, ...planned}, () => {
		context.note(`Would create the key “${planned.name}” of the account “${planned.account}”.`);
	});
};

const createKey = async (context: Context, options: CreateOptions): Promise<void> => {
	if (context.isDryRun) {
		await previewKey(context, options);
		return;
	}

	const {account, name} = options;
	const created = await withKeys(await chooseLocation(options, context.env), async keys => keys.create({account, name}));
	if (context.options.isJson) {
		await context.printJson(created);
		return;
	}

	context.print(created.key);
	context.note(`Created the key “${created.name}” of the account “${created.account}”. Copy it now: only its hash is stored.`);
};

type StoredKey = Awaited<ReturnType<ApiKeys['list']>>[number];

/** The same where no home is made by it. */
const withExistingKeys = async <T>({env}: Context, options: LocationOptions, action: (keys: ApiKeys) => Promise<T>): Promise<T> => {
	const location = await chooseLocation(options, env);
	await requireExistingStore(location, env);
	return withKeys(location, action);
};

const keyColumns: ReadonlyArray<Column<StoredKey>> = [
	{title: 'ID', text: key => String(key.id), value: key => key.id},
	{title: 'NAME', text: key => cleanText(key.name), minimumWidth: 12},
	{
		title: 'ACCOUNT', text: key => cleanText(key.account), minimumWidth: 12, givesWay: 2,
	},
	{title: 'CREATED', text: key => key.created_at, givesWay: 1},
];

const listKeys = async (context: Context, options: LocationOptions & TableOptions): Promise<void> => {
	chosenFormat(context.options, options);
	const stored = await withExistingKeys(context, options, async keys => keys.list());
	await printRows(context, keyColumns, stored, {ifEmpty: 'There are no keys. Create one with: switchboard keys create', options});
};

const confirmRevocation = async (context: Context, found: readonly StoredKey[]): Promise<void> => {
	const names = found.map(({name, id, account}) => cleanText(`“${name}” (${id}) of the account “${account}”`)).join(', ');
	const question = `Revoke the key${found.length === 1 ? '' : 's'} ${names}? Programs that use ${found.length === 1 ? 'it' : 'them'} lose access at once.`;
	await confirmOnTerminal(context, question, 'Nothing was revoked.', async isCut => {
		const error = isCut ? {error: toPublicError(notSent(undefined, context.readSignal).error)} : {};
		await context.printJson(found.map(({id, name}) => ({
			id, name, revoked: false, ...error,
		})));
	});
};

const revokeKeys = async (context: Context, namesOrIds: readonly string[], options: LocationOptions): Promise<void> => {
	const revoked = await withExistingKeys(context, options, async keys => {
		const found = await keys.find(namesOrIds);
		await confirmRevocation(context, found);
		return context.isDryRun ? found : keys.revoke(found.map(({id}) => String(id)));
	});
	await printJsonOr(context, revoked.map(({id, name}) => ({id, name, revoked: true})), () => {
		for (const {id, name} of revoked) {
			const shownName = cleanText(name);
			context.print(isForPerson(context) ? `${context.isDryRun ? 'Would revoke' : 'Revoked'} ${shownName} (${id}).` : `${id}\trevoked\t${shownName}`);
		}
	});
};

export const defineKeys: DefineCommand = (parent, run) => {
	const keys = parent
		.command('keys')
		.description('manage the API keys of the bundled service')
		.addHelpText('after', examples(
			['switchboard keys create', 'create a key and print it'],
			['switchboard keys list', 'list the keys'],
			['switchboard keys revoke ci', 'revoke the key “ci”'],
		));
	keys
		.command('create')
		.description('create a key and print it')
		.option('--account <name>', 'the account of the key, created with its first key (default: “default”)')
		.option('--name <name>', 'the name of the key (default: “key 1” and so on)')
		.option(...dataOption)
		.option(...databaseUrlOption)
		.option(...dryRunOption)
		.addHelpText('after', examples(
			['switchboard keys create', 'a key for the account “default”'],
			['KEY=$(switchboard keys create --name ci)', 'standard output holds only the key'],
		))
		.action(run(createKey));
	addTableOptions(keys.command('list'), keyColumns)
		.description('list the keys: their names, not their secrets')
		.option(...dataOption)
		.option(...databaseUrlOption)
		.addHelpText('after', examples(['switchboard keys list', 'id, name, account and time of creation']))
		.action(run(listKeys));
	keys
		.command('revoke')
		.description('revoke keys; they stop working at once')
		.argument('<key...>', 'ids, or names in any case')
		.option('--yes', 'skip the confirmation')
		.option(...dataOption)
		.option(...databaseUrlOption)
		.option(...dryRunOption)
		.addHelpText('after', examples(['switchboard keys revoke ci', 'asks for confirmation on a terminal'], ['switchboard keys revoke 3 4 --yes', 'by id']))
		.action(run(revokeKeys));
	return keys;
};
