import assert from 'node:assert/strict';
import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import {test} from 'node:test';
import {openStore} from '../../source/service/store/open-store.ts';
import {createCertificate} from '../helpers/certificates.ts';
import {sharedPostgres, skipWithoutPostgres as skip, startPostgres} from '../helpers/postgres.ts';
import {setVariables} from '../helpers/set-variables.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

const isOpened = async (url: string): Promise<boolean> => {
	try {
		const store = await openStore(url);
		await store.ready();
		await store.close();
		return true;
	} catch (error) {
		assert.equal((error as {kind?: string}).kind, 'unreachable', String(error));
		return false;
	}
};

test('sslmode means what it means for psql: “require” encrypts, “verify-full” also checks the certificate', {skip}, async t => {
	const certificate = createCertificate();
	const server = await startPostgres({certificate});
	const url = await server.createDatabase();
	const file = path.join(temporaryFolder(), 'root.crt');
	await writeFile(file, certificate.cert);
	const trusted = `sslrootcert=${encodeURIComponent(file)}`;
	const named = url.replace('127.0.0.1', 'localhost');
	assert.deepEqual(await Promise.all([
		isOpened(`${url}?sslmode=require`),
		isOpened(`${url}?sslmode=verify-full`),
		isOpened(`${named}?sslmode=verify-full&${trusted}`),
	]), [true, false, true]);

	setVariables(t, {PGSSLMODE: 'verify-full', PGSSLROOTCERT: file});
	assert.equal(await isOpened(named), true);
	setVariables(t, {PGSSLROOTCERT: ''});
	assert.equal(await isOpened(named), false);
});

test('a server without TLS is refused where it is required', {skip}, async () => {
	const url = await (await sharedPostgres()).createDatabase();
	assert.equal(await isOpened(`${url}?sslmode=require`), false);
	assert.equal(await isOpened(`${url}?sslmode=disable`), true);
});
