import {isIPv6} from 'node:net';
import {wrongValue} from './wrong-value.ts';

/** The value of `--port`. */
export const parsePort = (text: string): number => {
	const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
	if (port < 0 || port > 65_535) {
		throw wrongValue('--port', text, 'a number from 0 to 65535; 0 means any free port');
	}

	return port;
};

/**
The value of `--metrics`: a host and a port, an IPv6 address in brackets as in a URL. A port alone would mean every address of
the machine.
*/
export const parseHostAndPort = (text: string): {readonly host: string; readonly port: number} => {
	const {host, address, port = ''} = /^(?:(?<host>[^\s/:@[\]]+)|\[(?<address>[^\s[\]]+)\]):(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
	const found = host ?? (isIPv6(address ?? '') ? address : undefined);
	if (found === undefined || Number(port) > 65_535) {
		throw wrongValue('--metrics', text, 'HOST:PORT, as in 127.0.0.1:9090 or [::1]:9090; port 0 means any free one');
	}

	return {host: found, port: Number(port)};
};

/** The value of `--host`. An empty one, such as a script's unset variable, would listen on every address of the machine. */
export const parseHost = (text: string): string => {
	if (text.trim() === '') {
		throw wrongValue('--host', text, 'an address of this machine, such as 127.0.0.1');
	}

	return text;
};
