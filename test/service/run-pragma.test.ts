import assert from 'node:assert/strict';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {test} from 'node:test';
import {runPragma} from '../../source/service/store/sqlite/run-pragma.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

const createFile = (): string => {
	const file = path.join(temporaryFolder(), 'odd ? name #.db');
	using database = new DatabaseSync(file);
	database.exec('create table numbers (number integer)');
	return file;
};

test('a check of a whole file answers, and an error of SQLite keeps its code', async () => {
	const file = createFile();
	const {signal} = new AbortController();
	assert.deepEqual(await runPragma(file, 'integrity_check(10)', {signal}), ['ok']);
	assert.deepEqual(await runPragma(file, 'quick_check(1)', {signal, isImmutable: true}), ['ok']);
	await assert.rejects(runPragma(`${file}.missing`, 'quick_check(1)', {signal}), {errcode: 14});
});

test('a signal ends a check that has not ended by itself, with the reason of the signal', async () => {
	const controller = new AbortController();
	const running = runPragma(createFile(), 'integrity_check(10)', {signal: controller.signal});
	const reason = new Error('interrupted');
	controller.abort(reason);
	await assert.rejects(running, reason);
});
