import {type ClientBase} from 'pg';
import {formatBytes} from '../../../interface/ability-package/limits.ts';
import {cleanText} from '../../../interface/clean-text.ts';
import {
	checkMigration,
	type CheckResult,
	type Finding,
	problem,
} from '../check-result.ts';
import {checkRecords} from '../sql/check-records.ts';
import {loadPg} from './connect.ts';
import {noPostgresHome, openPostgresHomeToRead, readPostgresVersion} from './home.ts';
import {migrations} from './migrations.ts';
import {withConnection} from './with-connection.ts';

type Named = {readonly name: string};

/** What PostgreSQL itself knows not to hold. */
const checkReferences = async (client: ClientBase): Promise<readonly Finding[]> => {
	const {rows: constraints} = await client.query<Named>(`
		select format('%s of the table %s', conname, conrelid::regclass) as name from pg_constraint
		where connamespace = 'switchboard'::regnamespace and not convalidated order by 1`);
	const {rows: indexes} = await client.query<Named>(`
		select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indexrelid
		where relnamespace = 'switchboard'::regnamespace and not indisvalid order by 1`);
	return [
		...constraints.map(({name}) => problem('references', `The constraint ${cleanText(name, 200)} is not valid: some rows may break it. Restore the database from a backup, or validate it.`)),
		...indexes.map(({name}) => problem('damage', `The index ${cleanText(name, 200)} is not valid. Run in psql: reindex index ${cleanText(name, 200)}`)),
	];
};

const describeServer = async (client: ClientBase): Promise<string> => {
	const {rows} = await client.query<{readonly version: string; readonly bytes: number}>(`
		select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`);
	const {version, bytes} = rows[0]!;
	return `The server is PostgreSQL ${cleanText(version, 60)}; the database has ${formatBytes(bytes)}.`;
};

const serversOwn = 'Not checked: the disk of the server and the files of the database. Its administrator can check them with pg_amcheck.';

/** Checks a PostgreSQL database (`checkStore`). */
export const checkPostgres = async (url: string): Promise<CheckResult> => {
	const version = await readPostgresVersion(url);
	if (version === 0) {
		throw noPostgresHome(url);
	}

	const [references, server] = await withConnection(await loadPg(), url, async client => [await checkReferences(client), await describeServer(client)] as const);
	const findings = [...references, ...checkMigration(version, migrations.length)];
	const summary = [server, serversOwn];
	if (version !== migrations.length) {
		return {findings, summary};
	}

	const home = await openPostgresHomeToRead(url);
	try {
		const records = await home.read(checkRecords);
		return {findings: [...findings, ...records.findings], summary: [...records.summary, ...summary]};
	} finally {
		await home.close();
	}
};
