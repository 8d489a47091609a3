/** How the API key travels: in the header `X-API-KEY`, or in the field `api_key` of the JSON body (`docs/interface.md`, Authentication). */
type AuthFamily = 'header' | 'body';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A method and a path template, in which `{parameter}` means an identifier. */
export type Route = {readonly method: HttpMethod; readonly path: string};

export type Endpoint = Route & {
	readonly summary: string;
	readonly auth: AuthFamily;
	/** True if it changes something. The method does not show it: installing is a GET. */
	readonly isWrite: boolean;
	/** True if the service's documentation describes it; false if only public clients show it (`docs/interface.md`, Paths). */
	readonly isDocumented: boolean;
	/** Other routes that public clients use for the same operation, tried in this order after the documented one. */
	readonly alsoSeen: readonly Route[];
};

/** The path where a service may describe its operations (OpenAPI). Not itself an operation; it takes no key. */
export const descriptionPath = '/openapi.json';

/*
The bundled service gives each list of an account a random version, which every change replaces, and announces new versions. This is not
part of the interface: other services send no such headers and have no change feed.
*/

/**
The path where a service may send changes as they happen: `event: change` with the data `{"resource", "version"}`. Not itself an operation.
*/
export const changeFeedPath = '/events';

/** The path of the bundled service's history of changes (`history.ts`). Not an operation of the interface: other services have none. */
export const historyPath = '/history';

/** The folder of the bundled service's timers (`timers.ts`). Other services have none. */
export const timersPath = '/timers';

/** The header in the bundled service's answers to requests with a valid key: it keeps timers. To other services none are sent. */
export const timersHeader = 'timers';

/** The media type of server-sent events (HTML Living Standard, section 9.2). */
export const eventStreamType = 'text/event-stream';

/**
The header of an answer with the version of the list that was read, or of the lists that were changed: `installed=TOKEN, abilities=TOKEN`.
*/
export const listVersionsHeader = 'list-versions';

/** The versions before the request, beside `list-versions` in the answer to a change. */
export const formerVersionsHeader = 'list-versions-before';

/** The header of an answer with the source of an ability: its version. A service without versions of sources sends none. */
export const sourceVersionHeader = 'source-version';

/** The header in the bundled service's answers to a restricted key (`key-rights.ts`): `switch; name=ci`. */
export const keyRightsHeader = 'key-rights';

/**
The request header with the person for whom `ssh-serve` sends it, and their address: `anna%40laptop; address=10.0.0.7`. It is sent only to a
bundled service, and only with a key that was made for that (`for_ssh` in its answer to `verifyKey`).
*/
export const personHeader = 'switchboard-person';

/** The request header that carries the key of the header family. */
export const apiKeyHeader = 'x-api-key';

/** The body field that carries the key of the body family. */
export const apiKeyField = 'api_key';

const abilities = '/api/capabilities';
const agents = '/api/personalities';
const sdk = '/api/sdk';

/** Below this path the key is in the body. */
export const bodyKeyFolder = `${sdk}/`;

const rows =
	(isDocumented: boolean, isWrite: boolean, auth: AuthFamily = 'header') =>
	(summary: string, method: HttpMethod, path: string, alsoSeen: readonly Route[] = []): Endpoint => ({
		summary,
		method,
		path,
		auth,
		isWrite,
		isDocumented,
		alsoSeen,
	});

const [read, write] = [rows(true, false), rows(true, true)];
const [seenRead, seenWrite, seenBodyRead] = [rows(false, false), rows(false, true), rows(false, false, 'body')];

/**
Every operation of the interface, one row each. Client, service and documentation read this table, and no path is written anywhere else.
Sources: `docs/interface.md`, Paths, for the documented routes and for the routes that public clients use.
*/
export const endpoints = {
	listAgents: read('List agents', 'GET', `${agents}/get-all-personalities/`),
	editAgent: write('Edit agent', 'PUT', `${agents}/edit-personality/`),
	uploadAbility: write('Upload ability', 'POST', `${abilities}/add-capability/`),
	getAbility: read('Get ability', 'GET', `${abilities}/get-capability/{capability_id}/`),
	listAbilities: read('List abilities', 'GET', `${abilities}/get-all-capability/`, [
		{method: 'GET', path: `${abilities}/get-all-capabilities/`},
	]),
	listInstalled: read('List installed abilities', 'GET', `${abilities}/get-installed-capabilities/`),
	editInstalled: write('Enable or disable an installed ability', 'PUT', `${abilities}/edit-installed-capability/{installed_cap_id}/`),
	deleteAbility: write('Delete ability', 'POST', `${abilities}/delete-capability/{id}/`, [
		// The batch form takes the JSON body `{"capability_ids": […]}`.
		{method: 'POST', path: `${abilities}/delete-capability/`},
		// The older client sends it without a last slash.
		{method: 'DELETE', path: `${abilities}/delete-capability/{id}`},
	]),
	verifyKey: seenBodyRead('Verify a key', 'POST', `${sdk}/verify_apikey/`, [{method: 'POST', path: `${sdk}/verify_apikey`}]),
	listAgentsBodyStyle: seenBodyRead('List agents, key in the body', 'POST', `${sdk}/get_personalities`, [
		{method: 'POST', path: `${sdk}/get_personalities/`},
	]),
	getInstalledByAbility: seenRead(
		'Installed record of an ability',
		'GET',
		`${abilities}/get/installed-capability/by-capability/{capability_id}/`,
	),
	getTemplateFile: seenRead('Source of an ability', 'GET', `${abilities}/get/template-file/{capability_id}/`),
	releaseCode: seenWrite('Replace the code of an ability', 'POST', `${abilities}/validate/release-code/{release_id}/`),
	editAbility: seenWrite('Edit ability', 'PUT', `${abilities}/edit-capability/{id}/`),
	enableRelease: seenWrite('Use a release of an ability', 'POST', `${abilities}/enable/release/{release_id}/`),
	listReleases: seenRead('List the releases of an ability', 'GET', `${abilities}/list/capability-releases/{capability_id}/`),
	uninstallAbility: seenWrite('Remove an installed ability', 'DELETE', `${abilities}/uninstall-capability/{id}/`),
	installAbility: seenWrite('Install an ability', 'GET', `${abilities}/install-capability/{capability_id}/`),
} satisfies Record<string, Endpoint>;

export type Operation = keyof typeof endpoints;

/** Returns the documented route of an operation, then the also-seen routes, in the order to try them. */
export function routesOf(operation: Operation): readonly Route[] {
	const {method, path, alsoSeen}: Endpoint = endpoints[operation];
	return [{method, path}, ...alsoSeen];
}

/** Services take most paths with and without the last slash, and some in any case. */
const segmentsOf = (path: string): readonly string[] =>
	path
		.toLowerCase()
		.split('/')
		.filter(segment => segment !== '');

/** Returns the operations at a path that has no escapes and no query, each with its method there. */
export function operationsAt(path: string): readonly Endpoint[] {
	const segments = segmentsOf(path);
	const isThere = ({path: template}: Route): boolean => {
		const wanted = segmentsOf(template);
		return wanted.length === segments.length && wanted.every((segment, index) => hasIdentifier(segment) || segment === segments[index]);
	};

	return Object.values<Endpoint>(endpoints).flatMap(endpoint =>
		[endpoint, ...endpoint.alsoSeen].filter(route => isThere(route)).map(({method}) => ({...endpoint, method})),
	);
}

export function hasIdentifier(path: string): boolean {
	return path.includes('{');
}

/** Returns the path template with its identifier filled in. */
export function fillPath(path: string, id?: number): string {
	return path.replace(/\{\w+\}/, () => {
		if (id === undefined) {
			throw new TypeError(`The path ${path} needs an identifier`);
		}

		return String(id);
	});
}
