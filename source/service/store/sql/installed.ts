import {sql} from 'kysely';
import {isSameTimer} from '../../../interface/timers.ts';
import type {InstalledRecord, InstalledReleaseRecord} from '../../records.ts';
import type {InstalledChanges, NewTimer, Writer} from '../changes.ts';
import {notFound} from '../../store-errors.ts';
import {getAbility, insertInstalled, installing} from './abilities.ts';
import {type Database, type Engine, flag, idsOf, padded, parseStrings, readRecords, removeIds} from './database.ts';
import {compareFields} from './history.ts';
import {getRelease, listReleases} from './releases.ts';
import {compareTimers, findTimers, storeTimers, timerColumns, toTimer} from './timers.ts';
import {createGatheredWrites, type Outcome, readList, writeAccount} from './write-account.ts';

const flags = ['installed.is_enabled', 'installed.is_system_capability', 'installed.is_agent_capability'] as const;

const columns = ['installed.id', 'installed.ability_id', ...flags, 'installed.trigger_words', 'installed.last_updated'] as const;

const abilityColumns = ['abilities.name', 'abilities.category', 'abilities.image_file'] as const;

/** The fields that a change may set, and their names in the history. */
const changedFields = {
	enabled: 'enabled',
	trigger_words: 'triggers',
	system_capability: 'system_capability',
	agent_capability: 'agent_capability',
};

export function installedVerbs(engine: Engine) {
	const change = createGatheredWrites(engine, changeInstalled);
	return {
		list: async (accountId: number) => readList(engine, accountId, 'installed', listInstalled),
		/**
		An installed ability with the release in use.

		@throws SwitchboardError `not-found`.
		*/
		get: async (accountId: number, id: number) => engine.read(async transaction => getInstalledRelease(transaction, accountId, id)),
		/**
		Installs an ability, enabled and with its own trigger phrases, unless it is installed already.

		@throws SwitchboardError `not-found` if there is no such ability.
		*/
		add: async (writer: Writer, abilityId: number) =>
			writeAccount(engine, writer, async (transaction, accountId, note) => {
				const ability = await getAbility(transaction, accountId, abilityId);
				if (!ability.is_installed) {
					const record = await insertInstalled(transaction, abilityId, {
						triggerPhrases: ability.trigger_words,
						isEnabled: true,
						changedAt: new Date(),
					});
					note([installing({id: record, name: ability.name}, true)]);
				}

				return getInstalled(transaction, accountId, abilityId);
			}),
		/**
		Changes what differs. The time of the last change is updated only if something does.

		@param decide - given the record as it is.
		@throws SwitchboardError `not-found`, before `decide` is called.
		*/
		change: async (writer: Writer, id: number, decide: (before: InstalledRecord) => InstalledChanges) => change(writer, {id, decide}),
		/**
		Uninstalls an ability, and returns its former record. The ability itself, and the agents' ties to it, stay.

		@throws SwitchboardError `not-found`.
		*/
		remove: async (writer: Writer, id: number) =>
			writeAccount(engine, writer, async (transaction, accountId, note) => {
				const installed = await getInstalled(transaction, accountId, id);
				note([installing(installed, false)]);
				await transaction.deleteFrom('installed').where('id', '=', installed.id).execute();
				await removeIds(transaction, [installed.id]);
				return installed;
			}),
	};
}

type InstalledChange = {
	/** The id of the installed ability, or of its ability. */
	readonly id: number;
	readonly decide: (before: InstalledRecord) => InstalledChanges;
};

/** Makes several changes, each of the state that those before it leave, in a few statements. */
export async function changeInstalled(
	database: Database,
	accountId: number,
	changes: readonly InstalledChange[],
): Promise<ReadonlyArray<Outcome<InstalledRecord>>> {
	const records = new Map(await findInstalled(database, accountId, idsOf(changes)));
	const changed = new Map<number, InstalledRecord>();
	const timers = new Map<number, NewTimer | null>();

	const change = ({id, decide}: InstalledChange): Outcome<InstalledRecord> => {
		const before = requireRecord(records, id);
		const wanted = decide(before);
		const applied = applyChanges(before, wanted);
		const fields = compareFields('installed', before, applied, changedFields);
		const changes = [...fields, ...compareTimers(before, applied)];
		if (changes.length === 0) {
			return {result: before, changes};
		}

		const result = fields.length === 0 ? applied : {...applied, last_updated: new Date().toISOString()};
		records.set(result.id, result).set(result.capability_id, result);
		changed.set(result.id, result);
		if (result.timer !== before.timer) {
			timers.set(result.id, wanted.timer ?? null);
		}

		return {result, changes};
	};

	const outcomes = changes.map((each): Outcome<InstalledRecord> => {
		try {
			return change(each);
		} catch (error) {
			return {error};
		}
	});
	if (changed.size > 0) {
		await storeRecords(database, [...changed.values()]);
	}

	await storeTimers(database, accountId, timers);

	return outcomes;
}

function requireRecord(records: ReadonlyMap<number, InstalledRecord>, id: number): InstalledRecord {
	const record = records.get(id);
	if (record === undefined) {
		throw notFound('installed ability', id);
	}

	return record;
}

/** Finds them by their own ids or by those of their abilities: no number means both (`allocateId`). */
async function findInstalled(database: Database, accountId: number, ids: readonly number[]): Promise<ReadonlyMap<number, InstalledRecord>> {
	const records = (await selectSome(database, accountId, padded(ids)).execute()).map(row =>
		toRecord(row, row.at === null ? undefined : toTimer(row as Parameters<typeof toTimer>[0])),
	);
	return new Map([
		...records.map(record => [record.id, record] as const),
		...records.map(record => [record.capability_id, record] as const),
	]);
}

/** The few are found first: PostgreSQL would rather scan all of the account. */
const selectSome = (database: Database, accountId: number, ids: readonly number[]) =>
	database
		.with(
			name => name('chosen').materialized(),
			query =>
				query
					.selectFrom('installed')
					.selectAll()
					.where(where => where.or([where('id', 'in', ids), where('ability_id', 'in', ids)])),
		)
		.selectFrom('chosen as installed')
		.innerJoin('abilities', 'abilities.id', 'installed.ability_id')
		.leftJoin('timers', 'timers.installed_id', 'installed.id')
		.select([...columns, ...abilityColumns, ...timerColumns])
		.where('abilities.account_id', '=', accountId);

type Row = Awaited<ReturnType<ReturnType<typeof selectInstalled>['execute']>>[number];

const toRecord = (row: Row, timer: InstalledRecord['timer']): InstalledRecord => ({
	id: row.id,
	installed_cap_id: row.id,
	capability_id: row.ability_id,
	name: row.name,
	category: row.category,
	enabled: row.is_enabled === 1,
	trigger_words: parseStrings(row.trigger_words),
	last_updated: row.last_updated,
	image_file: row.image_file,
	// This service brings and pins no abilities itself.
	default: false,
	system_capability: row.is_system_capability === 1,
	agent_capability: row.is_agent_capability === 1,
	shortcut: false,
	...(timer !== undefined && {timer}),
});

function applyChanges({timer: timerBefore, ...before}: InstalledRecord, changes: InstalledChanges): InstalledRecord {
	const enabled = changes.enabled ?? before.enabled;
	const wanted = changes.timer === undefined && enabled === before.enabled ? timerBefore : toAnswered(changes.timer);
	// A timer that is set again as it is changes nothing, even by somebody else.
	const timer = isSameTimer(wanted, timerBefore) && wanted?.overdue === timerBefore?.overdue ? timerBefore : wanted;
	return {
		...before,
		enabled,
		trigger_words: [...(changes.trigger_words ?? before.trigger_words)],
		system_capability: changes.system_capability ?? before.system_capability,
		agent_capability: changes.agent_capability ?? before.agent_capability,
		...(timer !== undefined && {timer}),
	};
}

/** Returns a timer without its key. */
function toAnswered(timer: NewTimer | null | undefined): InstalledRecord['timer'] {
	if (!timer) {
		return undefined;
	}

	const {person, keyId, ...answered} = timer;
	return answered;
}

async function storeRecords(database: Database, records: readonly InstalledRecord[]): Promise<void> {
	await sql`
		with changed (id, is_enabled, trigger_words, is_system_capability, is_agent_capability, last_updated) as (
			values ${sql.join(padded(records).map(record => toValues(record)))}
		)
		update installed set
			is_enabled = changed.is_enabled,
			trigger_words = changed.trigger_words,
			is_system_capability = changed.is_system_capability,
			is_agent_capability = changed.is_agent_capability,
			last_updated = changed.last_updated
		from changed
		where installed.id = changed.id
	`.execute(database);
}

const toValues = (record: InstalledRecord) => sql`
	(
		cast(${record.id} as bigint),
		cast(${flag(record.enabled)} as smallint),
		cast(${JSON.stringify(record.trigger_words)} as text),
		cast(${flag(record.system_capability)} as smallint),
		cast(${flag(record.agent_capability)} as smallint),
		cast(${record.last_updated} as text)
	)
`;

async function listInstalled(database: Database, accountId: number): Promise<readonly InstalledRecord[]> {
	const timers = await findTimers(database, accountId);
	return readRecords(selectInstalled(database, accountId).orderBy('installed.id'), row => toRecord(row, timers.get(row.id)));
}

const selectInstalled = (database: Database, accountId: number) =>
	database
		.selectFrom('installed')
		.innerJoin('abilities', 'abilities.id', 'installed.ability_id')
		.select([...columns, ...abilityColumns])
		.where('abilities.account_id', '=', accountId);

async function getInstalledRelease(database: Database, accountId: number, id: number): Promise<InstalledReleaseRecord> {
	const installed = await getInstalled(database, accountId, id);
	const release = await getRelease(database, installed.capability_id);
	return {
		...installed,
		release_id: release.id,
		version: String(release.version),
		is_committed: release.isCommitted,
		releases: await listReleases(database, installed.capability_id),
	};
}

/** Finds it by either id. */
async function getInstalled(database: Database, accountId: number, id: number): Promise<InstalledRecord> {
	return requireRecord(await findInstalled(database, accountId, [id]), id);
}
