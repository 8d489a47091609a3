import http from 'node:http';
import https from 'node:https';
import {isLoopbackHost} from '../interface/base-address.ts';
import {SwitchboardError} from '../interface/errors.ts';

let isProxyChosen = false;

/** Applies HTTP(S)_PROXY and NO_PROXY of the environment to the whole process, once; got does not read them. */
const chooseProxy = (): void => {
	if (isProxyChosen) {
		return;
	}

	try {
		http.setGlobalProxyFromEnv();
	} catch {
		// Its own message repeats the address, which may hold a password.
		throw new SwitchboardError('usage', 'HTTP_PROXY or HTTPS_PROXY is not a valid address.', {nextStep: 'Correct the variable, or unset it.'});
	}

	isProxyChosen = true;
};

/**
Returns the HTTP agents for a host; `undefined` for those of the process, which use the proxy of the environment. Requests
to this machine use no proxy: it would carry the key off the machine in plain text.

@throws SwitchboardError `usage` if the proxy of the environment is not a valid address.
*/
export const chooseHttpAgents = (hostname: string): {readonly http: http.Agent; readonly https: https.Agent} | undefined => {
	if (isLoopbackHost(hostname)) {
		return {http: new http.Agent({keepAlive: true}), https: new https.Agent({keepAlive: true})};
	}

	chooseProxy();
	return undefined;
};
