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
];
