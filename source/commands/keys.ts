import type {Command} from 'commander';
import type {ApiKeys} from '../service/api-keys.ts';
import {cleanText} from '../interface/clean-text.ts';
import {examples, type DefineCommand} from './command.ts';
import type {Context} from './context.ts';
import {parseDataFolder} from './data-option.ts';
import {printTable} from './output/table.ts';
import {refuseReadOnly} from './with-service.ts';

type DataOption = {readonly data?: string};

const dataOption = ['--data <folder>', 'the data folder of the service; its default one where none is given', parseDataFolder] as const;

/** Works on the keys of a data folder; the service may be running on it meanwhile. */
const withKeys = async <T>({data}: DataOption, action: (keys: ApiKeys) => Promise<T>): Promise<T> => {
	const {openApiKeys} = await import('../service/api-keys.ts');
	const {defaultDataFolder} = await import('../service/data-folder.ts');
	const keys = await openApiKeys(data ?? defaultDataFolder());
	try {
		return await action(keys);
	} finally {
		await keys.close();
	}
};

const createKey = async (context: Context, {account, name, ...options}: DataOption & {readonly account?: string; readonly name?: string}): Promise<void> => {
	refuseReadOnly(context);
	const created = await withKeys(options, async keys => keys.create({account, name}));
	if (context.options.isJson) {
		context.printJson(created);
		return;
	}

	context.print(created.key);
	context.note(`This is the key “${created.name}” of the account “${created.account}”. It is shown this once: only its hash is stored.`);
};

const listKeys = async (context: Context, options: DataOption): Promise<void> => {
	const stored = await withKeys(options, async keys => keys.list());
	if (context.options.isJson) {
		context.printJson(stored);
		return;
	}

	if (stored.length === 0) {
		context.note('There are no keys yet. Make one with: switchboard keys create');
	}

	await printTable(context, [
		{title: 'ID', text: key => String(key.id)},
		{title: 'NAME', text: key => cleanText(key.name), minimumWidth: 12},
		{title: 'ACCOUNT', text: key => cleanText(key.account), minimumWidth: 12},
		{title: 'CREATED', text: key => key.created_at},
	], stored);
};

const revokeKeys = async (context: Context, namesOrIds: readonly string[], options: DataOption): Promise<void> => {
	refuseReadOnly(context);
	const revoked = await withKeys(options, async keys => keys.revoke(namesOrIds));
	if (context.options.isJson) {
		context.printJson(revoked);
		return;
	}

	for (const {id} of revoked) {
		context.print(`${id}\trevoked`);
	}
};

export const defineKeys: DefineCommand = (parent, run) => {
	const keys = parent
		.command('keys')
		.description('make, list and revoke the keys of the bundled service')
		.addHelpText('after', examples(
			['switchboard keys create', 'a new key, printed once'],
			['switchboard keys list', 'what keys there are'],
			['switchboard keys revoke ci', 'take one back'],
		));
	keys
		.command('create')
		.description('make a key and print it, once')
		.option('--account <name>', 'whose key it is; the account is made on its first use (default: “default”)')
		.option('--name <name>', 'what to call the key')
		.option(...dataOption)
		.addHelpText('after', examples(
			['switchboard keys create', 'a key for the account “default”'],
			['KEY=$(switchboard keys create --name ci)', 'the key alone is on standard output'],
		))
		.action(async (options: DataOption, command: Command) => run(command, async context => createKey(context, options)));
	keys
		.command('list')
		.description('list the keys, without the keys themselves')
		.option(...dataOption)
		.addHelpText('after', examples(['switchboard keys list', 'id, name, account and when it was made']))
		.action(async (options: DataOption, command: Command) => run(command, async context => listKeys(context, options)));
	keys
		.command('revoke')
		.description('take keys back, by name or id; they stop working at once')
		.argument('<key...>', 'ids, or names in any case')
		.option(...dataOption)
		.addHelpText('after', examples(['switchboard keys revoke ci', 'by its name'], ['switchboard keys revoke 3 4', 'by their ids']))
		.action(async (namesOrIds: readonly string[], options: DataOption, command: Command) => run(command, async context => revokeKeys(context, namesOrIds, options)));
	return keys;
};
