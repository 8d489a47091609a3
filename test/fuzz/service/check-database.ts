import assert from 'node:assert/strict';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';

/** Fails if the database of a data folder is damaged, or a row refers to one that is not there. */
export const checkDatabase = (dataFolder: string): void => {
	const database = new DatabaseSync(path.join(dataFolder, 'switchboard.db'), {timeout: 5000});
	assert.deepEqual(database.prepare('pragma integrity_check').all().map(row => ({...row})), [{integrity_check: 'ok'}]);
	assert.deepEqual(database.prepare('pragma foreign_key_check').all(), []);
	database.close();
};
