import http from 'node:http';
import https from 'node:https';
import process from 'node:process';
import {isLoopbackHost} from '../interface/base-address.ts';
import {proxyOf, refuseUnusableProxy} from './proxy.ts';
import {TunnelAgent} from './tunnel-agent.ts';

const idleMilliseconds = 5000;

/**
Returns the HTTP agents for a service. They use HTTP(S)_PROXY and NO_PROXY of the environment, which got does not read. Requests to
this machine use no proxy: it would carry the key off the machine in plain text.

@throws SwitchboardError `usage` if the proxy of the environment cannot be used.
*/
export const chooseHttpAgents = (service: URL): {readonly http: http.Agent; readonly https: https.Agent} => {
	if (isLoopbackHost(service.hostname)) {
		return {http: new http.Agent({keepAlive: true}), https: new https.Agent({keepAlive: true})};
	}

	refuseUnusableProxy();
	// As the agents of the process do: a connection that was idle for long may have been dropped on the way.
	const options = {keepAlive: true, timeout: idleMilliseconds};
	const proxy = proxyOf(service);
	return {
		http: new http.Agent({...options, proxyEnv: process.env}),
		https: proxy === undefined ? new https.Agent(options) : new TunnelAgent(new URL(process.env[proxy.variable]!), options),
	};
};
