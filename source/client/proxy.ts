import process from 'node:process';
import {isLoopbackHost} from '../interface/base-address.ts';
import {SwitchboardError} from '../interface/errors.ts';

/** The proxy that the environment sets for an address. */
export type Proxy = {
	/** The variable that sets it. */
	readonly variable: string;
	readonly hostname: string;
	readonly port: number;
	/** For messages: without the password that its address may hold. */
	readonly host: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Node.js prefers the lower-case variable (nodejs.org/api/http, built-in proxy support). */
const firstSet = (env: Environment, name: string): readonly [variable: string, value: string] | undefined =>
	[name.toLowerCase(), name].map(variable => [variable, env[variable] ?? ''] as const).find(([, value]) => value !== '');

/** The first Node.js whose agents use a proxy (nodejs.org/api/http, built-in proxy support); an older one ignores the option. */
const proxySince = [24, 5] as const;

const isProxySupported = (nodeVersion: string): boolean => {
	const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
	return major > proxySince[0] || (major === proxySince[0] && minor >= proxySince[1]);
};

/** @throws SwitchboardError `usage` if the environment sets a proxy that cannot be used. */
export const refuseUnusableProxy = (env: Environment = process.env, nodeVersion = process.versions.node): void => {
	const addresses = ['HTTP_PROXY', 'HTTPS_PROXY'].flatMap(name => firstSet(env, name)?.[1] ?? []);
	if (addresses.some(address => !/^https?:$/.test(URL.parse(address)?.protocol ?? ''))) {
		// The address is not repeated: it may hold a password.
		throw new SwitchboardError('usage', 'HTTP_PROXY or HTTPS_PROXY is not a valid address.', {nextStep: 'Correct the variable, or unset it.'});
	}

	if (addresses.length > 0 && !isProxySupported(nodeVersion)) {
		throw new SwitchboardError('usage', `Node.js ${nodeVersion} cannot use the proxy that HTTP_PROXY or HTTPS_PROXY names.`, {
			nextStep: `Use Node.js ${proxySince.join('.')} or newer, or unset the variable.`,
		});
	}
};

const isExcepted = ({hostname, port}: URL, env: Environment): boolean => {
	const [, list = ''] = firstSet(env, 'NO_PROXY') ?? [];
	return list.toLowerCase().split(/[\s,]+/).some(entry => entry === '*'
		|| entry === hostname
		|| entry === `${hostname}:${port}`
		|| (/^\*?\../.test(entry) && hostname.endsWith(entry.replace(/^\*/, ''))));
};

/** The proxy for an address; `undefined` if none is used, as for all requests to this machine. */
export const proxyOf = (url: URL, env: Environment = process.env): Proxy | undefined => {
	const found = firstSet(env, url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
	if (found === undefined || !URL.canParse(found[1]) || isLoopbackHost(url.hostname) || isExcepted(url, env)) {
		return undefined;
	}

	const {hostname, port, host, protocol} = new URL(found[1]);
	return {
		variable: found[0], hostname, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port), host,
	};
};
