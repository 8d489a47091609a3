type Word = 'schema' | 'sequence' | 'integer' | 'flag' | 'text' | 'blob' | 'version' | 'deferred' | 'end' | 'indexEnd';

/**
The differences between the tables of the databases. `schema` comes before each name, `end` after each table, and `indexEnd` after one that
is its own index. `sequence` is an id that the database gives, and never again; `version` the default version of a list. `deferred` comes
behind a reference of a row that may come before the row that it names.
*/
export type Words = Readonly<Record<Word, string>> & {
	/** A generated column: the size of a record for the quota of its account (`sizeOf`). */
	readonly bytes: (...columns: readonly string[]) => string;
};

/** Columns that tables got after their first version: a migration adds them. */
const columnsSince = {
	accounts: ({integer}: Words): readonly string[] => [
		// The number of the newest entry of the history: it goes on when entries are removed.
		`history_number ${integer} not null default 0`,
		`history_bytes ${integer} not null default 0`,
	],
	api_keys: ({text, flag}: Words): readonly string[] => [
		// 'all', 'read-only' or 'switch'.
		`rights ${text} not null default 'all'`,
		`expires_at ${text}`,
		`last_used_at ${text}`,
		`is_for_ssh ${flag} not null default 0`,
	],
	releases: ({flag}: Words): readonly string[] => [`is_in_use ${flag} not null default 0`],
};

const addColumns = (table: keyof typeof columnsSince, words: Words): string =>
	columnsSince[table](words)
		.map(column => `alter table ${words.schema}${table} add column ${column};`)
		.join('\n');

/**
The history of each account. A value is JSON as a page of the history has it: long ones are only described, and `long_texts` has the rest,
compressed. Names are those of the time: neither keys nor records are referred to, as both may be gone.
*/
const createHistory = ({schema, integer, text, blob, indexEnd}: Words): string =>
	`
	create table ${schema}history (
		account_id ${integer} not null references ${schema}accounts (id) on delete cascade,
		number ${integer} not null,
		at ${text} not null,
		key_id ${integer},
		key_name ${text} not null,
		folded_key_name ${text} not null,
		person ${text} not null default '',
		folded_person ${text} not null default '',
		via ${text} not null,
		kind ${text} not null,
		record_id ${integer} not null,
		record_name ${text} not null,
		folded_record_name ${text} not null,
		field ${text} not null,
		from_value ${text} not null,
		to_value ${text} not null,
		bytes ${integer} not null,
		long_texts ${blob},
		primary key (account_id, number)
	)${indexEnd};
`.replaceAll(/\n\t+/g, '\n');

/**
Adds the timers of installed abilities, also to a database of the version before. An account has no other reference to them, so that its
list has a new version whatever removes one. The key may be gone, and the person is empty if it is not known.
*/
export function createTimers({schema, integer, flag, text, bytes, end}: Words): string {
	return `
	create table ${schema}timers (
		installed_id ${integer} primary key references ${schema}installed (id) on delete cascade,
		account_id ${integer} not null references ${schema}accounts (id) on delete cascade,
		is_enabled ${flag} not null,
		at ${text} not null,
		note ${text} not null,
		set_by ${text} not null,
		person ${text} not null,
		key_id ${integer},
		-- 'late' or 'key'; null for one to come.
		overdue ${text},
		${bytes('set_by', 'person', 'note')}
	)${end};
	create index timers_by_account on ${schema}timers (account_id);
	create index timers_to_come on ${schema}timers (at) where overdue is null;
`.replaceAll(/\n\t+/g, '\n');
}

/** Adds the history, and the rights of keys, to a database of the version before. */
export function addHistory(words: Words): string {
	return [addColumns('accounts', words), addColumns('api_keys', words), createHistory(words)].join('\n');
}

/**
Adds the release in use, to a database of the version before: there the newest was in use, even a draft, which therefore becomes a release.
*/
export function addReleaseInUse(words: Words): string {
	return `
	${addColumns('releases', words)}
	update ${words.schema}releases as newest set is_in_use = 1, is_committed = 1
	where version = (select max(version) from ${words.schema}releases as other where other.ability_id = newest.ability_id);
`;
}

/**
Returns the tables of an empty database, which triggers of each database complete. Names are unique as they are folded (`foldName`), so in
the same way in every database. Agents, abilities, installed abilities and releases take their ids from `identifiers`, so that no number
ever means two of them.
*/
export function createTables(words: Words): string {
	const {schema, sequence, integer, flag, text, blob, version, deferred, bytes, end, indexEnd} = words;
	const idOf = (table: string): string => `${integer} not null references ${schema}${table} (id) on delete cascade`;
	const id = `id ${integer} primary key references ${schema}identifiers (id)`;
	return (
		`
		create table ${schema}accounts (
			id ${sequence},
			name ${text} not null unique,
			created_at ${text} not null,
			bytes ${integer} not null default 0,
			agents_version ${text} not null default ${version},
			abilities_version ${text} not null default ${version},
			installed_version ${text} not null default ${version},
			${columnsSince.accounts(words).join(',\n\t\t\t')}
		)${end};

		create table ${schema}api_keys (
			id ${sequence},
			account_id ${idOf('accounts')},
			name ${text} not null,
			folded_name ${text} not null,
			hash ${blob} not null unique,
			created_at ${text} not null,
			${columnsSince.api_keys(words).join(',\n\t\t\t')},
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
			${columnsSince.releases(words).join(',\n\t\t\t')},
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
	`.replaceAll(/\n\t+/g, '\n') +
		createHistory(words) +
		createTimers(words)
	);
}
