import {sql} from 'kysely';
import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {cleanText} from '../../../interface/clean-text.ts';
import {foldName} from '../../../interface/fold-name.ts';
import {counted, formatCount} from '../../../interface/format-count.ts';
import {
	type CheckResult,
	type Finding,
	maximumDescribed,
	note,
	problem,
} from '../check-result.ts';
import {readRecords} from './read-records.ts';
import {type Database, type Tables} from './tables.ts';

const countRows = async (database: Database, table: keyof Tables): Promise<number> => {
	const {count} = await database.selectFrom(table).select(sql<number>`cast(count(*) as bigint)`.as('count')).executeTakeFirstOrThrow();
	return count;
};

/** What an account holds, from its records themselves (`sizes.ts`). */
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
		as bigint)
`;

const checkSizes = async (database: Database): Promise<readonly Finding[]> => {
	const rows = await database.selectFrom('accounts').select(['name', 'bytes', actualBytes.as('actual')]).orderBy('id').execute();
	return rows
		.filter(({bytes, actual}) => bytes !== actual)
		.map(({name, bytes, actual}) => problem('sizes', `The account “${cleanText(name)}” counts as ${formatBytes(bytes)} for its limit, but holds ${formatBytes(actual)}.`));
};

/** Between the folded name and the id, if an earlier version stored two names that differ only in case. */
const separator = '\u{1F}';

const checkNamesIn = async (database: Database, table: 'abilities' | 'api_keys'): Promise<readonly Finding[]> => {
	const what = table === 'abilities' ? 'ability' : 'key';
	const findings = await readRecords(database.selectFrom(table).select(['id', 'name', 'folded_name']).orderBy('id'), row => {
		const folded = foldName(row.name);
		const shown = `The ${what} “${cleanText(row.name)}” (id ${row.id})`;
		if (row.folded_name === folded) {
			return undefined;
		}

		return row.folded_name === `${folded}${separator}${row.id}`
			? note('names', `${shown} has the same name as another one of its account, in another case. Commands take its id.`)
			: problem('names', `${shown} is stored under a name that does not match.`);
	});
	return findings.filter(finding => finding !== undefined);
};

const someOf = (findings: readonly Finding[]): readonly Finding[] => {
	const [first] = findings;
	return first === undefined || findings.length <= maximumDescribed
		? findings
		: [...findings.slice(0, maximumDescribed), {...first, message: `There are ${findings.length - maximumDescribed} more of the same kind.`}];
};

/** Compares what is stored twice, and counts, within a transaction that reads a database of this version. */
export const checkRecords = async (database: Database): Promise<CheckResult> => {
	const [accounts, keys, agents, abilities, installed, releases] = [
		await countRows(database, 'accounts'),
		await countRows(database, 'api_keys'),
		await countRows(database, 'agents'),
		await countRows(database, 'abilities'),
		await countRows(database, 'installed'),
		await countRows(database, 'releases'),
	];
	return {
		findings: [
			...someOf(await checkSizes(database)),
			...someOf(await checkNamesIn(database, 'abilities')),
			...someOf(await checkNamesIn(database, 'api_keys')),
		],
		summary: [[
			`It holds ${counted(accounts, 'account')}, ${counted(keys, 'key')}, ${counted(agents, 'agent')},`,
			`${abilities === 1 ? '1 ability' : `${formatCount(abilities)} abilities`} (${formatCount(installed)} installed) and ${counted(releases, 'release')}.`,
		].join(' ')],
	};
};
