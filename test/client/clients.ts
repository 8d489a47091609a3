import type {TestContext} from 'node:test';
import {createClient, type Client, type TransportOptions} from '../../source/client/client.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import type {InstalledAbility} from '../../source/interface/records.ts';
import {type DocumentedService, type DocumentedServiceOptions, startDocumentedService} from '../helpers/documented-service.ts';
import {type LiveLikeService, type LiveLikeServiceOptions, startLiveLikeService} from '../helpers/live-like-service.ts';
import {type OddAnswer, type OddService, startOddService} from '../helpers/odd-service.ts';
import type {RecordedRequest} from '../helpers/recorded-requests.ts';

export {type Answer, htmlAnswer, jsonAnswer} from '../helpers/answers.ts';

export {fieldsOf} from '../helpers/fields-of.ts';

export {waitUntil} from '../helpers/wait-until.ts';

/** The paths of `docs/interface.md`, written out: a mistake in the table that the program reads must show. */
export const paths = {
	agents: '/api/personalities/get-all-personalities/',
	abilities: '/api/capabilities/get-all-capability/',
	abilitiesAlsoSeen: '/api/capabilities/get-all-capabilities/',
	ability: (id: number) => `/api/capabilities/get-capability/${id}/`,
	installed: '/api/capabilities/get-installed-capabilities/',
	editInstalled: (id: number) => `/api/capabilities/edit-installed-capability/${id}/`,
	editAgent: '/api/personalities/edit-personality/',
	verifyKey: '/api/sdk/verify_apikey/',
	verifyKeyWithoutSlash: '/api/sdk/verify_apikey',
	agentsBodyStyle: '/api/sdk/get_personalities',
	agentsBodyStyleWithSlash: '/api/sdk/get_personalities/',
} as const;

/** The reference servers, each closed after the test. */
export async function startOdd(t: TestContext, routes: Readonly<Record<string, OddAnswer>> = {}): Promise<OddService> {
	return closedAfter(t, await startOddService(routes));
}

type Closable = {close(): Promise<void>};

function closedAfter<Service extends Closable>(t: TestContext, service: Service): Service {
	t.after(async () => service.close());
	return service;
}

export async function startDocumented(t: TestContext, options?: DocumentedServiceOptions): Promise<DocumentedService> {
	return closedAfter(t, await startDocumentedService(options));
}

export async function startLiveLike(t: TestContext, options?: LiveLikeServiceOptions): Promise<LiveLikeService> {
	return closedAfter(t, await startLiveLikeService(options));
}

/** A client of a server, with its key; without retries. */
export function clientOf(
	service: {readonly baseAddress: string; readonly apiKey: string},
	options: Partial<TransportOptions> = {},
): Client {
	return createClient({baseAddress: service.baseAddress, apiKey: service.apiKey, ...options});
}

/** What the work fails with, which must be an error of ours. */
export async function failureOf(work: Promise<unknown> | (() => unknown)): Promise<SwitchboardError> {
	let result: unknown;
	try {
		result = await (typeof work === 'function' ? work() : work);
	} catch (error) {
		if (error instanceof SwitchboardError) {
			return error;
		}

		throw error;
	}

	throw new Error(`It succeeded, with ${JSON.stringify(result)}`);
}

/** Message and next step, as a person gets to read them. */
export function told({message, nextStep}: SwitchboardError): string {
	return [message, nextStep].filter(Boolean).join(' ');
}

/** `METHOD path` of each request, in order. */
export function lines(requests: readonly RecordedRequest[]): readonly string[] {
	return requests.map(({method, path, query}) => `${method} ${path}${query === '' ? '' : `?${query}`}`);
}

/** The installed record with this id, read through the client. */
export async function installedOf(client: Client, id: number): Promise<InstalledAbility> {
	const {records} = await client.list('installed');
	const record = records.find(candidate => candidate.id === id);
	if (record === undefined) {
		throw new Error(`There is no installed ability ${id} among ${records.map(candidate => candidate.id).join(', ')}`);
	}

	return record;
}
