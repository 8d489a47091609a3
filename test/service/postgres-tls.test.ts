import {
	type AddressInfo,
	assert,
	Buffer,
	net,
	once,
	path,
	rmSync,
	test,
	type TestContext,
	Writable,
	writeFileSync,
} from '../helpers/node.ts';
import {hostname} from 'node:os';
import {TLSSocket} from 'node:tls';
import {startService} from '../../source/service/service.ts';
import {openStore, warningsFor} from '../../source/service/store/open-store.ts';
import {chooseTls} from '../../source/service/store/postgres/tls.ts';
import {type PostgresServer, sharedPostgres, skipWithoutPostgres as skip, startPostgres} from '../helpers/postgres.ts';
import {createCertificate, setVariables, temporaryFolder} from './kit.ts';

/** “opened”, or why not. */
async function openingOf(url: string): Promise<string> {
	try {
		const store = await openStore(url);
		await store.ready();
		await store.close();
		return 'opened';
	} catch (error) {
		const {kind, message, nextStep} = error as {readonly kind?: string; readonly message: string; readonly nextStep?: string};
		assert.ok(!message.includes(new URL(url).password), message);
		return `${kind}: ${message} ${nextStep}`;
	}
}

const choose = (host: string, query = '', env: Readonly<Record<string, string>> = {}) => chooseTls(host, new URLSearchParams(query), env);

const local = ['/run/postgresql', 'localhost', 'LocalHost', '127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', '0:0:0:0:0:0:0:1'];
const distant = [
	'db.example.net',
	'10.0.0.1',
	'128.0.0.1',
	'0.0.0.0',
	'127.1',
	'127.0.0.1.example.net',
	'localhost.example.net',
	'db.localhost',
	'::2',
	'::ffff:10.0.0.1',
	'fe80::1',
	hostname(),
	'',
];

test('beyond this machine the certificate of the database is checked with its name, unless the URL says otherwise', () => {
	for (const host of local) {
		assert.deepEqual([choose(host).mode, choose(host).warnings], ['disable', []], host);
		assert.equal(choose(host, 'sslmode=verify-full').mode, host.startsWith('/') ? 'disable' : 'verify-full', host);
		assert.equal(choose(host, '', {PGSSLMODE: 'disable'}).mode, 'disable');
	}

	for (const host of distant) {
		assert.deepEqual([choose(host).mode, choose(host).warnings], ['verify-full', []], host);
		assert.equal(choose(host, 'sslmode=verify-full&sslmode=disable').mode, 'disable');
		assert.match(
			choose(host, 'sslmode=disable').warnings[0]!,
			/^Warning: with sslmode=disable, all that is sent .* can be read and changed on the way\. Use sslmode=verify-full\.$/,
		);
		assert.match(
			choose(host, 'sslmode=require').warnings[0]!,
			/^Warning: with sslmode=require, the certificate of the database is not checked/,
		);
	}

	assert.equal(choose('db', '', {PGSSLMODE: 'require'}).mode, 'require');
	assert.equal(choose('db', 'sslmode=verify-full', {PGSSLMODE: 'require'}).mode, 'verify-full');
	assert.equal(choose('db', 'sslmode=verify-full', {PGSSLMODE: 'disable'}).mode, 'verify-full');
	assert.equal(choose('db', 'sslrootcert=system').mode, 'verify-full');
	assert.equal(choose('localhost', 'sslrootcert=root.crt').mode, 'verify-full');
	assert.deepEqual(
		[choose('db', 'sslmode=require&sslrootcert=root.crt').mode, choose('db', 'sslmode=require&sslrootcert=root.crt').warnings[0]],
		['verify-ca', undefined],
	);
	assert.equal(choose('db', '', {PGSSLNEGOTIATION: 'direct'}).negotiation, 'direct');
});

test('what is not known, cannot be had, or would be plain text in silence, is refused with what to use', () => {
	for (const [host, query, env, kind, message] of [
		['db', 'sslmode=prefer', {}, 'insecure', /^With sslmode=prefer .* in plain text whenever .*\. Use sslmode=verify-full, .*; or disable/],
		['127.0.0.1', 'sslmode=allow', {}, 'insecure', /^With sslmode=allow /],
		['db', '', {PGSSLMODE: 'prefer'}, 'insecure', /^With sslmode=prefer /],
		['db', '', {PGSSLMODE: 'disable'}, 'insecure', /^PGSSLMODE=disable is not enough .* put sslmode=disable into the URL/],
		['db', 'sslmode=Disable', {}, 'usage', /^The value of sslmode for the database is not known\. Use sslmode=verify-full/],
		['localhost', 'sslmode=wh1sper', {}, 'usage', /^The value of sslmode for the database is not known\./],
		['db', 'sslmode=no-verify', {}, 'usage', /^The value of sslmode /],
		['db', 'sslmode=verify-ca', {}, 'insecure', /^sslmode=verify-ca does not check the name .* sslrootcert\.$/],
		['db', 'sslmode=require&sslrootcert=system', {}, 'insecure', /^sslmode=require does not check the name /],
		['db', 'ssl=0', {}, 'usage', / parameter for TLS or for signing in that is not supported.* Use sslmode, sslrootcert, /],
		['db', 'SSLMODE=disable', {}, 'usage', /not supported/],
		['db', 'require_auth=scram-sha-256', {}, 'usage', /not supported/],
		['db', 'sslcert=a.crt', {}, 'usage', /^Only one of sslcert and sslkey is given/],
		['db', 'sslnegotiation=maybe', {}, 'usage', /^The value of sslnegotiation for the database is not known\. Use postgres, direct\.$/],
		['localhost', 'sslnegotiation=direct', {}, 'usage', /^sslnegotiation=direct needs TLS\./],
		['db', 'channel_binding=always', {}, 'usage', /^The value of channel_binding .* Use disable, prefer, require\.$/],
		['db', 'channel_binding=require&sslmode=disable', {}, 'usage', /^channel_binding=require needs TLS\./],
		['/run/postgresql', '', {PGCHANNELBINDING: 'require'}, 'usage', /^channel_binding=require needs TLS\./],
		['db1,db2', '', {}, 'usage', /^The URL of the database names several hosts\. Name one/],
	] as const) {
		assert.throws(
			() => choose(host, query, env),
			(error: Error & {readonly kind: string; readonly nextStep: string}) => {
				assert.equal(error.kind, kind, query);
				assert.match(`${error.message} ${error.nextStep}`, message);
				assert.doesNotMatch(error.message, /wh1sper/);
				return true;
			},
		);
	}
});

test('no password gets out of this machine in the clear: a server elsewhere is asked for TLS first', async t => {
	const server = net.createServer();
	t.after(() => {
		server.close();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	// SSLRequest (https://www.postgresql.org/docs/current/protocol-message-formats.html), answered with “no”.
	const asked: string[] = [];
	server.on('connection', socket => {
		socket.on('error', () => undefined);
		socket.on('data', data => {
			asked.push(data.toString('hex'));
			socket.write('N');
		});
	});
	const opening = await openingOf(`postgres://home:wh1sper@${hostname()}:${port}/home`);
	if (asked.length === 0) {
		assert.match(opening, /there is no host|cannot be looked up|nothing listens/);
		return;
	}

	assert.deepEqual(asked, ['0000000804d2162f']);
	assert.match(opening, /^unreachable: .* cannot be used: it does not offer TLS\. Enable TLS there, or put sslmode=disable into the URL/);
});

const certificate = createCertificate({names: ['localhost', hostname()]});

let encrypted: Promise<PostgresServer> | undefined;

/** A new database of the one server that offers TLS, and the file of its certificate. */
async function startWithTls() {
	encrypted ??= startPostgres({certificate});
	const server = await encrypted;
	const url = await server.createDatabase();
	const rootFile = path.join(temporaryFolder(), 'root.crt');
	writeFileSync(rootFile, certificate.cert);
	return {server, url, named: url.replace('127.0.0.1', 'localhost'), rootFile, cert: certificate.cert};
}

/** Of each session, that of the question too. */
const areEncrypted = async (server: PostgresServer, url: string) =>
	server.administer(`
	select bool_and(ssl) as all, count(*)::integer as count from pg_stat_ssl join pg_stat_activity using (pid) where datname = '${new URL(url).pathname.slice(1)}'`);

test('sslmode means for a real server what it means for psql, and a certificate that is not right is explained', {skip}, async t => {
	const {server, url, named, rootFile, cert} = await startWithTls();
	const trusted = `sslrootcert=${encodeURIComponent(rootFile)}`;
	const untrusted =
		/^unreachable: .* self-signed certificate.* Name the file of the authority that signed its certificate: sslrootcert=FILE in the URL\.$/;
	for (const [asked, expected] of [
		[`${url}?sslmode=require`, /^opened$/],
		[`${url}?sslmode=disable`, /^opened$/],
		[`${named}?sslmode=verify-full`, untrusted],
		[`${named}?sslrootcert=system`, untrusted],
		[`${named}?sslmode=verify-full&${trusted}`, /^opened$/],
		[`${named}?sslmode=verify-full&${trusted}&sslnegotiation=postgres&channel_binding=require`, /^opened$/],
		[`${url}?${trusted}`, /^unreachable: .* Use the name that its certificate is for\.$/],
		[`${url}?sslmode=verify-ca&${trusted}`, /^opened$/],
		[`${url}?sslmode=require&${trusted}`, /^opened$/],
		[`${named}?sslrootcert=${encodeURIComponent(`${rootFile}.none`)}`, /^usage: The file of sslrootcert for the database does not exist\./],
		[`${named}?sslmode=prefer`, /^insecure: /],
	] as const) {
		assert.match(await openingOf(asked), expected, asked);
	}

	const store = await openStore(`${named}?${trusted}`);
	await store.accounts.ensure('home');
	assert.deepEqual((await areEncrypted(server, url))[0], {all: true, count: 1});
	// What the files held before goes on to count where they are no longer there.
	rmSync(rootFile);
	await Promise.all(Array.from({length: 4}, async () => store.accounts.listKeys()));
	assert.equal((await areEncrypted(server, url))[0]!['all'], true);
	await store.close();

	writeFileSync(rootFile, cert);
	setVariables(t, {PGSSLMODE: 'verify-full', PGSSLROOTCERT: rootFile});
	assert.equal(await openingOf(named), 'opened');
	assert.match(await openingOf(`${named}?sslrootcert=system`), untrusted);
});

test('a name of this machine that is not one of loopback is spoken to with TLS that is checked', {
	skip: skip || (choose(hostname()).mode === 'disable' && 'this machine has no name of its own'),
}, async () => {
	const {server, url, rootFile} = await startWithTls();
	const own = url.replace('127.0.0.1', hostname());
	const opening = await openingOf(own);
	if (/there is no host|cannot be looked up|nothing listens/.test(opening)) {
		// It does not lead to where the server listens.
		return;
	}

	assert.match(opening, /^unreachable: .*self-signed certificate/);
	assert.deepEqual(await warningsFor(own), []);
	const store = await openStore(`${own}?sslrootcert=${encodeURIComponent(rootFile)}`);
	await store.accounts.ensure('home');
	assert.equal((await areEncrypted(server, url))[0]!['all'], true);
	await store.close();

	for (const mode of ['disable', 'require']) {
		const service = await startService({location: `${own}?sslmode=${mode}`});
		await service.close();
		assert.match(service.notes[0]!, new RegExp(`^Warning: with sslmode=${mode}, `));
	}
});

test('a server without TLS is refused where it is required, with what to do', {skip}, async () => {
	const url = await (await sharedPostgres()).createDatabase();
	assert.match(await openingOf(`${url}?sslmode=require`), /cannot be used: it does not offer TLS\. Enable TLS there/);
	assert.equal(await openingOf(`${url}?sslmode=disable`), 'opened');
});

/** Starts a server that agrees to TLS and then answers once. */
async function startAnswering(t: TestContext, answer: string) {
	const {cert, key} = createCertificate();
	const received: string[] = [];
	const secured: TLSSocket[] = [];
	const sockets: net.Socket[] = [];
	const server = net.createServer(socket => {
		sockets.push(socket);
		socket.on('error', () => undefined);
		socket.once('data', () => {
			socket.write('S');
			const secure = new TLSSocket(socket, {isServer: true, cert, key, requestCert: true, rejectUnauthorized: false});
			secured.push(secure);
			secure.on('error', () => undefined);
			secure.once('data', () => {
				secure.write(Buffer.from(answer, 'hex'));
				secure.pipe(
					new Writable({
						write(chunk: Buffer, _encoding, done) {
							received.push(chunk.toString('latin1'));
							done();
						},
					}),
				);
			});
		});
	});
	t.after(() => {
		server.close();
		for (const socket of [...secured, ...sockets]) {
			socket.destroy();
		}
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {place: `127.0.0.1:${(server.address() as AddressInfo).port}/home?sslmode=require`, received, secured};
}

test('with channel_binding=require, a server that asks for no proof, or for the password itself, gets none', async t => {
	// AuthenticationOk with ReadyForQuery, AuthenticationCleartextPassword, AuthenticationSASL without the mechanism that binds.
	const answers = [
		'5200000008000000005a0000000549',
		'520000000800000003',
		`52000000170000000a${Buffer.from('SCRAM-SHA-256\0\0').toString('hex')}`,
	];
	for (const answer of answers) {
		const {place, received} = await startAnswering(t, answer);
		const opening = await openingOf(`postgres://home:wh1sper@${place}&channel_binding=require`);
		assert.match(opening, /^insecure: The database does not offer channel binding, which channel_binding=require asks for\./);
		assert.deepEqual(received, []);
	}
});

test('sslcert and sslkey name the certificate that the server is shown, and are refused where they do not belong together', async t => {
	const folder = temporaryFolder();
	const [own, other] = [createCertificate({names: ['switchboard user']}), createCertificate()];
	const [certFile, keyFile, otherFile] = ['own.crt', 'own.key', 'other.key'].map(name => path.join(folder, name)) as [
		string,
		string,
		string,
	];
	writeFileSync(certFile, own.cert);
	writeFileSync(keyFile, own.key);
	writeFileSync(otherFile, other.key);
	// ErrorResponse of the class “invalid authorization”.
	const refusal = Buffer.from('SFATAL\0C28000\0Mno\0\0');
	const {place, secured} = await startAnswering(t, `45${(refusal.length + 4).toString(16).padStart(8, '0')}${refusal.toString('hex')}`);
	const url = `postgres://home:wh1sper@${place}&sslcert=${encodeURIComponent(certFile)}&sslkey=`;
	assert.match(
		await openingOf(url + encodeURIComponent(otherFile)),
		/^usage: The certificates for the database cannot be used: key values mismatch\./,
	);
	assert.equal(secured.length, 0);
	assert.match(await openingOf(url + encodeURIComponent(keyFile)), /^unreachable: .* cannot be used: no\. Check the user and the password/);
	assert.equal(secured[0]!.getPeerX509Certificate()?.subject, 'CN=switchboard user');
});
