import {execFile, execFileSync, spawn} from 'node:child_process';
import {chownSync, existsSync, mkdtempSync, readdirSync, writeFileSync} from 'node:fs';
import net from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import pg from 'pg';
import type {Certificate} from './certificates.ts';

/* A PostgreSQL of Debian's package for the tests, in a temporary folder that goes with the process that started it. */

const packagesFolder = '/usr/lib/postgresql';

const newestVersion = existsSync(packagesFolder)
	? readdirSync(packagesFolder)
			.filter(name => existsSync(path.join(packagesFolder, name, 'bin', 'initdb')))
			.toSorted((a, b) => Number(b) - Number(a))[0]
	: undefined;

/** Why the tests of PostgreSQL are skipped; false if they are not. For `test(…, {skip})`. */
export const skipWithoutPostgres: string | false =
	newestVersion === undefined ? "PostgreSQL (Debian's package “postgresql”) is not installed" : false;

/** With signs that have a meaning in URLs and in SQL, as a generated password may have. */
const password = "p@ss/w:rd'%";

/** Owns the databases, and is no superuser. */
const role = 'switchboard';

type Options = {
	/** True where the figures are to be true: otherwise nothing waits for the disk. */
	readonly fsync?: boolean;
	/** With it the server offers TLS. */
	readonly certificate?: Certificate;
};

/** Starts a server; most tests share one (`sharedPostgres`). */
export async function startPostgres({fsync = false, certificate}: Options = {}) {
	if (newestVersion === undefined) {
		throw new Error(String(skipWithoutPostgres));
	}

	const program = (name: string): string => path.join(packagesFolder, newestVersion, 'bin', name);
	const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-pg-'));
	const data = path.join(folder, 'data');
	const passwordFile = path.join(folder, 'password');
	const user = ordinaryUser();
	const tlsFiles = {ssl_cert_file: path.join(folder, 'server.crt'), ssl_key_file: path.join(folder, 'server.key')};
	const writeOwn = (file: string, text: string): void => {
		writeFileSync(file, text, {mode: 0o600});
		if (user.uid !== undefined) {
			chownSync(file, user.uid, user.gid!);
		}
	};

	if (user.uid !== undefined) {
		chownSync(folder, user.uid, user.gid!);
	}

	writeOwn(passwordFile, password);
	if (certificate !== undefined) {
		writeOwn(tlsFiles.ssl_cert_file, certificate.cert);
		writeOwn(tlsFiles.ssl_key_file, certificate.key);
	}

	const environment = {PATH: process.env['PATH'], LC_ALL: 'C.UTF-8'};
	const execute = async (name: string, words: readonly string[]): Promise<void> =>
		new Promise((resolve, reject) => {
			execFile(program(name), words, {...user, cwd: folder, env: environment}, error => {
				if (error === null) {
					resolve();
				} else {
					reject(new Error(`${name} failed`, {cause: error}));
				}
			});
		});

	// Stops the server and removes its folder when this process has ended, however it did.
	const watchdog = spawn('sh', ['-c', 'cat; "$0" stop -D "$1/data" -m immediate -s; cd /; rm -rf "$1"', program('pg_ctl'), folder], {
		...user,
		cwd: folder,
		env: environment,
		stdio: ['pipe', 'ignore', 'ignore'],
		detached: true,
	});
	watchdog.unref();
	(watchdog.stdin as net.Socket).unref();

	await execute('initdb', [
		'-D',
		data,
		'-U',
		'postgres',
		'-A',
		'scram-sha-256',
		'--pwfile',
		passwordFile,
		'-E',
		'utf8',
		'--locale=C.UTF-8',
		'--no-sync',
	]);
	const start = async (port: number): Promise<void> => {
		const settings = {
			listen_addresses: '127.0.0.1',
			unix_socket_directories: folder,
			port,
			max_connections: 200,
			fsync: fsync ? 'on' : 'off',
			full_page_writes: fsync ? 'on' : 'off',
			max_parallel_workers_per_gather: 0,
			log_min_messages: 'log',
			...(certificate !== undefined && {ssl: 'on', ...tlsFiles}),
		};
		const options = Object.entries(settings)
			.map(([name, value]) => `-c ${name}=${value}`)
			.join(' ');
		// The server keeps the standard streams that it is started with.
		const child = spawn(program('pg_ctl'), ['start', '-w', '-t', '60', '-s', '-D', data, '-l', path.join(folder, 'log'), '-o', options], {
			...user,
			cwd: folder,
			env: environment,
			stdio: 'ignore',
		});
		const code = await new Promise((resolve, reject) => {
			child.once('error', reject);
			child.once('exit', resolve);
		});
		if (code !== 0) {
			throw new Error(`PostgreSQL does not start: see ${path.join(folder, 'log')}`);
		}
	};

	const startAnywhere = async (tries = 3): Promise<number> => {
		const port = await freePort();
		try {
			await start(port);
			return port;
		} catch (error) {
			// Another program may have taken the port meanwhile.
			if (tries === 1) {
				throw error;
			}

			return startAnywhere(tries - 1);
		}
	};

	const port = await startAnywhere();
	const stop = async (mode: 'fast' | 'immediate'): Promise<void> =>
		execute('pg_ctl', ['stop', '-w', '-t', '60', '-s', '-D', data, '-m', mode]);

	const use = connectTo({port, socketFolder: folder});
	await use.administer(`create role ${role} login password '${password.replaceAll("'", "''")}'`);
	return {
		...use,
		/** Ends all connections, as a restart for maintenance does. */
		stop: async () => stop('fast'),
		/** Ends at once, and recovers at the next start. */
		kill: async () => stop('immediate'),
		/** On the same port, after `stop` or `kill`. */
		start: async () => start(port),
		async restart() {
			await stop('fast');
			await start(port);
		},
	};
}

/** PostgreSQL refuses to run as root. */
function ordinaryUser(): {readonly uid?: number; readonly gid?: number} {
	const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], {encoding: 'utf8'}));
	return process.getuid?.() === 0 ? {uid: idOf('-u'), gid: idOf('-g')} : {};
}

const freePort = async (): Promise<number> =>
	new Promise((resolve, reject) => {
		const server = net
			.createServer()
			.once('error', reject)
			.listen(0, '127.0.0.1', () => {
				const {port} = server.address() as net.AddressInfo;
				server.close(() => resolve(port));
			});
	});

/** Says where a server is that another process has started. */
type Place = {
	readonly port: number;
	/** Holds its Unix socket. */
	readonly socketFolder: string;
};

function connectTo({port, socketFolder}: Place) {
	/** Runs SQL as the superuser, in the database `postgres` or in that of the URL; the rows of a single statement. */
	const administer = async (sql: string, url?: string) => {
		const client = new pg.Client({
			host: '127.0.0.1',
			port,
			user: 'postgres',
			password,
			database: url === undefined ? 'postgres' : new URL(url).pathname.slice(1),
		});
		await client.connect();
		try {
			return (await client.query<Record<string, unknown>>(sql)).rows;
		} finally {
			await client.end();
		}
	};

	let databaseCount = 0;
	const createFrom = async (template: string, settings = ''): Promise<string> => {
		const name = `test_${process.pid}_${++databaseCount}`;
		await administer(`create database ${name} owner ${role} template ${template} ${settings}`);
		return `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`;
	};

	return {
		port,
		socketFolder,
		password,
		/** The URL of a new database, which is empty unless it is a copy of the `template`, given by its URL; nobody may be connected to that. */
		createDatabase: async (template?: string) => createFrom(template === undefined ? 'template1' : new URL(template).pathname.slice(1)),
		/** The URL of a new and empty database with an encoding. */
		createEncoded: async (encoding: string) => createFrom('template0', `encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`),
		administer,
	};
}

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/** A server that several tests use at once, each with a database of its own: nobody stops it or changes its settings. */
export type SharedPostgres = ReturnType<typeof connectTo>;

/** Names the variable with which the runner tells the test files where the server of the whole run is. */
const placeVariable = 'SWITCHBOARD_TEST_POSTGRES';

/** Starts the server of a whole run, for every test file that this process starts. */
export async function startPostgresOfRun(): Promise<void> {
	const {port, socketFolder} = await startPostgres();
	process.env[placeVariable] = JSON.stringify({port, socketFolder});
}

let shared: Promise<SharedPostgres> | undefined;

/** The server of the whole run; where a test file is run without the runner, one of its process. */
export async function sharedPostgres(): Promise<SharedPostgres> {
	const place = process.env[placeVariable];
	shared ??= place === undefined ? startPostgres() : Promise.resolve(connectTo(JSON.parse(place) as Place));
	return shared;
}
