import {type AddressInfo} from 'node:net';
import {createSecureContext} from 'node:tls';
import {type FastifyInstance} from 'fastify';
import {SwitchboardError} from '../interface/errors.ts';
import {formatBaseAddress} from './base-address.ts';
import {createFindCaller} from './callers.ts';
import {defaultAccount} from './default-account.ts';
import {createApp, type Tls} from './http/app.ts';
import {createErrorLog} from './http/error-log.ts';
import {addSampleHome} from './sample/add-sample-home.ts';
import {openStore} from './store/open-store.ts';
import {type Store} from './store/store.ts';

export type ServiceOptions = {
	readonly dataFolder: string;
	/** The address to listen on; 127.0.0.1 where none is given. */
	readonly host?: string;
	/** 0, and where none is given: any free port. */
	readonly port?: number;
	/** Serves https where it is given. */
	readonly tls?: Tls;
	/** Requests a minute and key; `undefined` for no limit. */
	readonly requestsPerMinute?: number | undefined;
	/** True to refuse every request that would change something. */
	readonly isReadOnly?: boolean;
	/** True to fill the account `default` with the sample home if it is empty. */
	readonly isSampleWanted?: boolean;
	/** Accepted for the account `default` during this run; stored nowhere. */
	readonly ephemeralKey?: string;
};

export type RunningService = {
	/** `http://HOST:PORT` or `https://HOST:PORT`, without a last slash. */
	readonly baseAddress: string;
	/** Sentences for the person who started the service, such as why the sample home was not added. */
	readonly notes: readonly string[];
	/** Takes no new connection, finishes the answers in flight, then closes the database. */
	close(): Promise<void>;
};

const prepareAccount = async ({accounts}: Store, {isSampleWanted, ephemeralKey}: ServiceOptions): Promise<readonly string[]> => {
	if (ephemeralKey !== undefined) {
		await accounts.ensure(defaultAccount);
	}

	if (!isSampleWanted) {
		return [];
	}

	const isAdded = await addSampleHome(accounts, defaultAccount);
	return isAdded ? [] : [`The account “${defaultAccount}” is not empty, so the sample home was not added.`];
};

const describeListenError = (error: unknown, host: string, port: number): unknown => {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	const where = `port ${port} of ${host}`;
	switch (code) {
		case 'EADDRINUSE': {
			return new SwitchboardError('usage', `Another program already listens on ${where}.`, {
				nextStep: 'Choose another port with --port, or 0 for any free one.', field: 'port', cause: error,
			});
		}

		case 'EACCES': {
			return new SwitchboardError('usage', `This user may not listen on ${where}.`, {
				nextStep: 'Choose a port above 1023 with --port.', field: 'port', cause: error,
			});
		}

		case 'EADDRNOTAVAIL':
		case 'ENOTFOUND': {
			return new SwitchboardError('usage', `${host} is no address of this machine.`, {
				nextStep: 'Choose another one with --host, such as 127.0.0.1.', field: 'host', cause: error,
			});
		}

		default: {
			return error;
		}
	}
};

const listen = async (app: FastifyInstance, host: string, port: number): Promise<number> => {
	try {
		await app.listen({host, port});
		return (app.server.address() as AddressInfo).port;
	} catch (error) {
		throw describeListenError(error, host, port);
	}
};

const stop = async (app: FastifyInstance, store: Store): Promise<void> => {
	try {
		await app.close();
	} finally {
		await store.close();
	}
};

const checkTls = (tls: Tls): void => {
	try {
		createSecureContext(tls);
	} catch (error) {
		throw new SwitchboardError('usage', 'The certificate or its key cannot be used.', {
			nextStep: 'Both must be in PEM form and belong together.', field: 'tls', cause: error,
		});
	}
};

/**
Starts the bundled service on a data folder, which is made where it is missing.

@throws SwitchboardError where the folder, its database, the address or the certificate cannot be used.
*/
export const startService = async (options: ServiceOptions): Promise<RunningService> => {
	const {host = '127.0.0.1', port = 0, tls} = options;
	if (tls !== undefined) {
		checkTls(tls);
	}

	const store = await openStore(options.dataFolder);
	try {
		const notes = await prepareAccount(store, options);
		const app = await createApp({
			store,
			findCaller: createFindCaller(store.accounts, options.ephemeralKey),
			logError: createErrorLog(options.dataFolder),
			requestsPerMinute: options.requestsPerMinute,
			tls,
			isReadOnly: options.isReadOnly ?? false,
		});
		const actualPort = await listen(app, host, port);
		let closing: Promise<void> | undefined;
		return {
			baseAddress: formatBaseAddress(tls === undefined ? 'http' : 'https', host, actualPort),
			notes,
			async close() {
				closing ??= stop(app, store);
				return closing;
			},
		};
	} catch (error) {
		await store.close();
		throw error;
	}
};
