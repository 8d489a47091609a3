import {isIP} from 'node:net';
import path from 'node:path';
import {Option} from 'commander';
import {SwitchboardError} from '../interface/errors.ts';
import type {LogFormat} from '../service/observability/service-log.ts';
import {later, type DefineCommand} from './command.ts';
import {databaseUrlOption, parseDataFolder} from './database-option.ts';
import {parseHost, parseHostAndPort, parsePort, parseChoice, wrongValue} from './options.ts';

const logFormats: readonly LogFormat[] = ['text', 'json'];

const logOption = (description: string): Option =>
	new Option('--log <format>', description).choices(logFormats).argParser(parseChoice('--log', logFormats));

/** Returns the absolute path of `--socket`. The first line of the output has it, so it must be one line. */
function parseSocketPath(text: string): string {
	if (text === '' || /\p{Control}/u.test(text)) {
		throw wrongValue('--socket', text, 'a path, such as /run/switchboard/socket');
	}

	return path.resolve(text);
}

/** The value of an option that can be “off”. */
const parseLimit =
	(option: string, maximumDigits: number, expected: string) =>
	(text: string): number | 'off' => {
		if (text === 'off') {
			return text;
		}

		if (!/^[1-9]\d*$/.test(text) || text.length > maximumDigits) {
			throw wrongValue(option, text, `${expected}, or “off”`);
		}

		return Number(text);
	};

const parseRateLimit = parseLimit('--rate-limit', 9, 'a number of requests per minute');

const parseHistory = parseLimit('--history', 6, 'a number of days');

const parseQuota = parseLimit('--quota', 15, 'a number of bytes');

/** Tells whether this is an address, a network as ADDRESS/BITS, or “unix”. */
function isProxy(text: string): boolean {
	const [address = '', bits, ...rest] = text.split('/');
	const family = isIP(address);
	return (
		text === 'unix' ||
		(family !== 0 &&
			rest.length === 0 &&
			(bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (family === 4 ? 32 : 128))))
	);
}

function parseProxies(text: string, earlier: readonly string[] = []): readonly string[] {
	const proxies = text.split(',').map(proxy => proxy.trim());
	const wrong = proxies.find(proxy => !isProxy(proxy));
	if (wrong !== undefined) {
		throw wrongValue('--trust-proxy', wrong, 'an address, a network such as 10.0.0.0/8, or “unix”');
	}

	return [...earlier, ...proxies];
}

const runService = later(async () => (await import('./serve/run-service.ts')).runService);

export const defineServe: DefineCommand = (parent, run) =>
	parent
		.command('serve')
		.description('run the bundled service')
		.option('--host <host>', 'the address to listen on (default: 127.0.0.1)', parseHost)
		.option('--port <port>', 'the port to listen on; 0 means any free one (default: 8787)', parsePort)
		.option('--socket <path>', 'listen on a Unix socket instead, which only you can use', parseSocketPath)
		.option('--data <folder>', "its data folder (default: in the platform's data folder)", parseDataFolder)
		.option(...databaseUrlOption)
		.option('--sample', 'fill the account “default” with sample data if it is empty')
		.option('--rate-limit <number>', 'the most requests a minute with one key, or “off”', parseRateLimit, 600)
		.addOption(
			new Option('--quota <bytes>', 'the most bytes that an account may hold, or “off”')
				.argParser(parseQuota)
				.default(500 * 1024 * 1024, '524288000, which is 500 MB'),
		)
		.option('--history <days>', 'how many days to keep who changed what, or “off”', parseHistory, 400)
		.option(
			'--trust-proxy <address>',
			'trust X-Forwarded-For from this proxy: an address, a network such as 10.0.0.0/8, several of these separated by commas, or “unix” for a Unix socket',
			parseProxies,
		)
		.addOption(logOption('write a line for each request to standard error (default: none)'))
		.option('--metrics <host:port>', 'serve metrics for Prometheus on a separate address (default: none)', parseHostAndPort)
		.option('--tls-cert <file>', 'the TLS certificate, a PEM file; the service then speaks https')
		.option('--tls-key <file>', 'the key of the certificate, a PEM file')
		.examples(
			['switchboard keys create', 'create a key first'],
			['switchboard serve --sample', 'on port 8787, with sample data'],
			['switchboard serve --read-only', 'refuse every change'],
			['switchboard serve --database-url postgres://home@db/home', 'with the data in PostgreSQL'],
			['switchboard serve --port 0 --data ./data', 'any free port, the data in ./data'],
		)
		.action(run(runService, {isEndedBySignal: true}));

/** An empty name, such as a script's unset variable, is not a file. */
const parseFile =
	(name: string) =>
	(text: string): string => {
		if (text === '') {
			throw new SwitchboardError('usage', `${name} needs the name of a file.`, {
				nextStep: 'Leave it out for the file in the settings folder.',
			});
		}

		return text;
	};

const serveOverSsh = later(async () => (await import('./ssh/serve-over-ssh.ts')).serveOverSsh);

export const defineSshServe: DefineCommand = (parent, run) =>
	parent
		.command('ssh-serve')
		.description('let others use Switchboard over SSH, without an API key')
		.option('--host <host>', 'the address to listen on', parseHost, '127.0.0.1')
		.option('--port <port>', 'the port to listen on; 0 means any free one', parsePort, 2222)
		.option(
			'--authorized-keys <file>',
			'the public keys of those who may use it, one a line (default: authorized_keys in the settings folder)',
			parseFile('--authorized-keys'),
		)
		.option(
			'--host-key <file>',
			'the ed25519 key of this server, made if it is missing (default: ssh_host_ed25519_key in the settings folder)',
			parseFile('--host-key'),
		)
		.addOption(logOption('write the lines on standard error as text or as JSON (default: text)'))
		.examples(
			['switchboard login --profile default', 'the profile that a key without profile="NAME" gets'],
			['switchboard ssh-serve', 'serve on port 2222 of this machine'],
			['switchboard ssh-serve --host 0.0.0.0', 'serve for other machines'],
			['ssh -p 2222 HOST', 'open the screens from another machine'],
			['ssh -p 2222 HOST installed --json', 'run a command from there'],
		)
		.action(run(serveOverSsh, {isEndedBySignal: true}));
