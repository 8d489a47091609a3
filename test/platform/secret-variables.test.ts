import {assert, assertMapped, test} from '../helpers/node.ts';
import * as fc from 'fast-check';
import {environmentWithoutKeys, holdsPassword, passwordsIn, secretsOf, withoutPassword} from '../../source/platform/secret-variables.ts';

const urls = [
	'postgres://home:wh1sper%40home@db.example:5433/home?sslmode=require',
	'postgresql://db.example/home?user=home&password=wh1sper%40home',
	'POSTGRES://:wh1sper%40home@db.example/home',
];

test('the URL of a database is shown without its password, and the rest of it stays', () => {
	assertMapped(urls, url => [holdsPassword(url), withoutPassword(url)], [
		[true, 'postgres://home@db.example:5433/home?sslmode=require'],
		[true, 'postgresql://db.example/home?user=home'],
		[true, 'postgres://db.example/home'],
	]);
	for (const url of ['postgres:///home?host=/run/postgresql', 'postgres://home@db/home', 'postgres://j%C3%B6rg@%2Frun%2Fpostgresql/home']) {
		assert.deepEqual([holdsPassword(url), withoutPassword(url)], [false, url]);
	}
});

/** Places of a URL in which a secret may stand, by intent or by mistake. */
const places: ReadonlyArray<(secret: string) => string> = [
	secret => `postgres://home:${secret}@db.example/home`,
	secret => `postgres://:${secret}@db.example/home`,
	secret => `postgres://home%3A${secret}@db.example/home`,
	secret => `postgres://home%253A${secret}@db.example/home`,
	secret => `postgres://home:a@${secret}@db.example/home`,
	secret => `postgres://home:5432/${secret}@db.example/home`,
	secret => `postgres://home:5432?${secret}@db.example/home`,
	secret => `postgres://home:5432#${secret}@db.example/home`,
	secret => `postgres:///home:${secret}@db.example/home`,
	secret => `postgres://home@db.example/home#password=${secret}`,
	secret => `postgres://home@db.example/home?user=home:${secret}`,
	secret => `postgres://home@db.example/home?host=home:${secret}@db.example`,
	secret => `postgres://home@db.example/home?sslmode=require&p%61ssword=${secret}&PASSWORD=${secret}`,
	...['password', 'sslpassword', 'sslkey', 'options', 'passfile', 'passwd', 'oauth_client_secret', 'application_name', '%'].map(
		name => (secret: string) => `postgres://home@db.example/home?${name}=${secret}&sslmode=require&${name}=${secret}`,
	),
];

const encodings: ReadonlyArray<(secret: string) => string> = [
	secret => secret,
	encodeURIComponent,
	secret => [...secret].map(letter => `%${letter.codePointAt(0)!.toString(16)}`).join(''),
];

test('wherever in a URL a secret stands, and however it is written, it is not shown', () => {
	const letters = fc.string({unit: fc.constantFrom(...'abcXYZ019/:@?#%&=+ ;'), minLength: 0, maxLength: 20});
	fc.assert(
		fc.property(letters, letters, fc.constantFrom(...places), fc.constantFrom(...encodings), (start, end, place, encode) => {
			const core = 'wh1sper';
			const url = place(encode(`${start}${core}${end}`));
			// What cannot be parsed is refused without being repeated.
			if (!URL.canParse(url)) {
				return;
			}

			const shown = withoutPassword(url);
			for (const text of [core, encode(core)]) {
				assert.ok(!shown.includes(text), `${url} is shown as ${shown}`);
			}

			assert.ok(URL.canParse(shown));
		}),
		{numRuns: 3000},
	);
});

test('passwords are found in anything like a URL, even an invalid one, both encoded and decoded', () => {
	for (const url of urls) {
		assert.deepEqual(passwordsIn(`cannot use ${url} now`), ['wh1sper%40home', 'wh1sper@home']);
	}

	assert.deepEqual(passwordsIn('postgres://home:a/b#c@d@db/home'), ['a/b#c@d', 'a/b#c@d']);
	assert.deepEqual(passwordsIn('postgres://home%3Awh1sper@db/home?p%61ssword=wh1sp%65r'), ['wh1sper', 'wh1sper', 'wh1sp%65r', 'wh1sper']);
	assert.deepEqual(passwordsIn('https://db.example:5432/home and 12:30@noon'), []);
});

test('neither messages nor other programs get the keys, the session token and the password of the environment', () => {
	const env = {
		SWITCHBOARD_DATABASE_URL: urls[0],
		SWITCHBOARD_API_KEY: ' sb_key\n',
		SWITCHBOARD_MODEL_KEY: 'sk_model',
		OPENHOME_JWT: '"Bearer to.ke.n"',
		EDITOR: 'vi',
	};
	assert.deepEqual(secretsOf(env), ['sb_key', 'sk_model', 'to.ke.n', 'wh1sper%40home', 'wh1sper@home']);
	assert.deepEqual(environmentWithoutKeys(env), {EDITOR: 'vi'});
});
