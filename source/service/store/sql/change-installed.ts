import {sql} from 'kysely';
import {type InstalledRecord} from '../../records.ts';
import {type InstalledChanges} from '../changes.ts';
import {notFound} from '../store-errors.ts';
import {type Outcome} from './gathered-writes.ts';
import {padded} from './padded.ts';
import {findInstalled} from './read-installed.ts';
import {type Database, flag} from './tables.ts';

/** The record with its changes; the same one if nothing differs. */
const applyChanges = (before: InstalledRecord, changes: InstalledChanges): InstalledRecord => {
	const after: InstalledRecord = {
		...before,
		enabled: changes.enabled,
		trigger_words: [...changes.trigger_words ?? before.trigger_words],
		system_capability: changes.system_capability ?? before.system_capability,
		agent_capability: changes.agent_capability ?? before.agent_capability,
	};
	return JSON.stringify(after) === JSON.stringify(before) ? before : {...after, last_updated: new Date().toISOString()};
};

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

const storeRecords = async (database: Database, records: readonly InstalledRecord[]): Promise<void> => {
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
};

export type InstalledChange = {
	/** Of the installed ability, or of its ability. */
	readonly id: number;
	readonly decide: (before: InstalledRecord) => InstalledChanges;
};

/** Makes several changes, each of what those before it leave, in two statements. */
export const changeInstalled = async (database: Database, accountId: number, changes: readonly InstalledChange[]): Promise<ReadonlyArray<Outcome<InstalledRecord>>> => {
	const records = new Map(await findInstalled(database, accountId, changes.map(({id}) => id)));
	const changed = new Map<number, InstalledRecord>();

	const change = ({id, decide}: InstalledChange): Outcome<InstalledRecord> => {
		const before = records.get(id);
		if (before === undefined) {
			throw notFound('installed ability', id);
		}

		const result = applyChanges(before, decide(before));
		if (result === before) {
			return {result, isChange: false};
		}

		records.set(result.id, result).set(result.capability_id, result);
		changed.set(result.id, result);
		return {result, isChange: true};
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

	return outcomes;
};
