import {type Buffer, mkdirSync, path, readFileSync, writeFileSync} from './node.ts';
import {gunzipSync} from 'node:zlib';
import pg from 'pg';
import {sharedPostgres, skipWithoutPostgres} from './postgres.ts';
import {temporaryDataFolder} from './temporary-folder.ts';

/*
Homes that an earlier version wrote, by the version of their schema: every later version must open them. All hold the sample home with
the changes that `earlierHome` names. The SQLite files were made by `switchboard backup`, the SQL by
`pg_dump --no-owner --no-privileges --inserts` from what `switchboard copy` had put there.
*/

const read = (name: string): Buffer => gunzipSync(readFileSync(path.join(import.meta.dirname, '..', 'service', 'homes', name)));

export type EarlierHome = {
	readonly name: string;
	readonly skip: string | false;
	/** True if `buildEarlierProgram` wrote it; that program reads no later one. */
	readonly isOfEarlierProgram: boolean;
	/** A data folder, or the URL of a database, that holds a copy of the home. */
	createLocation(): Promise<string>;
};

const onSqlite = (version: number): EarlierHome => ({
	name: `SQLite, version ${version}`,
	skip: false,
	isOfEarlierProgram: version === 3,
	async createLocation() {
		const folder = temporaryDataFolder();
		mkdirSync(folder, {mode: 0o700});
		writeFileSync(path.join(folder, 'switchboard.db'), read(`sqlite-${version}.db.gz`), {mode: 0o600});
		return folder;
	},
});

const onPostgres = (version: number): EarlierHome => ({
	name: `PostgreSQL, version ${version}`,
	skip: skipWithoutPostgres,
	isOfEarlierProgram: version === 2,
	async createLocation() {
		const url = await (await sharedPostgres()).createDatabase();
		const client = new pg.Client({connectionString: url});
		await client.connect();
		await client.query(read(`postgres-${version}.sql.gz`).toString());
		await client.end();
		return url;
	},
});

export const earlierHomes: readonly EarlierHome[] = [onSqlite(3), onPostgres(2), onSqlite(4), onSqlite(5), onSqlite(6), onPostgres(4)];

/** What all of them hold. */
export const earlierHome = {
	/** Of the account `default`, named “fixture”. */
	key: 'sb_L5xxMbZsNjKFDQ2WUAAhZMYdN4uSiuEwN1S0ceiVwbo',
	/** The account `guests` has its first agent alone. */
	keys: [
		[1, 'fixture', 'default'],
		[2, 'visitor', 'guests'],
	],
	hearth: {prompt: 'You look after the house. Ünïcödé – “quoted”.', abilityIds: [3, 6, 12, 27, 30]},
	/** Without `guestwifi`, which was deleted. */
	abilities: {
		morninglights: [1],
		nightwatch: [1],
		pantry: [2, 1],
		goodnight: [1],
		shoppinglist: [1],
		kitchentimer: [1],
		dinnerideas: [1],
		medicinetime: [1],
		laundrywatch: [1],
		deskmusic: [1],
		printerqueue: [1],
		visitornotes: [1],
		bedtimestory: [1],
		lamplighter: [2, 1],
	},
	installed: {
		morninglights: true,
		nightwatch: false,
		pantry: false,
		goodnight: true,
		shoppinglist: true,
		kitchentimer: true,
		dinnerideas: true,
		medicinetime: true,
		laundrywatch: true,
		deskmusic: false,
		printerqueue: false,
		lamplighter: true,
	},
	/** The release in use of pantry is a draft. */
	draft: {abilityId: 9, text: 'print("draft")\n'},
} as const;
