/** How the API key travels: in the header `X-API-KEY`, or in the field `api_key` of the JSON body (`INTERFACE.md`, Authentication). */
type AuthFamily = 'header' | 'body';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A method and a path template: `{parameter}` stands for an identifier. */
export type Route = {
	readonly method: HttpMethod;
	readonly path: string;
};

export type Endpoint = Route & {
	readonly summary: string;
	readonly auth: AuthFamily;
	/** True if it changes something. The method does not tell: installing is a GET. */
	readonly isWrite: boolean;
	/** True if `INTERFACE.md` describes it; false if it is known only from public clients (`LIVE-SERVICE.md`). */
	readonly isDocumented: boolean;
	/** Other routes that public clients use for the same operation, tried in this order after the documented one. */
	readonly alsoSeen: readonly Route[];
};

/** Where a service may describe its operations (OpenAPI). Not an operation itself; it takes no key. */
export const descriptionPath = '/openapi.json';

/*
The bundled service gives each list of an account a random version, which every change replaces, and tells of new ones. It is no part
of the interface: other services send no such headers, and have no change feed.
*/

/** Where a service may tell of changes as they happen, with the key in the header: `event: change` with the data `{"resource", "version"}`. Not an operation itself. */
export const changeFeedPath = '/events';

/** The media type of server-sent events (HTML Living Standard, section 9.2). */
export const eventStreamType = 'text/event-stream';

/** The header of an answer with versions, as `installed=TOKEN, abilities=TOKEN`: of the list that was read, or of those that the request has changed. */
export const listVersionsHeader = 'list-versions';

/** The same as they were when the request arrived; beside `list-versions` in the answer to a change. */
export const formerVersionsHeader = 'list-versions-before';

/** The request header that carries the key of the header family. */
export const apiKeyHeader = 'x-api-key';

/** The body field that carries the key of the body family. */
export const apiKeyField = 'api_key';

const abilities = '/api/capabilities';
const agents = '/api/personalities';
const sdk = '/api/sdk';

/**
Every operation of the interface, one row each. Client, service and documentation read this table: no path is written
anywhere else. Sources: the endpoint table of `INTERFACE.md`, and "Paths beside the documented ones" of
`LIVE-SERVICE.md` for what is marked as not documented.
*/
export const endpoints = {
	listAgents: {
		summary: 'List agents',
		method: 'GET',
		path: `${agents}/get-all-personalities/`,
		auth: 'header',
		isWrite: false,
		isDocumented: true,
		alsoSeen: [],
	},
	editAgent: {
		summary: 'Edit agent',
		method: 'PUT',
		path: `${agents}/edit-personality/`,
		auth: 'header',
		isWrite: true,
		isDocumented: true,
		alsoSeen: [],
	},
	uploadAbility: {
		summary: 'Upload ability',
		method: 'POST',
		path: `${abilities}/add-capability/`,
		auth: 'header',
		isWrite: true,
		isDocumented: true,
		alsoSeen: [],
	},
	getAbility: {
		summary: 'Get ability',
		method: 'GET',
		path: `${abilities}/get-capability/{capability_id}/`,
		auth: 'header',
		isWrite: false,
		isDocumented: true,
		alsoSeen: [],
	},
	listAbilities: {
		summary: 'List abilities',
		method: 'GET',
		path: `${abilities}/get-all-capability/`,
		auth: 'header',
		isWrite: false,
		isDocumented: true,
		alsoSeen: [{method: 'GET', path: `${abilities}/get-all-capabilities/`}],
	},
	listInstalled: {
		summary: 'List installed abilities',
		method: 'GET',
		path: `${abilities}/get-installed-capabilities/`,
		auth: 'header',
		isWrite: false,
		isDocumented: true,
		alsoSeen: [],
	},
	editInstalled: {
		summary: 'Enable or disable an installed ability',
		method: 'PUT',
		path: `${abilities}/edit-installed-capability/{installed_cap_id}/`,
		auth: 'header',
		isWrite: true,
		isDocumented: true,
		alsoSeen: [],
	},
	deleteAbility: {
		summary: 'Delete ability',
		method: 'POST',
		path: `${abilities}/delete-capability/{id}/`,
		auth: 'header',
		isWrite: true,
		isDocumented: true,
		alsoSeen: [
			// The batch form takes the JSON body `{"capability_ids": […]}`.
			{method: 'POST', path: `${abilities}/delete-capability/`},
			// The older client sends it without a last slash.
			{method: 'DELETE', path: `${abilities}/delete-capability/{id}`},
		],
	},
	verifyKey: {
		summary: 'Verify a key',
		method: 'POST',
		path: `${sdk}/verify_apikey/`,
		auth: 'body',
		isWrite: false,
		isDocumented: false,
		alsoSeen: [{method: 'POST', path: `${sdk}/verify_apikey`}],
	},
	listAgentsBodyStyle: {
		summary: 'List agents, key in the body',
		method: 'POST',
		path: `${sdk}/get_personalities`,
		auth: 'body',
		isWrite: false,
		isDocumented: false,
		alsoSeen: [{method: 'POST', path: `${sdk}/get_personalities/`}],
	},
	getInstalledByAbility: {
		summary: 'Installed record of an ability',
		method: 'GET',
		path: `${abilities}/get/installed-capability/by-capability/{capability_id}/`,
		auth: 'header',
		isWrite: false,
		isDocumented: false,
		alsoSeen: [],
	},
	getTemplateFile: {
		summary: 'Source of an ability',
		method: 'GET',
		path: `${abilities}/get/template-file/{capability_id}/`,
		auth: 'header',
		isWrite: false,
		isDocumented: false,
		alsoSeen: [],
	},
	releaseCode: {
		summary: 'Replace the code of an ability',
		method: 'POST',
		path: `${abilities}/validate/release-code/{release_id}/`,
		auth: 'header',
		isWrite: true,
		isDocumented: false,
		alsoSeen: [],
	},
	uninstallAbility: {
		summary: 'Remove an installed ability',
		method: 'DELETE',
		path: `${abilities}/uninstall-capability/{id}/`,
		auth: 'header',
		isWrite: true,
		isDocumented: false,
		alsoSeen: [],
	},
	installAbility: {
		summary: 'Install an ability',
		method: 'GET',
		path: `${abilities}/install-capability/{capability_id}/`,
		auth: 'header',
		isWrite: true,
		isDocumented: false,
		alsoSeen: [],
	},
} as const satisfies Record<string, Endpoint>;

export type Operation = keyof typeof endpoints;

/** The documented route of an operation, then the also-seen ones, in the order to try them. */
export const routesOf = (operation: Operation): readonly Route[] => {
	const {method, path, alsoSeen}: Endpoint = endpoints[operation];
	return [{method, path}, ...alsoSeen];
};

/** True if the path template has an identifier. */
export const hasIdentifier = (path: string): boolean => path.includes('{');

/** The path template with its identifier filled in. */
export const fillPath = (path: string, id?: number): string =>
	path.replace(/\{\w+\}/, () => {
		if (id === undefined) {
			throw new TypeError(`The path ${path} needs an identifier`);
		}

		return String(id);
	});
