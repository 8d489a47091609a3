import {readFileSync} from 'node:fs';
import {BlockList, isIP} from 'node:net';
import process from 'node:process';
import {createSecureContext, getCACertificates, type SecureContext} from 'node:tls';
import type pg from 'pg';
import type {ClientConfig} from 'pg';
import {unreadableText} from '../../../bundle/file-errors.ts';
import {type ErrorKind, reasonOf, SwitchboardError, withoutFailing} from '../../../interface/errors.ts';

/** The parameters of a URL that are read here, with the variables that are read in their absence. `pg` has its own meaning for most. */
const variables = {
	sslmode: 'PGSSLMODE',
	sslrootcert: 'PGSSLROOTCERT',
	sslcert: 'PGSSLCERT',
	sslkey: 'PGSSLKEY',
	sslpassword: undefined,
	sslnegotiation: 'PGSSLNEGOTIATION',
	channel_binding: 'PGCHANNELBINDING',
} as const;

/** As for PostgreSQL's own programs: `require` encrypts, `verify-ca` checks the certificate, `verify-full` its name as well. */
const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

const choices = 'Use sslmode=verify-full, which checks the certificate; verify-ca or require, which check less; or disable for plain text.';

type Parameter = keyof typeof variables;

type Files = Readonly<Record<'sslrootcert' | 'sslcert' | 'sslkey', string | undefined>>;

/**
Returns the settings of TLS for a database, with a warning for the person who starts the service where they are weak.

@param host - as `pg` connects to it.
@throws SwitchboardError `usage` or `insecure` for values that are not known or contradict each other, and for plain text unless asked for.
*/
export function chooseTls(host: string, parameters: URLSearchParams, env: Readonly<Record<string, string | undefined>>) {
	if (host.includes(',')) {
		throw refused('The URL of the database names several hosts.', 'Name one, such as an address that follows the primary server.');
	}

	if (parameters.keys().some(name => /^(?:ssl|require)/i.test(name) && !Object.hasOwn(variables, name))) {
		const message = 'The URL of the database has a parameter for TLS or for signing in that is not supported, so it would have no effect.';
		throw refused(message, `Use ${Object.keys(variables).join(', ')}.`);
	}

	// The last of several counts, as for PostgreSQL's own programs.
	const inUrl = (name: Parameter): string | undefined => parameters.getAll(name).at(-1);
	const setting = (name: Parameter): string | undefined => {
		const variable = variables[name];
		const value = inUrl(name) ?? (variable === undefined ? undefined : env[variable]);
		return value === '' ? undefined : value;
	};

	const files: Files = {sslrootcert: setting('sslrootcert'), sslcert: setting('sslcert'), sslkey: setting('sslkey')};
	if ((files.sslcert === undefined) !== (files.sslkey === undefined)) {
		throw refused('Only one of sslcert and sslkey is given for the database.', 'Give both, or none.');
	}

	const chosen = chooseMode(host, setting('sslmode'), inUrl('sslmode') !== undefined, files);
	// A Unix socket has no TLS, whatever is said.
	const mode = host.startsWith('/') ? 'disable' : chosen;
	const negotiation = oneOf('sslnegotiation', setting('sslnegotiation'), ['postgres', 'direct']);
	const binding = oneOf('channel_binding', setting('channel_binding'), ['disable', 'prefer', 'require']);
	if (mode === 'disable' && (negotiation === 'direct' || binding === 'require')) {
		throw refused(`${negotiation === 'direct' ? 'sslnegotiation=direct' : 'channel_binding=require'} needs TLS.`);
	}

	return {mode, files, keyPassword: setting('sslpassword'), negotiation, binding, warnings: warningsOf(host, mode)};
}

/** Values are not repeated: a password with special characters may have become a part of one. */
const refused = (message: string, nextStep = choices, kind: ErrorKind = 'usage'): SwitchboardError =>
	new SwitchboardError(kind, message, {nextStep});

type Mode = (typeof modes)[number];

function chooseMode(host: string, given: string | undefined, isInUrl: boolean, files: Files): Mode {
	if (given === 'allow' || given === 'prefer') {
		const message = `With sslmode=${given} the database would be spoken to in plain text whenever somebody on the way wants it.`;
		throw refused(message, choices, 'insecure');
	}

	const isLocal = isLocalHost(host);
	const usual = isLocal && Object.values(files).every(file => file === undefined) ? 'disable' : 'verify-full';
	const mode = given === undefined ? usual : modes.find(each => each === given);
	if (mode === undefined) {
		throw refused('The value of sslmode for the database is not known.');
	}

	if (mode === 'disable' && !isLocal && !isInUrl) {
		const nextStep = 'Use sslmode=verify-full, or put sslmode=disable into the URL of the database.';
		throw refused('PGSSLMODE=disable is not enough for plain text to another machine.', nextStep, 'insecure');
	}

	const {sslrootcert} = files;
	const isOfSystem = sslrootcert === undefined || sslrootcert === 'system';
	if ((mode === 'verify-ca' && isOfSystem) || (mode === 'require' && sslrootcert === 'system')) {
		const message = `sslmode=${mode} does not check the name in a certificate, and authorities of the system give anybody one.`;
		throw refused(message, 'Use sslmode=verify-full, or name the file of an authority of your own with sslrootcert.', 'insecure');
	}

	return mode === 'require' && !isOfSystem ? 'verify-ca' : mode;
}

/** Tells whether this is what leaves no machine: the folder of a Unix socket, and the name and the addresses of loopback. */
function isLocalHost(host: string): boolean {
	const loopback = new BlockList();
	loopback.addSubnet('127.0.0.0', 8);
	loopback.addAddress('::1', 'ipv6');
	return host.startsWith('/') || host.toLowerCase() === 'localhost' || loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}

function oneOf<Value extends string>(name: Parameter, value: string | undefined, values: readonly [Value, ...Value[]]): Value {
	const known = value === undefined ? values[0] : values.find(each => each === value);
	if (known === undefined) {
		throw refused(`The value of ${name} for the database is not known.`, `Use ${values.join(', ')}.`);
	}

	return known;
}

function warningsOf(host: string, mode: Mode): readonly string[] {
	const dangers: Partial<Record<Mode, string>> = {
		disable: 'all that is sent to and from the database can be read and changed on the way',
		require: 'the certificate of the database is not checked, so another machine may pose as it',
	};
	const danger = isLocalHost(host) ? undefined : dangers[mode];
	return danger === undefined ? [] : [`Warning: with sslmode=${mode}, ${danger}. Use sslmode=verify-full.`];
}

type Pg = Pick<typeof pg, 'Client'>;

export function warningsForDatabase(pg: Pg, url: string): readonly string[] {
	return choose(pg, url).warnings;
}

type TlsChoice = ReturnType<typeof chooseTls>;

function choose({Client}: Pg, url: string): TlsChoice {
	// The URL and the environment say together which host that is: only `pg` knows.
	const {host} = new Client({connectionString: withoutTls(url), ssl: true, sslnegotiation: 'postgres'});
	return chooseTls(host, new URL(url).searchParams, process.env);
}

function withoutTls(url: string): string {
	const plain = new URL(url);
	for (const name of Object.keys(variables)) {
		plain.searchParams.delete(name);
	}

	return plain.href;
}

/** Returns the part of the settings of `pg` that says where the database is, and how it is spoken to. */
export function connectionOf(pg: Pg, url: string): {readonly config: ClientConfig; readonly Client: typeof pg.Client} {
	const choice = choose(pg, url);
	const {mode, negotiation, binding} = choice;
	const base = {connectionString: withoutTls(url), sslnegotiation: negotiation};
	if (mode === 'disable') {
		return {config: {...base, ssl: false}, Client: pg.Client};
	}

	const contextOf = createContexts(choice);
	return {
		config: {
			...base,
			enableChannelBinding: binding !== 'disable',
			ssl: {
				// `pg` reads it for each connection.
				get secureContext() {
					return contextOf();
				},
				rejectUnauthorized: mode !== 'require',
				...(mode !== 'verify-full' && {checkServerIdentity: () => undefined}),
			},
		},
		Client: binding === 'require' ? createBoundClient(pg) : pg.Client,
	};
}

/** Returns the certificates as the files are now: a service outlives them. Files that are no longer valid change nothing. */
function createContexts(choice: TlsChoice): () => SecureContext {
	let context = readContext(choice);
	return () => {
		// The server says so where those before are not valid any more.
		context = withoutFailing(() => readContext(choice)) ?? context;
		return context;
	};
}

function readContext({files: {sslrootcert, sslcert, sslkey}, keyPassword}: TlsChoice): SecureContext {
	const ca = sslrootcert === undefined || sslrootcert === 'system' ? [...systemAuthorities()] : readPem('sslrootcert', sslrootcert);
	const cert = sslcert === undefined ? undefined : readPem('sslcert', sslcert);
	const key = sslkey === undefined ? undefined : readPem('sslkey', sslkey);
	try {
		return createSecureContext({ca, cert, key, passphrase: keyPassword});
	} catch (error) {
		const {reason = reasonOf(error)} = error as {readonly reason?: string};
		const message = `The certificates for the database cannot be used: ${reason}.`;
		throw refused(message, 'Check sslrootcert, and whether sslcert and sslkey belong together.');
	}
}

function readPem(name: keyof Files, file: string): string {
	let text: string;
	try {
		text = readFileSync(file, 'utf8');
	} catch (error) {
		throw refused(`The file of ${name} for the database ${unreadableText(error)}.`, 'Check its name and its owner.');
	}

	if (!text.includes('-----BEGIN ')) {
		throw refused(`The file of ${name} for the database is not in the PEM format.`, 'Name a file that has “-----BEGIN” in it.');
	}

	return text;
}

/** Returns the authorities of the system. A machine that has none gets those that come with Node.js. */
function systemAuthorities(): readonly string[] {
	const own = [...getCACertificates('system'), ...getCACertificates('extra')];
	return own.length > 0 ? own : getCACertificates('bundled');
}

/**
Returns a client that ends a connection whose server does not prove that it is the other end of the TLS connection, too (RFC 5802, section
6): `pg` goes on without that proof.
*/
function createBoundClient({Client}: Pg) {
	return class extends Client {
		constructor(config: ClientConfig) {
			super(config);
			const {connection} = this;
			let isBound = false;
			const refuse = ({mechanisms = []}: {readonly mechanisms?: readonly string[]}): void => {
				if (isBound || mechanisms.includes('SCRAM-SHA-256-PLUS')) {
					return;
				}

				const message = 'The database does not offer channel binding, which channel_binding=require asks for.';
				const nextStep = 'Use its address without a pooler or a proxy in between, or leave channel_binding out.';
				connection.removeAllListeners('readyForQuery');
				connection.stream.destroy(refused(message, nextStep, 'insecure'));
			};

			connection.on('authenticationSASLFinal', () => {
				isBound = true;
			});
			for (const event of ['authenticationSASL', 'authenticationCleartextPassword', 'authenticationMD5Password', 'authenticationOk']) {
				connection.on(event, refuse);
			}
		}
	};
}
