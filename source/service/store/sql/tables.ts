/** The differences between the tables of the databases. */
type Words = {
	/** Before each name. */
	readonly schema: string;
	/** An id that the database gives, and never again. */
	readonly sequence: string;
	readonly integer: string;
	readonly flag: string;
	readonly text: string;
	readonly blob: string;
	/** The default version of a list. */
	readonly version: string;
	/** Behind a reference of a row that may come before the row that it names. */
	readonly deferred: string;
	/** A generated column: the size of a record for the quota of its account (`sizeOf`). */
	readonly bytes: (...columns: readonly string[]) => string;
	/** After each table. */
	readonly end: string;
	/** After one that is its own index. */
	readonly indexEnd: string;
};

/**
The tables of an empty database, which triggers of each database complete. Names are unique as they are folded (`foldName`), so in the same way
in every database. Agents, abilities, installed abilities and releases take their ids from `identifiers`, so that no number ever means two of them.
*/
export const createTables = ({schema, sequence, integer, flag, text, blob, version, deferred, bytes, end, indexEnd}: Words): string => {
	const idOf = (table: string): string => `${integer} not null references ${schema}${table} (id) on delete cascade`;
	const id = `id ${integer} primary key references ${schema}identifiers (id)`;
	return `
		create table ${schema}accounts (
			id ${sequence},
			name ${text} not null unique,
			created_at ${text} not null,
			bytes ${integer} not null default 0,
			agents_version ${text} not null default ${version},
			abilities_version ${text} not null default ${version},
			installed_version ${text} not null default ${version}
		)${end};

		create table ${schema}api_keys (
			id ${sequence},
			account_id ${idOf('accounts')},
			name ${text} not null,
			folded_name ${text} not null,
			hash ${blob} not null unique,
			created_at ${text} not null,
			unique (account_id, folded_name)
		)${end};

		create table ${schema}identifiers (id ${sequence})${end};

		create table ${schema}agents (
			${id},
			account_id ${idOf('accounts')},
			name ${text} not null,
			description ${text} not null,
			image ${text},
			is_starter ${flag} not null default 0,
			${bytes('name', 'description', 'image')}
		)${end};
		create index agents_by_account on ${schema}agents (account_id);

		create table ${schema}abilities (
			${id},
			account_id ${idOf('accounts')},
			name ${text} not null,
			folded_name ${text} not null,
			category ${text} not null,
			description ${text} not null,
			trigger_words ${text} not null,
			image ${blob},
			image_file ${text},
			last_updated ${text} not null,
			bytes ${integer} not null,
			unique (account_id, folded_name)
		)${end};

		-- The bytes include the files: a generated column would read them again when they are deleted.
		create table ${schema}releases (
			${id},
			ability_id ${idOf('abilities')},
			version ${integer} not null,
			is_committed ${flag} not null,
			commit_message ${text} not null,
			created_at ${text} not null,
			bytes ${integer} not null,
			unique (ability_id, version)
		)${end};

		create table ${schema}release_files (
			release_id ${idOf('releases')}${deferred},
			path ${text} not null,
			content ${blob} not null,
			primary key (release_id, path)
		)${end};

		create table ${schema}installed (
			${id},
			ability_id ${integer} not null unique references ${schema}abilities (id) on delete cascade,
			is_enabled ${flag} not null,
			trigger_words ${text} not null,
			is_system_capability ${flag} not null,
			is_agent_capability ${flag} not null,
			last_updated ${text} not null,
			${bytes('trigger_words')}
		)${end};

		create table ${schema}agent_abilities (
			agent_id ${idOf('agents')},
			ability_id ${idOf('abilities')},
			primary key (agent_id, ability_id)
		)${indexEnd};
		create index agent_abilities_by_ability on ${schema}agent_abilities (ability_id);
	`.replaceAll(/\n\t+/g, '\n');
};
