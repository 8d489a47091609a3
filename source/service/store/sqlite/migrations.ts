/**
The steps that bring a database up to date, each as SQL. A step is numbered by its position, and never changes once it is
released.
*/
export const migrations: readonly string[] = [
	// Accounts, keys, agents, abilities.
	`
		create table accounts (
			id integer primary key autoincrement,
			name text not null unique,
			created_at text not null
		) strict;

		create table api_keys (
			id integer primary key autoincrement,
			account_id integer not null references accounts (id) on delete cascade,
			name text not null collate nocase,
			hash blob not null unique,
			created_at text not null,
			unique (account_id, name)
		) strict;

		-- Agents, abilities, installed abilities and releases take their ids from here, so that no number ever means two of them.
		create table identifiers (
			id integer primary key autoincrement
		) strict;

		create table agents (
			id integer primary key references identifiers (id),
			account_id integer not null references accounts (id) on delete cascade,
			name text not null,
			description text not null,
			image text,
			is_starter integer not null default 0
		) strict;
		create index agents_by_account on agents (account_id);

		create table abilities (
			id integer primary key references identifiers (id),
			account_id integer not null references accounts (id) on delete cascade,
			name text not null collate nocase,
			category text not null,
			description text not null,
			trigger_words text not null,
			image blob,
			image_file text,
			last_updated text not null,
			unique (account_id, name)
		) strict;

		create table releases (
			id integer primary key references identifiers (id),
			ability_id integer not null references abilities (id) on delete cascade,
			version integer not null,
			is_committed integer not null,
			commit_message text not null,
			created_at text not null,
			unique (ability_id, version)
		) strict;

		create table release_files (
			release_id integer not null references releases (id) on delete cascade,
			path text not null,
			content blob not null,
			primary key (release_id, path)
		) strict;

		create table installed (
			id integer primary key references identifiers (id),
			ability_id integer not null unique references abilities (id) on delete cascade,
			is_enabled integer not null,
			trigger_words text not null,
			is_system_capability integer not null,
			is_agent_capability integer not null,
			last_updated text not null
		) strict;

		create table agent_abilities (
			agent_id integer not null references agents (id) on delete cascade,
			ability_id integer not null references abilities (id) on delete cascade,
			primary key (agent_id, ability_id)
		) strict, without rowid;
		create index agent_abilities_by_ability on agent_abilities (ability_id);
	`,
	// What an account holds, for its quota: the bytes of its texts, images and files, and 500 for each record.
	`
		alter table abilities add column bytes integer not null default 0;
		update abilities set bytes = 500 + octet_length(name) + octet_length(description) + octet_length(trigger_words) + coalesce(octet_length(image), 0);

		-- Includes its files. A generated column would read them again when they are deleted.
		alter table releases add column bytes integer not null default 0;
		update releases set bytes = 500 + octet_length(commit_message) + coalesce(
			(select sum(500 + octet_length(path) + octet_length(content)) from release_files where release_id = releases.id), 0);

		alter table agents add column bytes integer generated always as
			(500 + octet_length(name) + octet_length(description) + coalesce(octet_length(image), 0)) virtual;
		alter table installed add column bytes integer generated always as (500 + octet_length(trigger_words)) virtual;

		alter table accounts add column bytes integer not null default 0;
		update accounts set bytes =
			(select coalesce(sum(bytes), 0) from agents where account_id = accounts.id)
			+ (select coalesce(sum(bytes), 0) from abilities where account_id = accounts.id)
			+ (select coalesce(sum(releases.bytes), 0) from releases join abilities on abilities.id = ability_id where account_id = accounts.id)
			+ (select coalesce(sum(installed.bytes), 0) from installed join abilities on abilities.id = ability_id where account_id = accounts.id);

		create trigger agent_added after insert on agents begin
			update accounts set bytes = bytes + new.bytes where id = new.account_id;
		end;
		create trigger agent_changed after update on agents when new.bytes <> old.bytes begin
			update accounts set bytes = bytes + new.bytes - old.bytes where id = new.account_id;
		end;
		create trigger agent_removed after delete on agents begin
			update accounts set bytes = bytes - old.bytes where id = old.account_id;
		end;

		create trigger ability_added after insert on abilities begin
			update accounts set bytes = bytes + new.bytes where id = new.account_id;
		end;
		-- Its releases and its installed record go with it, and then no longer know their account.
		create trigger ability_removed before delete on abilities begin
			update accounts set bytes = bytes - old.bytes
				- (select coalesce(sum(bytes), 0) from releases where ability_id = old.id)
				- (select coalesce(sum(bytes), 0) from installed where ability_id = old.id)
			where id = old.account_id;
		end;

		create trigger release_added after insert on releases begin
			update accounts set bytes = bytes + new.bytes where id = (select account_id from abilities where id = new.ability_id);
		end;
		create trigger release_changed after update on releases when new.bytes <> old.bytes begin
			update accounts set bytes = bytes + new.bytes - old.bytes where id = (select account_id from abilities where id = new.ability_id);
		end;

		create trigger installed_added after insert on installed begin
			update accounts set bytes = bytes + new.bytes where id = (select account_id from abilities where id = new.ability_id);
		end;
		create trigger installed_changed after update on installed when new.bytes <> old.bytes begin
			update accounts set bytes = bytes + new.bytes - old.bytes where id = (select account_id from abilities where id = new.ability_id);
		end;
		create trigger installed_removed after delete on installed begin
			update accounts set bytes = bytes - old.bytes where id = (select account_id from abilities where id = old.ability_id);
		end;
	`,
	// Names that are equal in any case, as fold_name (`foldName`) says; and a version for each list of an account.
	`
		alter table abilities add column folded_name text not null default '';
		update abilities set folded_name = fold_name(name);
		-- An earlier version told only ASCII letters to be equal. What it let in stays, beside a name that no client can send.
		update abilities set folded_name = folded_name || char(31) || id where exists (
			select 1 from abilities as older
			where older.account_id = abilities.account_id and older.folded_name = abilities.folded_name and older.id < abilities.id);
		create unique index abilities_by_folded_name on abilities (account_id, folded_name);

		alter table api_keys add column folded_name text not null default '';
		update api_keys set folded_name = fold_name(name);
		update api_keys set folded_name = folded_name || char(31) || id where exists (
			select 1 from api_keys as older
			where older.account_id = api_keys.account_id and older.folded_name = api_keys.folded_name and older.id < api_keys.id);
		create unique index api_keys_by_folded_name on api_keys (account_id, folded_name);

		alter table accounts add column agents_version text not null default '';
		alter table accounts add column abilities_version text not null default '';
		alter table accounts add column installed_version text not null default '';
		update accounts set agents_version = hex(randomblob(8)), abilities_version = hex(randomblob(8)), installed_version = hex(randomblob(8));
		create trigger account_versions after insert on accounts begin
			update accounts set agents_version = hex(randomblob(8)), abilities_version = hex(randomblob(8)), installed_version = hex(randomblob(8))
			where id = new.id;
		end;

		create trigger agents_version_added after insert on agents begin
			update accounts set agents_version = hex(randomblob(8)) where id = new.account_id;
		end;
		create trigger agents_version_changed after update of name, description, image on agents
		when new.name is not old.name or new.description is not old.description or new.image is not old.image begin
			update accounts set agents_version = hex(randomblob(8)) where id = new.account_id;
		end;
		create trigger agents_version_removed after delete on agents begin
			update accounts set agents_version = hex(randomblob(8)) where id = old.account_id;
		end;
		create trigger agents_version_tied after insert on agent_abilities begin
			update accounts set agents_version = hex(randomblob(8)) where id = (select account_id from agents where id = new.agent_id);
		end;
		create trigger agents_version_untied after delete on agent_abilities begin
			update accounts set agents_version = hex(randomblob(8)) where id = (select account_id from agents where id = old.agent_id);
		end;

		create trigger abilities_version_added after insert on abilities begin
			update accounts set abilities_version = hex(randomblob(8)) where id = new.account_id;
		end;
		-- An installed ability is listed with the name and the category of its ability.
		create trigger abilities_version_changed after update of name, category, description, trigger_words, image_file, last_updated on abilities begin
			update accounts set abilities_version = hex(randomblob(8)), installed_version = hex(randomblob(8)) where id = new.account_id;
		end;
		-- Its releases and its installed record go with it, and then no longer know their account.
		create trigger abilities_version_removed before delete on abilities begin
			update accounts set abilities_version = hex(randomblob(8)), installed_version = case
				when exists (select 1 from installed where ability_id = old.id) then hex(randomblob(8))
				else installed_version end
			where id = old.account_id;
		end;
		create trigger abilities_version_released after insert on releases begin
			update accounts set abilities_version = hex(randomblob(8)) where id = (select account_id from abilities where id = new.ability_id);
		end;

		-- An ability is listed with whether it is installed.
		create trigger installed_version_added after insert on installed begin
			update accounts set abilities_version = hex(randomblob(8)), installed_version = hex(randomblob(8))
			where id = (select account_id from abilities where id = new.ability_id);
		end;
		create trigger installed_version_changed after update on installed begin
			update accounts set installed_version = hex(randomblob(8)) where id = (select account_id from abilities where id = new.ability_id);
		end;
		create trigger installed_version_removed after delete on installed begin
			update accounts set abilities_version = hex(randomblob(8)), installed_version = hex(randomblob(8))
			where id = (select account_id from abilities where id = old.ability_id);
		end;
	`,
	// Sizes without octet_length, which SQLite has only since 3.43: the sqlite3 of Debian 12 could not read the schema. And who is uploading what.
	`
		drop trigger agent_added;
		drop trigger agent_changed;
		drop trigger agent_removed;
		drop trigger ability_removed;
		drop trigger installed_added;
		drop trigger installed_changed;
		drop trigger installed_removed;

		alter table agents drop column bytes;
		alter table agents add column bytes integer generated always as
			(500 + length(cast(name as blob)) + length(cast(description as blob)) + coalesce(length(cast(image as blob)), 0)) virtual;
		alter table installed drop column bytes;
		alter table installed add column bytes integer generated always as (500 + length(cast(trigger_words as blob))) virtual;

		create trigger agent_added after insert on agents begin
			update accounts set bytes = bytes + new.bytes where id = new.account_id;
		end;
		-- Nothing else makes it larger or smaller: the texts are copied to be measured.
		create trigger agent_changed after update of name, description, image on agents when new.bytes <> old.bytes begin
			update accounts set bytes = bytes + new.bytes - old.bytes where id = new.account_id;
		end;
		create trigger agent_removed after delete on agents begin
			update accounts set bytes = bytes - old.bytes where id = old.account_id;
		end;
		create trigger ability_removed before delete on abilities begin
			update accounts set bytes = bytes - old.bytes
				- (select coalesce(sum(bytes), 0) from releases where ability_id = old.id)
				- (select coalesce(sum(bytes), 0) from installed where ability_id = old.id)
			where id = old.account_id;
		end;
		create trigger installed_added after insert on installed begin
			update accounts set bytes = bytes + new.bytes where id = (select account_id from abilities where id = new.ability_id);
		end;
		create trigger installed_changed after update of trigger_words on installed when new.bytes <> old.bytes begin
			update accounts set bytes = bytes + new.bytes - old.bytes where id = (select account_id from abilities where id = new.ability_id);
		end;
		create trigger installed_removed after delete on installed begin
			update accounts set bytes = bytes - old.bytes where id = (select account_id from abilities where id = old.ability_id);
		end;

		-- The releases whose files are stored before them: one whose upload was cut off is not touched any more (staged-files.ts).
		create table staged_releases (
			id integer primary key,
			account_id integer references accounts (id) on delete cascade,
			touched_at integer not null
		) strict;
		insert into staged_releases (id, touched_at)
			select distinct release_id, unixepoch() from release_files where release_id not in (select id from releases);
	`,
];
