import {addTo, after, Buffer, type TestContext} from '../helpers/node.ts';
import {type ApiKeys, openApiKeys} from '../../source/service/accounts.ts';
import {type ServiceOptions, startService} from '../../source/service/service.ts';
import {openStore} from '../../source/service/store/open-store.ts';
import type {Store, StoreOptions} from '../../source/service/store/store.ts';
import {temporaryDataFolder} from '../helpers/temporary-folder.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

export type TestRequest = {
	/** The key of the account `default` unless given; null sends none. */
	readonly key?: string | null;
	/** Sent as JSON unless it is a string or a form. */
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
};

type TestOptions = Partial<ServiceOptions> & {readonly dataFolder?: string};

/** A new service on a free port, with the sample home and a key, on a folder that is removed at the end. */
export async function startTestService({dataFolder = temporaryDataFolder(), ...options}: TestOptions = {}) {
	const createKey = async (account: string): Promise<string> =>
		withKeys(options.location ?? dataFolder, async keys => (await keys.create({account})).key);

	const key = await createKey('default');
	const told: string[] = [];
	const report = addTo(told);

	const service = await startService({location: dataFolder, isSampleWanted: true, report, ...options});
	const ask = async (method: string, path: string, request: TestRequest = {}) => {
		const sentKey = request.key === undefined ? key : request.key;
		const response = await fetch(service.baseAddress + path, {
			method,
			headers: {
				...(sentKey !== null && {'x-api-key': sentKey}),
				...(request.body !== undefined && !(request.body instanceof FormData) && {'content-type': 'application/json'}),
				...request.headers,
			},
			...(request.body !== undefined && {body: bodyOf(request.body)!}),
		});
		const bytes = Buffer.from(await response.arrayBuffer());
		const text = bytes.toString('utf8');
		return {bytes, status: response.status, headers: response.headers, text, json: parseJson(text)};
	};

	return {
		...service,
		dataFolder,
		key,
		/** What it has told its operator, unless the test listens to that. */
		told,
		createKey,
		ask,
		/** The body of a GET that must succeed. */
		async read<Body = readonly JsonRecord[]>(path: string, readKey = key): Promise<Body> {
			const {status, json, text} = await ask('GET', path, {key: readKey});
			if (status !== 200) {
				throw new Error(`GET ${path} answered ${status}: ${text}`);
			}

			return json as Body;
		},
		async [Symbol.asyncDispose]() {
			await service.close();
		},
	};
}

const bodyOf = (body: unknown): string | FormData | undefined =>
	body === undefined || typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body);

/** Returns `undefined` for what is not JSON. */
function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

export type TestService = Awaited<ReturnType<typeof startTestService>>;

export type TestAnswer = Awaited<ReturnType<TestService['ask']>>;

/** Opens the keys of a home for some work, as the commands do beside a service. */
export async function withKeys<Result>(location: string, work: (keys: ApiKeys) => Promise<Result>): Promise<Result> {
	const keys = await openApiKeys(location);
	try {
		return await work(keys);
	} finally {
		await keys.close();
	}
}

/** Opens a store that is closed after the test. */
export async function openTestStore(t: TestContext, location = temporaryDataFolder(), options?: StoreOptions): Promise<Store> {
	const store = await openStore(location, options);
	t.after(async () => store.close());
	return store;
}

/** Reads all lists of an account. */
export async function readLists(service: TestService, key?: string): Promise<ReadonlyArray<readonly JsonRecord[]>> {
	return Promise.all([paths.agents, paths.abilities, paths.installed].map(async path => service.read(path, key)));
}

/** One service for all tests of a file. */
export async function shareTestService(options?: TestOptions) {
	const service = await startTestService(options);
	after(async () => service.close());
	return service;
}

export const paths = {
	agents: '/api/personalities/get-all-personalities/',
	abilities: '/api/capabilities/get-all-capability/',
	installed: '/api/capabilities/get-installed-capabilities/',
	ability: (id: unknown) => `/api/capabilities/get-capability/${String(id)}/`,
	editAgent: '/api/personalities/edit-personality/',
	upload: '/api/capabilities/add-capability/',
	deleteAbility: (id: unknown) => `/api/capabilities/delete-capability/${String(id)}/`,
	deleteAbilities: '/api/capabilities/delete-capability/',
	install: (id: unknown) => `/api/capabilities/install-capability/${String(id)}/`,
	uninstall: (id: unknown) => `/api/capabilities/uninstall-capability/${String(id)}/`,
	installedOf: (id: unknown) => `/api/capabilities/get/installed-capability/by-capability/${String(id)}/`,
	source: (id: unknown) => `/api/capabilities/get/template-file/${String(id)}/`,
	releaseCode: (id: unknown) => `/api/capabilities/validate/release-code/${String(id)}/`,
	editAbility: (id: unknown) => `/api/capabilities/edit-capability/${String(id)}/`,
	enableRelease: (id: unknown) => `/api/capabilities/enable/release/${String(id)}/`,
	releases: (id: unknown) => `/api/capabilities/list/capability-releases/${String(id)}/`,
	editInstalled: (id: unknown) => `/api/capabilities/edit-installed-capability/${String(id)}/`,
};

/** The record with this name in a list. */
export function named(records: readonly JsonRecord[], name: string): JsonRecord {
	const record = records.find(candidate => candidate['name'] === name);
	if (record === undefined) {
		throw new Error(`There is no ${name} among ${records.map(candidate => String(candidate['name'])).join(', ')}`);
	}

	return record;
}
