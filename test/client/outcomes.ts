import process from 'node:process';
import {createClient, type TransportOptions} from '../../source/client/client.ts';
import {toSwitchboardError} from '../../source/interface/errors.ts';
import {decodeRecord} from '../../source/interface/records.ts';
import {told} from './clients.ts';

export type Outcome = {readonly result?: unknown; readonly kind?: string; readonly isOutcomeUnknown?: boolean; readonly told?: string};

const proxyVariables = new Set(['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap(name => [name, name.toLowerCase()]));

/** Works in an environment with these variables for proxies and no others. */
export async function withProxies<Result>(variables: Readonly<Record<string, string>>, work: () => Promise<Result>): Promise<Result> {
	const {env} = process;
	process.env = {...Object.fromEntries(Object.entries(env).filter(([name]) => !proxyVariables.has(name))), ...variables};
	try {
		return await work();
	} finally {
		process.env = env;
	}
}

/** The outcomes of a read and a write by a client with these variables for proxies and no others. */
export async function outcomesIn(
	variables: Readonly<Record<string, string>>,
	options: Partial<TransportOptions> & {readonly baseAddress: string},
): Promise<{readonly read: Outcome; readonly write: Outcome}> {
	return withProxies(variables, async () => {
		const open = () => createClient({timeoutMilliseconds: 20_000, apiKey: 'child-key-0123456789', ...options});
		const read = await outcomeOf(async () => {
			const {records, isComplete} = await open().list('installed');
			return {ids: records.map(({id}) => id), isComplete};
		});
		const write = await outcomeOf(async () => {
			const {isEnabled} = await open().editInstalled(decodeRecord('installed', {id: 1})!, {enabled: true});
			return {isEnabled};
		});
		return {read, write};
	});
}

async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
	try {
		return {result: await work()};
	} catch (error_) {
		const error = toSwitchboardError(error_);
		return {kind: error.kind, isOutcomeUnknown: error.isOutcomeUnknown, told: told(error)};
	}
}
