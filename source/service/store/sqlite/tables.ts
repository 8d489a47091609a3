import {type ColumnType, type Generated, type Kysely} from 'kysely';

/** SQLite knows no booleans: 0 or 1. */
export type Flag = 0 | 1;

export const flag = (value: boolean): Flag => value ? 1 : 0;

/** ISO 8601 in UTC, as it goes onto the wire. */
type Timestamp = string;

/** A list of texts as JSON. */
type TextList = string;

/** Set once. */
type Fixed<Value> = ColumnType<Value, Value, never>;

/** What the migrations make, as types. */
export type Tables = {
	readonly accounts: {
		readonly id: Generated<number>;
		readonly name: Fixed<string>;
		readonly created_at: Fixed<Timestamp>;
	};
	readonly api_keys: {
		readonly id: Generated<number>;
		readonly account_id: Fixed<number>;
		readonly name: Fixed<string>;
		readonly hash: Fixed<Uint8Array>;
		readonly created_at: Fixed<Timestamp>;
	};
	readonly identifiers: {
		readonly id: Generated<number>;
	};
	readonly agents: {
		readonly id: Fixed<number>;
		readonly account_id: Fixed<number>;
		readonly name: string;
		readonly description: string;
		readonly image: string | null;
		/** 1 until somebody changes the agent that came with the account. */
		readonly is_starter: Flag;
	};
	readonly abilities: {
		readonly id: Fixed<number>;
		readonly account_id: Fixed<number>;
		readonly name: Fixed<string>;
		readonly category: string;
		readonly description: string;
		readonly trigger_words: TextList;
		readonly image: Uint8Array | null;
		readonly image_file: string | null;
		readonly last_updated: Timestamp;
	};
	readonly releases: {
		readonly id: Fixed<number>;
		readonly ability_id: Fixed<number>;
		readonly version: Fixed<number>;
		readonly is_committed: Flag;
		readonly commit_message: string;
		readonly created_at: Timestamp;
	};
	readonly release_files: {
		readonly release_id: Fixed<number>;
		readonly path: Fixed<string>;
		readonly content: Fixed<Uint8Array>;
	};
	readonly installed: {
		readonly id: Fixed<number>;
		readonly ability_id: Fixed<number>;
		readonly is_enabled: Flag;
		readonly trigger_words: TextList;
		readonly is_system_capability: Flag;
		readonly is_agent_capability: Flag;
		readonly last_updated: Timestamp;
	};
	readonly agent_abilities: {
		readonly agent_id: Fixed<number>;
		readonly ability_id: Fixed<number>;
	};
};

export type Database = Kysely<Tables>;
