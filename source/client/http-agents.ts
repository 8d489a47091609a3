import http from 'node:http';
import https from 'node:https';
import process from 'node:process';
import {isLoopbackHost} from '../interface/base-address.ts';
import {refuseUnusableProxy} from './proxy.ts';

const idleMilliseconds = 5000;

/**
Returns the HTTP agents for a host. They use HTTP(S)_PROXY and NO_PROXY of the environment, which got does not read. Requests to
this machine use no proxy: it would carry the key off the machine in plain text.

@throws SwitchboardError `usage` if the proxy of the environment cannot be used.
*/
export const chooseHttpAgents = (hostname: string): {readonly http: http.Agent; readonly https: https.Agent} => {
	if (isLoopbackHost(hostname)) {
		return {http: new http.Agent({keepAlive: true}), https: new https.Agent({keepAlive: true})};
	}

	refuseUnusableProxy();
	// As the agents of the process do: a connection that was idle for long may have been dropped on the way.
	const options = {keepAlive: true, timeout: idleMilliseconds, proxyEnv: process.env};
	return {http: new http.Agent(options), https: new https.Agent(options)};
};
