import assert from 'node:assert/strict';
import {test} from 'node:test';
import {holdsPassword, passwordsIn, withoutPassword} from '../../source/platform/database-url.ts';
import {environmentWithoutKeys, secretsOf} from '../../source/platform/key-variables.ts';

const urls = [
	'postgres://home:wh1sper%40home@db.example:5433/home?sslmode=require',
	'postgresql://db.example/home?user=home&password=wh1sper%40home',
	'POSTGRES://:wh1sper%40home@db.example/home',
];

test('the URL of a database is shown without its password, and the rest of it stays', () => {
	assert.deepEqual(urls.map(url => [holdsPassword(url), withoutPassword(url)]), [
		[true, 'postgres://home@db.example:5433/home?sslmode=require'],
		[true, 'postgresql://db.example/home?user=home'],
		[true, 'postgres://db.example/home'],
	]);
	for (const url of ['postgres:///home?host=/run/postgresql', 'postgres://home@db/home']) {
		assert.deepEqual([holdsPassword(url), withoutPassword(url)], [false, url]);
	}
});

test('passwords are found in anything like a URL, even an invalid one, both encoded and decoded', () => {
	for (const url of urls) {
		assert.deepEqual(passwordsIn(`cannot use ${url} now`), ['wh1sper%40home', 'wh1sper@home']);
	}

	assert.deepEqual(passwordsIn('postgres://home:a/b#c@d@db/home'), ['a/b#c@d', 'a/b#c@d']);
	assert.deepEqual(passwordsIn('https://db.example:5432/home and 12:30@noon'), []);
});

test('neither messages nor other programs get the password of the environment', () => {
	const env = {SWITCHBOARD_DATABASE_URL: urls[0], SWITCHBOARD_API_KEY: ' sb_key\n', EDITOR: 'vi'};
	assert.deepEqual(secretsOf(env), ['sb_key', 'wh1sper%40home', 'wh1sper@home']);
	assert.deepEqual(environmentWithoutKeys(env), {EDITOR: 'vi'});
});
