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
];
