import http from 'node:http';
import https from 'node:https';
import {isLoopbackHost} from '../interface/base-address.ts';
import {SwitchboardError} from '../interface/errors.ts';

export type Agents = {readonly http: http.Agent; readonly https: https.Agent};

let isProxyChosen = false;

/** Takes HTTP(S)_PROXY and NO_PROXY from the environment, once in a process; got does not look there. */
const chooseProxy = (): void => {
	if (isProxyChosen) {
		return;
	}

	try {
		http.setGlobalProxyFromEnv();
	} catch {
		// Its own message repeats the address, which may hold a password.
		throw new SwitchboardError('usage', 'The proxy that HTTP_PROXY or HTTPS_PROXY names is no address.', {nextStep: 'Correct the variable, or remove it.'});
	}

	isProxyChosen = true;
};

/**
The agents that carry the requests to a host: `undefined` for the process's own, which go through the proxy of the
environment. What stays on this machine goes through none: a proxy would carry a key in plain text off it.

@throws SwitchboardError `usage` where the environment names a proxy that is no address.
*/
export const chooseAgents = (hostname: string): Agents | undefined => {
	if (isLoopbackHost(hostname)) {
		return {http: new http.Agent({keepAlive: true}), https: new https.Agent({keepAlive: true})};
	}

	chooseProxy();
	return undefined;
};
