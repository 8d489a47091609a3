import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {cleanText} from '../../../interface/clean-text.ts';
import {SwitchboardError} from '../../../interface/errors.ts';
import {otherFolder} from '../../data-folder.ts';
import {addHistory, addReleaseInUse, createTables, type Words} from '../sql/tables.ts';
import {refuseVersion, type SchemaVersions} from '../database-version.ts';
import {shellWord} from '../../../platform/shell-word.ts';

/** Marks a SQLite file as ours (`PRAGMA application_id`): the letters SWBD. */
const appId = 0x53_57_42_44;

/** `length` of a blob, since octet_length came with SQLite 3.43: the sqlite3 of Debian 12 could not read the schema. */
const bytes = (...columns: readonly string[]): string =>
	`bytes integer generated always as (500${columns.map(column => ` + coalesce(length(cast(${column} as blob)), 0)`).join('')}) virtual`;

/** The releases whose files are stored before them: one whose upload was cut off is not touched any more (staged-files.ts). */
const stagedReleases = `
	create table staged_releases (
		id integer primary key,
		account_id integer references accounts (id) on delete cascade,
		touched_at integer not null
	) strict;
`;

const ofAbility = (row: 'new' | 'old'): string => `(select account_id from abilities where id = ${row}.ability_id)`;

/** Adds to the size of an account (`sizeOf`), or takes from it. */
const sizeTrigger = (name: string, event: string, change: string, accountId: string): string => `
	create trigger ${name} ${event} begin
		update accounts set bytes = bytes ${change} where id = ${accountId};
	end;
`;

/** Of the columns that have been computed anew since version 3. */
const sizeTriggers = [
	sizeTrigger('agent_added', 'after insert on agents', '+ new.bytes', 'new.account_id'),
	// Nothing else makes it larger or smaller: the texts are copied to be measured.
	sizeTrigger(
		'agent_changed',
		'after update of name, description, image on agents when new.bytes <> old.bytes',
		'+ new.bytes - old.bytes',
		'new.account_id',
	),
	sizeTrigger('agent_removed', 'after delete on agents', '- old.bytes', 'old.account_id'),
	// Its releases and its installed record go with it, and then no longer know their account.
	sizeTrigger(
		'ability_removed',
		'before delete on abilities',
		`- old.bytes
		- (select coalesce(sum(bytes), 0) from releases where ability_id = old.id)
		- (select coalesce(sum(bytes), 0) from installed where ability_id = old.id)`,
		'old.account_id',
	),
	sizeTrigger('installed_added', 'after insert on installed', '+ new.bytes', ofAbility('new')),
	sizeTrigger(
		'installed_changed',
		'after update of trigger_words on installed when new.bytes <> old.bytes',
		'+ new.bytes - old.bytes',
		ofAbility('new'),
	),
	sizeTrigger('installed_removed', 'after delete on installed', '- old.bytes', ofAbility('old')),
].join('');

/** Gives lists of an account new versions. */
const versionTrigger = (name: string, event: string, lists: readonly string[], accountId: string): string => `
	create trigger ${name} ${event} begin
		update accounts set ${lists.map(list => `${list}_version = hex(randomblob(8))`).join(', ')} where id = ${accountId};
	end;
`;

const abilityChanged = sizeTrigger(
	'ability_changed',
	'after update of bytes on abilities when new.bytes <> old.bytes',
	'+ new.bytes - old.bytes',
	'new.account_id',
);

const otherTriggers = [
	abilityChanged,
	sizeTrigger('ability_added', 'after insert on abilities', '+ new.bytes', 'new.account_id'),
	sizeTrigger('release_added', 'after insert on releases', '+ new.bytes', ofAbility('new')),
	sizeTrigger('release_changed', 'after update on releases when new.bytes <> old.bytes', '+ new.bytes - old.bytes', ofAbility('new')),
	versionTrigger('account_versions', 'after insert on accounts', ['agents', 'abilities', 'installed'], 'new.id'),
	versionTrigger('agents_version_added', 'after insert on agents', ['agents'], 'new.account_id'),
	versionTrigger(
		'agents_version_changed',
		`after update of name, description, image on agents
		when new.name is not old.name or new.description is not old.description or new.image is not old.image`,
		['agents'],
		'new.account_id',
	),
	versionTrigger('agents_version_removed', 'after delete on agents', ['agents'], 'old.account_id'),
	versionTrigger(
		'agents_version_tied',
		'after insert on agent_abilities',
		['agents'],
		'(select account_id from agents where id = new.agent_id)',
	),
	versionTrigger(
		'agents_version_untied',
		'after delete on agent_abilities',
		['agents'],
		'(select account_id from agents where id = old.agent_id)',
	),
	versionTrigger('abilities_version_added', 'after insert on abilities', ['abilities'], 'new.account_id'),
	// An installed ability is listed with the name and the category of its ability.
	versionTrigger(
		'abilities_version_changed',
		'after update of name, category, description, trigger_words, image_file, last_updated on abilities',
		['abilities', 'installed'],
		'new.account_id',
	),
	// Its releases and its installed record go with it, and then no longer know their account.
	`
	create trigger abilities_version_removed before delete on abilities begin
		update accounts set abilities_version = hex(randomblob(8)), installed_version = case
			when exists (select 1 from installed where ability_id = old.id) then hex(randomblob(8))
			else installed_version end
		where id = old.account_id;
	end;
	`,
	versionTrigger('abilities_version_released', 'after insert on releases', ['abilities'], ofAbility('new')),
	// An ability is listed with whether it is installed.
	versionTrigger('installed_version_added', 'after insert on installed', ['abilities', 'installed'], ofAbility('new')),
	versionTrigger('installed_version_changed', 'after update on installed', ['installed'], ofAbility('new')),
	versionTrigger('installed_version_removed', 'after delete on installed', ['abilities', 'installed'], ofAbility('old')),
].join('');

const words: Words = {
	schema: '',
	sequence: 'integer primary key autoincrement',
	integer: 'integer',
	flag: 'integer',
	text: 'text',
	blob: 'blob',
	version: "''",
	deferred: '',
	bytes,
	end: ' strict',
	indexEnd: ' strict, without rowid',
};

/** The present schema. A home that a migration has brought to it has its columns in another order, and each unique constraint as an index. */
const baseline = createTables(words) + stagedReleases + sizeTriggers + otherTriggers;

/** The triggers of version 3 that version 4 replaces by others. */
const formerTriggers =
	sizeTrigger('agent_changed', 'after update on agents when new.bytes <> old.bytes', '+ new.bytes - old.bytes', 'new.account_id') +
	sizeTrigger('installed_changed', 'after update on installed when new.bytes <> old.bytes', '+ new.bytes - old.bytes', ofAbility('new'));

const fromVersion3 = `
	drop trigger agent_added; drop trigger agent_changed; drop trigger agent_removed; drop trigger ability_removed;
	drop trigger installed_added; drop trigger installed_changed; drop trigger installed_removed;
	alter table agents drop column bytes;
	alter table agents add column ${bytes('name', 'description', 'image')};
	alter table installed drop column bytes;
	alter table installed add column ${bytes('trigger_words')};
	${sizeTriggers}
	${stagedReleases}
	insert into staged_releases (id, touched_at)
		select distinct release_id, unixepoch() from release_files where release_id not in (select id from releases);
`;

const readNumber = (database: DatabaseSync, sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0]);

/** Each brings a database from one version to the next, the first from the earliest that this program brings forward. */
export const steps: readonly string[] = [fromVersion3, addHistory(words), addReleaseInUse(words) + abilityChanged];

const earliest = 3;

export const versions: SchemaVersions = {earliest, present: earliest + steps.length};

/** Returns the version of the schema; 0 if the file holds nothing of ours yet. */
export function readVersion(database: DatabaseSync): number {
	return readNumber(database, 'pragma user_version');
}

/** SQLite may write the words before the name in another way. */
const normalize = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim();

/**
Refuses the database of another program, which is not changed. A trigger or a view that somebody else put into one of ours would run with the next change,
or stand in for a table.

@throws SwitchboardError `unexpected`
*/
export function refuseForeignDatabase(database: DatabaseSync, file: string): void {
	const owner = readNumber(database, 'pragma application_id');
	if (owner !== appId && (owner !== 0 || readNumber(database, 'select count(*) from sqlite_schema') > 0)) {
		throw new SwitchboardError('unexpected', `${file} is the database of another program.`, {nextStep: otherFolder});
	}

	const own = new Set(`${baseline}${formerTriggers}`.match(/\bcreate trigger .+?\bend(?=;)/gs)!.map(text => normalize(text)));
	for (const {type, name, sql} of database
		.prepare("select type, name, sql from sqlite_schema where type in ('trigger', 'view')")
		.iterate()) {
		if (!own.has(normalize(String(sql)))) {
			throw new SwitchboardError(
				'unexpected',
				`The database ${file} holds a ${String(type)} that Switchboard did not make, “${cleanText(String(name), 60)}”.`,
				{nextStep: 'Restore it from a backup of your own: switchboard restore FILE'},
			);
		}
	}
}

/** @throws SwitchboardError `unexpected` if the database is newer than this program or of another program, `refused` if it is too old. */
export function refuseUnknownDatabase(database: DatabaseSync, file: string): void {
	refuseForeignDatabase(database, file);
	refuseVersion(file, readVersion(database), versions);
}

/**
Refuses a database that this program would have to migrate first. One without any content is fine.

@throws SwitchboardError `refused` or `unexpected`
*/
export function refuseOtherVersion(database: DatabaseSync, file: string): void {
	refuseForeignDatabase(database, file);
	refuseVersion(file, readVersion(database), versions, `switchboard migrate --data ${shellWord(path.dirname(file))}`);
}

/**
Creates the tables in an empty database, or brings one of an earlier version to the present one, in one transaction.

@throws SwitchboardError as `refuseUnknownDatabase` does.
*/
export function migrate(database: DatabaseSync, file: string): void {
	database.exec('begin immediate');
	try {
		// Read here: another process may have changed it while this one waited for the lock.
		refuseUnknownDatabase(database, file);
		const version = readVersion(database);
		if (version < versions.present) {
			for (const step of version === 0 ? [baseline] : steps.slice(version - earliest)) {
				database.exec(step);
			}

			database.exec(`pragma application_id = ${appId}; pragma user_version = ${versions.present}`);
		}

		database.exec('commit');
	} catch (error) {
		if (database.isTransaction) {
			database.exec('rollback');
		}

		throw error;
	}
}
