import {type ColumnType, type Generated, type Kysely} from 'kysely';
import {type ListName} from '../store.ts';

/** SQLite has no booleans: 0 or 1. */
type Flag = 0 | 1;

export const flag = (value: boolean): Flag => value ? 1 : 0;

/** ISO 8601 in UTC, as on the wire. */
type Timestamp = string;

/** A list of strings as JSON. */
type StringList = string;

/** Only this service writes such a column, so it is what it says. */
export const parseStrings = (json: StringList): string[] => JSON.parse(json) as string[];

/** Columns that are set once. */
type Fixed<Columns> = {readonly [Name in keyof Columns]: ColumnType<Columns[Name], Columns[Name], never>};

/** Random, and replaced with each change of a list. Triggers keep them. */
type VersionColumns = {readonly [Name in ListName as `${Name}_version`]: ColumnType<string, never, never>};

/** The tables that the migrations create, as types. Names are unique as they are folded (`foldName`), so in the same way in every database. */
export type Tables = {
	readonly accounts: Fixed<{name: string; created_at: Timestamp}> & VersionColumns & {
		readonly id: Generated<number>;
		/** What it holds. Triggers keep it. */
		readonly bytes: ColumnType<number, never, never>;
	};
	readonly api_keys: Fixed<{account_id: number; name: string; folded_name: string; hash: Uint8Array; created_at: Timestamp}> & {
		readonly id: Generated<number>;
	};
	readonly identifiers: {
		readonly id: Generated<number>;
	};
	readonly agents: Fixed<{id: number; account_id: number}> & {
		readonly name: string;
		readonly description: string;
		readonly image: string | null;
		/** 1 until the agent that came with the account is changed. */
		readonly is_starter: Flag;
	};
	readonly abilities: Fixed<{id: number; account_id: number; name: string; folded_name: string; bytes: number}> & {
		readonly category: string;
		readonly description: string;
		readonly trigger_words: StringList;
		readonly image: Uint8Array | null;
		readonly image_file: string | null;
		readonly last_updated: Timestamp;
	};
	readonly releases: Fixed<{id: number; ability_id: number; version: number}> & {
		readonly is_committed: Flag;
		/** With its files. */
		readonly bytes: number;
		readonly commit_message: string;
		readonly created_at: Timestamp;
	};
	readonly release_files: Fixed<{path: string; content: Uint8Array}> & {
		readonly release_id: number;
	};
	/** The uploads whose files are stored before their releases: in SQLite alone, and of those of an earlier version nobody knows whose they are. */
	readonly staged_releases: Fixed<{id: number; account_id: number | null}> & {
		/** Seconds since 1970. */
		readonly touched_at: number;
	};
	readonly installed: Fixed<{id: number; ability_id: number}> & {
		readonly is_enabled: Flag;
		readonly trigger_words: StringList;
		readonly is_system_capability: Flag;
		readonly is_agent_capability: Flag;
		readonly last_updated: Timestamp;
	};
	readonly agent_abilities: Fixed<{agent_id: number; ability_id: number}>;
};

export type Database = Kysely<Tables>;
