import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {cleanText} from '../../../interface/clean-text.ts';
import {SwitchboardError} from '../../../interface/errors.ts';
import {otherFolder} from '../../data-folder.ts';
import {addHistory, addReleaseInUse, createTables, createTimers, type Words} from '../sql/tables.ts';
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

const newVersion = 'hex(randomblob(8))';

const ofAdded = '(select account_id from abilities where id = new.ability_id)';

const ofRemoved = '(select account_id from abilities where id = old.ability_id)';

/** Keep the size of an account (`sizeOf`) for the columns that have been computed anew since version 3. */
const sizeTriggers = `
	create trigger agent_added after insert on agents begin update accounts set bytes = bytes + new.bytes where id = new.account_id; end;
	-- Nothing else makes it larger or smaller: the texts are copied to be measured.
	create trigger agent_changed after update of name, description, image on agents when new.bytes <> old.bytes
		begin update accounts set bytes = bytes + new.bytes - old.bytes where id = new.account_id; end;
	create trigger agent_removed after delete on agents begin update accounts set bytes = bytes - old.bytes where id = old.account_id; end;
	-- Its releases and its installed record go with it, and then no longer know their account.
	create trigger ability_removed before delete on abilities begin update accounts set bytes = bytes - old.bytes
		- (select coalesce(sum(bytes), 0) from releases where ability_id = old.id)
		- (select coalesce(sum(bytes), 0) from installed where ability_id = old.id) where id = old.account_id; end;
	create trigger installed_added after insert on installed begin update accounts set bytes = bytes + new.bytes where id = ${ofAdded}; end;
	create trigger installed_changed after update of trigger_words on installed when new.bytes <> old.bytes
		begin update accounts set bytes = bytes + new.bytes - old.bytes where id = ${ofAdded}; end;
	create trigger installed_removed after delete on installed begin update accounts set bytes = bytes - old.bytes where id = ${ofRemoved}; end;
`;

const abilityChanged = `
	create trigger ability_changed after update of bytes on abilities when new.bytes <> old.bytes
		begin update accounts set bytes = bytes + new.bytes - old.bytes where id = new.account_id; end;
`;

/** An installed ability is listed with its timer. */
const timerTriggers = `
	create trigger timer_added after insert on timers
		begin update accounts set bytes = bytes + new.bytes, installed_version = ${newVersion} where id = new.account_id; end;
	create trigger timer_changed after update on timers
		begin update accounts set bytes = bytes + new.bytes - old.bytes, installed_version = ${newVersion} where id = new.account_id; end;
	create trigger timer_removed after delete on timers
		begin update accounts set bytes = bytes - old.bytes, installed_version = ${newVersion} where id = old.account_id; end;
`;

/** Keep the size of an account, and give its lists new versions. */
const otherTriggers = `
	${abilityChanged}
	${timerTriggers}
	create trigger ability_added after insert on abilities begin update accounts set bytes = bytes + new.bytes where id = new.account_id; end;
	create trigger release_added after insert on releases begin update accounts set bytes = bytes + new.bytes where id = ${ofAdded}; end;
	create trigger release_changed after update on releases when new.bytes <> old.bytes
		begin update accounts set bytes = bytes + new.bytes - old.bytes where id = ${ofAdded}; end;
	create trigger account_versions after insert on accounts begin update accounts
		set agents_version = ${newVersion}, abilities_version = ${newVersion}, installed_version = ${newVersion} where id = new.id; end;
	create trigger agents_version_added after insert on agents
		begin update accounts set agents_version = ${newVersion} where id = new.account_id; end;
	create trigger agents_version_changed after update of name, description, image on agents
		when new.name is not old.name or new.description is not old.description or new.image is not old.image
		begin update accounts set agents_version = ${newVersion} where id = new.account_id; end;
	create trigger agents_version_removed after delete on agents
		begin update accounts set agents_version = ${newVersion} where id = old.account_id; end;
	create trigger agents_version_tied after insert on agent_abilities
		begin update accounts set agents_version = ${newVersion} where id = (select account_id from agents where id = new.agent_id); end;
	create trigger agents_version_untied after delete on agent_abilities
		begin update accounts set agents_version = ${newVersion} where id = (select account_id from agents where id = old.agent_id); end;
	create trigger abilities_version_added after insert on abilities
		begin update accounts set abilities_version = ${newVersion} where id = new.account_id; end;
	-- An installed ability is listed with the name and the category of its ability.
	create trigger abilities_version_changed
		after update of name, category, description, trigger_words, image_file, last_updated on abilities
		begin update accounts set abilities_version = ${newVersion}, installed_version = ${newVersion} where id = new.account_id; end;
	-- Its releases and its installed record go with it, and then no longer know their account.
	create trigger abilities_version_removed before delete on abilities begin
		update accounts set abilities_version = ${newVersion}, installed_version = case
			when exists (select 1 from installed where ability_id = old.id) then ${newVersion}
			else installed_version end
		where id = old.account_id; end;
	create trigger abilities_version_released after insert on releases
		begin update accounts set abilities_version = ${newVersion} where id = ${ofAdded}; end;
	-- An ability is listed with whether it is installed.
	create trigger installed_version_added after insert on installed
		begin update accounts set abilities_version = ${newVersion}, installed_version = ${newVersion} where id = ${ofAdded}; end;
	create trigger installed_version_changed after update on installed
		begin update accounts set installed_version = ${newVersion} where id = ${ofAdded}; end;
	create trigger installed_version_removed after delete on installed
		begin update accounts set abilities_version = ${newVersion}, installed_version = ${newVersion} where id = ${ofRemoved}; end;
`;

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

/**
The present schema. A home that a migration has brought to it has its columns in another order, and each unique constraint as an index.
*/
const baseline = createTables(words) + stagedReleases + sizeTriggers + otherTriggers;

/** The triggers of version 3 that version 4 replaces by others. */
const formerTriggers = `
	create trigger agent_changed after update on agents when new.bytes <> old.bytes
		begin update accounts set bytes = bytes + new.bytes - old.bytes where id = new.account_id; end;
	create trigger installed_changed after update on installed when new.bytes <> old.bytes
		begin update accounts set bytes = bytes + new.bytes - old.bytes where id = ${ofAdded}; end;
`;

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
export const steps: readonly string[] = [
	fromVersion3,
	addHistory(words),
	addReleaseInUse(words) + abilityChanged,
	createTimers(words) + timerTriggers,
];

const earliest = 3;

export const versions: SchemaVersions = {earliest, present: earliest + steps.length};

/** Returns the version of the schema; 0 if the file holds nothing of ours yet. */
export function readVersion(database: DatabaseSync): number {
	return readNumber(database, 'pragma user_version');
}

/** SQLite may write the words before the name in another way. */
const normalize = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim();

/**
Refuses the database of another program, which is not changed. A trigger or a view that somebody else put into one of ours would run with
the next change, or stand in for a table.

@throws SwitchboardError `unexpected`
*/
export function refuseForeignDatabase(database: DatabaseSync, file: string): void {
	const owner = readNumber(database, 'pragma application_id');
	if (owner !== appId && (owner !== 0 || readNumber(database, 'select count(*) from sqlite_schema') > 0)) {
		throw new SwitchboardError('unexpected', `${file} is the database of another program.`, {nextStep: otherFolder});
	}

	const own = new Set(`${baseline}${formerTriggers}`.match(/\bcreate trigger .+?\bend(?=;)/gs)!.map(text => normalize(text)));
	const found = database.prepare("select type, name, sql from sqlite_schema where type in ('trigger', 'view')").all();
	for (const {type, name, sql} of found) {
		if (!own.has(normalize(String(sql)))) {
			const message = `The database ${file} holds a ${String(type)} that Switchboard did not make, “${cleanText(String(name), 60)}”.`;
			throw new SwitchboardError('unexpected', message, {nextStep: 'Restore it from a backup of your own: switchboard restore FILE'});
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
	refuseVersion(
		file,
		readVersion(database),
		versions,
		`Stop what still uses it, then bring it up to date: switchboard migrate --data ${shellWord(path.dirname(file))}`,
	);
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
