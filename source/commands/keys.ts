import {Option} from 'commander';
import {notSent} from '../changes/send-changes.ts';
import {cleanText} from '../interface/clean-text.ts';
import {parseDuration} from '../interface/duration.ts';
import {SwitchboardError} from '../interface/errors.ts';
import type {JsonObject} from '../interface/json.ts';
import {shownMinute} from '../interface/key-rights.ts';
import type {ApiKeys} from '../service/accounts.ts';
import type {DefineCommand} from './command.ts';
import {isForPerson, printJsonOr, toPublicError, type Context} from './context.ts';
import {
	chooseExistingLocation,
	chooseLocation,
	databaseUrlOption,
	dataOption,
	keysCreateAt,
	type LocationOptions,
} from './database-option.ts';
import {confirmOnTerminal} from './input/confirm.ts';
import type {Column} from './output/lay-table.ts';
import {addTableOptions, chosenFormat, printRows, type TableOptions} from './output/table.ts';
import {dryRunOption, parseChoice, wrongValue, durationValue, parseMoment} from './options.ts';

type CreateOptions = LocationOptions & {
	readonly account?: string;
	readonly name?: string;
	readonly readOnly?: boolean;
	readonly only?: 'switch';
	readonly expires?: Date;
	readonly forSsh?: boolean;
};

/**
Returns the rights and the end of the new key.

@throws SwitchboardError `usage` for options that contradict each other.
*/
function termsOf({readOnly: isReadOnly = false, only, expires, forSsh: isForSsh = false}: CreateOptions) {
	if (isReadOnly && only !== undefined) {
		throw new SwitchboardError('usage', '--read-only and --only cannot be used together: a key that may only read cannot switch.', {
			nextStep: 'Use one of them.',
		});
	}

	if (expires !== undefined && expires.getTime() <= Date.now()) {
		throw new SwitchboardError('usage', `--expires is in the past: ${shownMinute(expires.toISOString())}.`, {
			nextStep: 'Use a time in the future, such as 90d.',
		});
	}

	return {rights: isReadOnly ? 'read-only' : (only ?? 'all'), expiresAt: expires?.toISOString() ?? null, isForSsh} as const;
}

/** Returns the value of `--grace`. */
function parseGrace(text: string): number {
	const milliseconds = text === '0' ? 0 : parseDuration(text);
	if (milliseconds === undefined) {
		throw wrongValue('--grace', text, `${durationValue}, or 0`);
	}

	return milliseconds;
}

/** Opens the keys of a service, which may be running. */
const openKeys = async (location: string) => (await import('../service/accounts.ts')).openApiKeys(location);

async function createKey(context: Context, {account, name, ...options}: CreateOptions): Promise<void> {
	const terms = termsOf(options);
	const location = await chooseLocation(options, context.env);
	if (!context.isDryRun) {
		await using keys = await openKeys(location);
		const created = await keys.create({account, name, ...terms});
		await printKey(context, created, `Created the key “${created.name}” of the account “${created.account}”.${describeTerms(created)}`);
		return;
	}

	const [{planKey, termsJson}, {hasStore}] = await Promise.all([
		import('../service/accounts.ts'),
		import('../service/store/open-store.ts'),
	]);
	// If there is no database yet, none is created.
	await using keys = (await hasStore(location)) ? await openKeys(location) : undefined;
	const stored = (await keys?.list()) ?? [];
	const planned = {...planKey(stored, {account, name}), ...termsJson(terms)};
	await printKey(
		context,
		{key: null, id: null, ...planned},
		`Would create the key “${planned.name}” of the account “${planned.account}”.${describeTerms(planned)}`,
	);
}

/** Prints a new key; in a dry run there is none. */
async function printKey(context: Context, json: JsonObject & {readonly key: string | null}, sentence: string, more = ''): Promise<void> {
	await printJsonOr(context, json, () => {
		if (json.key !== null) {
			context.print(json.key);
		}

		context.note(json.key === null ? sentence : `${sentence} Copy it now: only its hash is stored.${more}`);
	});
}

type StoredKey = Awaited<ReturnType<ApiKeys['list']>>[number];

/** Returns sentences about a key that is not a plain one. */
const describeTerms = ({rights, for_ssh: isForSsh, expires_at: end}: Pick<StoredKey, 'rights' | 'for_ssh' | 'expires_at'>): string =>
	[
		...(rights === 'all' ? [] : [` It may only ${rights === 'switch' ? 'list and switch' : 'read'}.`]),
		...(isForSsh ? [' With it, ssh-serve says who makes each change.'] : []),
		...(end === null ? [] : [` It expires on ${shownMinute(end)}.`]),
	].join('');

/** Opens the keys of an existing home; none is created. */
const openExistingKeys = async ({env}: Context, options: LocationOptions) => openKeys(await chooseExistingLocation(options, env));

const shownTime = (at: string | null): string => (at === null ? 'never' : shownMinute(at));

const keyColumns: ReadonlyArray<Column<StoredKey>> = [
	{title: 'ID', text: key => String(key.id), value: key => key.id},
	{title: 'NAME', text: key => cleanText(key.name), minimumWidth: 12},
	{title: 'ACCOUNT', text: key => cleanText(key.account), minimumWidth: 12, givesWay: 2},
	{title: 'CREATED', text: key => key.created_at, givesWay: 1},
	{title: 'RIGHTS', text: ({rights, for_ssh: isForSsh}) => [rights, ...(isForSsh ? ['ssh'] : [])].join(', '), value: ({rights}) => rights},
	{
		title: 'LAST USED',
		name: 'last_used',
		text: key => key.last_used_at ?? '',
		shownText: key => shownTime(key.last_used_at),
		value: key => key.last_used_at,
		givesWay: 3,
	},
	{title: 'ENDS', text: key => key.expires_at ?? '', shownText: key => shownTime(key.expires_at), value: key => key.expires_at},
];

async function listKeys(context: Context, options: LocationOptions & TableOptions): Promise<void> {
	chosenFormat(context.options, options);
	const location = await chooseExistingLocation(options, context.env);
	await using keys = await openKeys(location);
	const stored = await keys.list();
	const ifEmpty = `There are no keys. Create one with: ${await keysCreateAt(location, context.env)}`;
	await printRows(context, keyColumns, stored, {ifEmpty, options});
}

async function confirmRevocation(context: Context, found: readonly StoredKey[], undone: string | undefined): Promise<void> {
	const names = found.map(({name, id, account}) => cleanText(`“${name}” (${id}) of the account “${account}”`)).join(', ');
	const question = `Revoke the key${found.length === 1 ? '' : 's'} ${names}? Programs that use ${found.length === 1 ? 'it' : 'them'} lose access at once.${undone === undefined ? '' : ` ${undone}`}`;
	await confirmOnTerminal(context, question, 'Nothing was revoked.', async isCut => {
		const error = isCut ? {error: toPublicError(notSent(undefined, context.readSignal).error)} : {};
		await context.printJson(found.map(({id, name}) => ({id, name, revoked: false, ...error})));
	});
}

async function revokeKeys(context: Context, namesOrIds: readonly string[], options: LocationOptions): Promise<void> {
	await using keys = await openExistingKeys(context, options);
	const found = await keys.find(namesOrIds);
	const undone = await keys.timersOf(found);
	await confirmRevocation(context, found, undone);
	const revoked = context.isDryRun ? found : await keys.revoke(found.map(({id}) => String(id)));
	await printJsonOr(
		context,
		revoked.map(({id, name}) => ({id, name, revoked: true})),
		() => {
			for (const {id, name} of revoked) {
				const shownName = cleanText(name);
				context.print(
					isForPerson(context) ? `${context.isDryRun ? 'Would revoke' : 'Revoked'} ${shownName} (${id}).` : `${id}\trevoked\t${shownName}`,
				);
			}
		},
	);
	if (undone !== undefined) {
		context.note(undone);
	}
}

async function rotateKey(context: Context, nameOrId: string, options: LocationOptions & {readonly grace: number}): Promise<void> {
	const {grace} = options;
	const isAtOnce = grace === 0;
	await using keys = await openExistingKeys(context, options);
	const {findReplaced, termsJson} = await import('../service/accounts.ts');
	const found = findReplaced(await keys.list(), nameOrId);
	const named = cleanText(`“${found.name}” (${found.id}) of the account “${found.account}”`);
	if (context.isDryRun) {
		const {name, account, rights, for_ssh: isForSsh, expires_at: expiresAt} = found;
		await printKey(
			context,
			{key: null, id: null, name, account, ...termsJson({rights, isForSsh, expiresAt})},
			`Would replace ${named} with a new key; the old one would ${isAtOnce ? 'stop working at once' : 'work for a while longer'}.`,
		);
		return;
	}

	if (isAtOnce) {
		await confirmOnTerminal(
			context,
			`Replace the key ${named}? Programs that use it lose access at once; --grace gives them time.`,
			'No key was changed.',
		);
	}

	const {replaced, ...rotated} = await keys.rotate(String(found.id), grace);
	const before =
		replaced === undefined
			? 'The old key no longer works.'
			: `The old key is now named “${replaced.name}” and works until ${shownMinute(replaced.expiresAt)}.`;
	await printKey(
		context,
		rotated,
		`Created a new key “${rotated.name}” of the account “${rotated.account}”.${describeTerms(rotated)}`,
		` ${before}`,
	);
}

export const defineKeys: DefineCommand = (parent, run) => {
	const keys = parent
		.command('keys')
		.description('manage the API keys of the bundled service')
		.examples(
			['switchboard keys create', 'create a key and print it'],
			['switchboard keys list', 'list the keys'],
			['switchboard keys rotate ci --grace 1h', 'make a new key “ci”; the one before works for another hour'],
			['switchboard keys revoke ci', 'revoke the key “ci”'],
		);
	keys
		.command('create')
		.description('create a key and print it')
		.option('--account <name>', 'the account of the key, created with its first key (default: “default”)')
		.option('--name <name>', 'the name of the key (default: “key 1” and so on)')
		.option('--read-only', 'a key that may only read')
		.addOption(
			new Option('--only <right>', 'switch: a key that may only list, and switch installed abilities')
				.choices(['switch'])
				.argParser(parseChoice('--only', ['switch'])),
		)
		.option('--expires <when>', 'when it expires: a duration such as 90d, or a date (default: never)', parseMoment('--expires', 'future'))
		.option('--for-ssh', 'a key for ssh-serve, which then says who makes each change')
		.option(...dataOption)
		.option(...databaseUrlOption)
		.option(...dryRunOption)
		.examples(
			['switchboard keys create', 'a key for the account “default”'],
			['KEY=$(switchboard keys create --name ci)', 'standard output holds only the key'],
			['switchboard keys create --name timer --only switch --expires 90d', 'a restricted key that expires'],
		)
		.action(run(createKey));
	addTableOptions(keys.command('list'), keyColumns)
		.description('list the keys: their names, not their secrets')
		.option(...dataOption)
		.option(...databaseUrlOption)
		.examples(['switchboard keys list', 'id, name, account, rights, last use, expiry and time of creation'])
		.action(run(listKeys));
	keys
		.command('rotate')
		.description('replace a key with a new one of the same name, account, rights and expiry, and print it')
		.argument('<key>', 'an id, or a name in any case')
		.option('--grace <duration>', 'how long the old key still works, such as 1h; by default it stops at once', parseGrace, 0)
		.option('--yes', 'skip the confirmation')
		.option(...dataOption)
		.option(...databaseUrlOption)
		.option(...dryRunOption)
		.examples(
			['KEY=$(switchboard keys rotate ci --grace 1h)', 'standard output holds only the new key'],
			['switchboard keys rotate 3 --yes', 'by id; the key before stops working at once'],
		)
		.action(run(rotateKey));
	keys
		.command('revoke')
		.description('revoke keys; they stop working at once')
		.argument('<key...>', 'ids, or names in any case')
		.option('--yes', 'skip the confirmation')
		.option(...dataOption)
		.option(...databaseUrlOption)
		.option(...dryRunOption)
		.examples(['switchboard keys revoke ci', 'asks for confirmation on a terminal'], ['switchboard keys revoke 3 4 --yes', 'by id'])
		.action(run(revokeKeys));
	return keys;
};
