import {assert, assertMapped, DatabaseSync, path} from '../../helpers/node.ts';

/** Fails if the database of a data folder is damaged, or a row refers to one that is not there. */
export function checkDatabase(dataFolder: string): void {
	const database = new DatabaseSync(path.join(dataFolder, 'switchboard.db'), {timeout: 5000});
	assertMapped(database.prepare('pragma integrity_check').all(), row => ({...row}), [{integrity_check: 'ok'}]);
	// The files of an upload that was cut off are known by its row, and removed in time.
	assert.deepEqual(
		database
			.prepare(`
		select * from pragma_foreign_key_check where "table" <> 'release_files'
			or rowid not in (select rowid from release_files where release_id in (select id from staged_releases))`)
			.all(),
		[],
	);
	database.close();
}
