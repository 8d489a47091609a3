import {sql} from 'kysely';
import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {cleanText} from '../../../interface/clean-text.ts';
import {foldName} from '../../../interface/name-index.ts';
import {counted, formatCount} from '../../../interface/format-count.ts';
import {findVersionFault, type SchemaVersions} from '../database-version.ts';
import {type Database, readRecords, type Tables} from './database.ts';

/** Something that a check found. */
export type Finding = {
	/** `problem` for what harms the service now or soon, `note` for what an operator may want to know. */
	readonly severity: 'problem' | 'note';
	/** The content that was checked. */
	readonly kind: 'damage' | 'references' | 'migration' | 'encoding' | 'rights' | 'space' | 'sizes' | 'names';
	/** Whole sentences, with what to do. */
	readonly message: string;
};

export type CheckResult = {
	readonly findings: readonly Finding[];
	/** The content that was checked, as sentences. */
	readonly summary: readonly string[];
};

/** At most this many findings of one kind are described. */
export const maximumDescribed = 10;

export function problem(kind: Finding['kind'], message: string): Finding {
	return {severity: 'problem', kind, message};
}

export function note(kind: Finding['kind'], message: string): Finding {
	return {severity: 'note', kind, message};
}

/** Tells whether this program can check the records of a database of this version. */
export function checkVersion(version: number, versions: SchemaVersions): readonly Finding[] {
	const fault = findVersionFault('It', version, versions);
	if (fault !== undefined) {
		return [(fault.kind === 'refused' ? note : problem)('migration', `${fault.message} Its records were not checked. ${fault.nextStep}`)];
	}

	const message = `It has version ${version}. “switchboard serve” or “switchboard migrate” of this program brings it to version ${versions.present}; make a backup first. Its records were not checked.`;
	return version < versions.present ? [note('migration', message)] : [];
}

/** The size of an account, from its records themselves (`sizeOf`). */
const actualBytes = sql<number>`
	cast(
		(select coalesce(sum(500 + octet_length(name) + octet_length(description) + coalesce(octet_length(image), 0)), 0)
			from agents where account_id = accounts.id)
		+ (select coalesce(sum(500 + octet_length(name) + octet_length(description) + octet_length(trigger_words) + coalesce(octet_length(image), 0)), 0)
			from abilities where account_id = accounts.id)
		+ (select coalesce(sum(500 + octet_length(commit_message)), 0)
			from releases join abilities on abilities.id = ability_id where account_id = accounts.id)
		+ (select coalesce(sum(500 + octet_length(path) + octet_length(content)), 0)
			from release_files join releases on releases.id = release_id join abilities on abilities.id = ability_id where account_id = accounts.id)
		+ (select coalesce(sum(500 + octet_length(installed.trigger_words)), 0)
			from installed join abilities on abilities.id = ability_id where account_id = accounts.id)
		+ (select coalesce(sum(500 + octet_length(set_by) + octet_length(person) + octet_length(note)), 0)
			from timers where account_id = accounts.id)
		as bigint)
`;

/** Between the folded name and the id, if an earlier version stored two names that differ only in case. */
const separator = '\u{1F}';

/** Compares what is stored twice, and counts, within a transaction that reads a database of this version. */
export async function checkRecords(database: Database): Promise<CheckResult> {
	const count = async (table: keyof Tables): Promise<number> => {
		const query = database.selectFrom(table).select(sql<number>`cast(count(*) as bigint)`.as('count'));
		return (await query.executeTakeFirstOrThrow()).count;
	};

	const [abilities, entries, timers] = [await count('abilities'), await count('history'), await count('timers')];
	return {
		findings: [
			await checkSizes(database),
			await checkHistories(database),
			await checkTimers(database),
			await checkNamesIn(database, 'abilities'),
			await checkNamesIn(database, 'api_keys'),
		].flatMap(findings => someOf(findings)),
		summary: [
			[
				`It holds ${counted(await count('accounts'), 'account')}, ${counted(await count('api_keys'), 'key')}, ${counted(await count('agents'), 'agent')},`,
				`${abilities === 1 ? '1 ability' : `${formatCount(abilities)} abilities`} (${formatCount(await count('installed'))} installed) and ${counted(await count('releases'), 'release')}.`,
				...(entries === 0 ? [] : [`Its history has ${entries === 1 ? '1 entry' : `${formatCount(entries)} entries`}.`]),
				...(timers === 0 ? [] : [`It has ${counted(timers, 'timer')}.`]),
			].join(' '),
		],
	};
}

function someOf(findings: readonly Finding[]): readonly Finding[] {
	const more = findings.slice(maximumDescribed);
	const rest = more.slice(0, 1).map(({severity, kind}) => ({severity, kind, message: `There are ${more.length} more of the same kind.`}));
	return [...findings.slice(0, maximumDescribed), ...rest];
}

async function checkSizes(database: Database): Promise<readonly Finding[]> {
	const rows = await database
		.selectFrom('accounts')
		.select(['name', 'bytes', actualBytes.as('actual')])
		.orderBy('id')
		.execute();
	return rows
		.filter(({bytes, actual}) => bytes !== actual)
		.map(({name, bytes, actual}) =>
			problem('sizes', `The account “${cleanText(name)}” counts as ${formatBytes(bytes)} for its limit, but holds ${formatBytes(actual)}.`),
		);
}

/** Returns the newest number and the size of each history, from its entries themselves. */
async function checkHistories(database: Database): Promise<readonly Finding[]> {
	const rows = await database
		.selectFrom('accounts')
		.leftJoin('history', 'history.account_id', 'accounts.id')
		.select([
			'name',
			'history_number',
			'history_bytes',
			sql<number>`cast(coalesce(sum(history.bytes), 0) as bigint)`.as('actual'),
			sql<number>`cast(coalesce(max(history.number), 0) as bigint)`.as('last'),
			sql<number>`cast(coalesce(max(history.number) - min(history.number) + 1 - count(history.number), 0) as bigint)`.as('missing'),
		])
		.groupBy(['accounts.id', 'name', 'history_number', 'history_bytes'])
		.orderBy('accounts.id')
		.execute();
	return rows.flatMap(({name, history_bytes: stored, history_number: newest, actual, last, missing}) => {
		const history = `The history of the account “${cleanText(name)}”`;
		const sizes = problem('sizes', `${history} counts as ${formatBytes(stored)}, but holds ${formatBytes(actual)}.`);
		const numbers = problem('references', `${history} has entries whose numbers do not follow each other.`);
		return [...(stored === actual ? [] : [sizes]), ...(last <= newest && missing === 0 ? [] : [numbers])];
	});
}

/** Returns the timers without an installed ability of their account. */
async function checkTimers(database: Database): Promise<readonly Finding[]> {
	const rows = await database
		.selectFrom('timers')
		.leftJoin('installed', 'installed.id', 'timers.installed_id')
		.leftJoin('abilities', join =>
			join.onRef('abilities.id', '=', 'installed.ability_id').onRef('abilities.account_id', '=', 'timers.account_id'),
		)
		.select(['timers.installed_id', 'at'])
		.where('abilities.id', 'is', null)
		.orderBy('timers.installed_id')
		.execute();
	return rows.map(({installed_id: id, at}) =>
		problem('references', `A timer for ${at} is of the installed ability ${id}, which its account does not have.`),
	);
}

async function checkNamesIn(database: Database, table: 'abilities' | 'api_keys'): Promise<readonly Finding[]> {
	const findings = await readRecords(
		database.selectFrom(table).select(['id', 'name', 'folded_name']).orderBy('id'),
		({id, name, folded_name: stored}) => {
			const shown = `The ${table === 'abilities' ? 'ability' : 'key'} “${cleanText(name)}” (id ${id})`;
			if (stored === `${foldName(name)}${separator}${id}`) {
				return note('names', `${shown} has the same name as another one of its account, in another case. Commands take its id.`);
			}

			return stored === foldName(name) ? undefined : problem('names', `${shown} is stored under a name that does not match.`);
		},
	);
	return findings.filter(finding => finding !== undefined);
}
