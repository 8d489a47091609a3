import {type Answer, jsonAnswer} from './answers.ts';
import {type RecordedRequest, startRecordingServer} from './recorded-requests.ts';
import {mediaType, readJsonObject} from './request-bodies.ts';

/*
A reference server with the documented part of `docs/interface.md` alone. Everything else is answered in the barest way
that it allows, and every input that it does not show is refused, so that a client that passes here relies on nothing
else. It shares no code with the program.
*/

type Loose = Readonly<Record<string, unknown>>;

export type DocumentedRecords = {
	readonly agents: Array<{readonly id: number} & Loose>;
	readonly abilities: Array<{readonly capability_id: number} & Loose>;
	readonly installed: Array<{readonly installed_cap_id: number; enabled: boolean} & Loose>;
};

export type DocumentedServiceOptions = Partial<DocumentedRecords> & {
	readonly apiKey?: string;
	/** What a change is answered with; the document shows none. */
	readonly changeAnswer?: 'empty-204' | 'empty-200' | 'record';
	readonly port?: number;
};

const plain = (status: number, text: string): Answer => ({status, headers: {'content-type': 'text/plain'}, body: text});

const notFound = plain(404, 'Not found');

type Operation = (request: RecordedRequest, id: number) => Answer;

/** Starts the server with two agents, three abilities and three installed ones, unless told otherwise. */
export async function startDocumentedService(options: DocumentedServiceOptions = {}) {
	const {apiKey = 'documented-key-0123456789', changeAnswer = 'empty-204', port} = options;
	const agents = [...(options.agents ?? [{id: 1}, {id: 2}])];
	const abilities = [...(options.abilities ?? [{capability_id: 11}, {capability_id: 12}, {capability_id: 13}])];
	const installed = (
		options.installed ?? [
			{installed_cap_id: 101, enabled: true},
			{installed_cap_id: 102, enabled: false},
			{installed_cap_id: 103, enabled: true},
		]
	).map(record => ({...record}));
	/** Which fields of an agent can be edited is not shown, so these requests are only kept. */
	const agentEdits: RecordedRequest[] = [];

	const changed = (record: unknown): Answer =>
		changeAnswer === 'record' ? jsonAnswer(record) : {status: changeAnswer === 'empty-204' ? 204 : 200};
	const indexOf = (id: number): number => abilities.findIndex(candidate => candidate.capability_id === id);

	const editInstalled: Operation = (request, id) => {
		if (mediaType(request) !== 'application/json') {
			return plain(400, 'Content-Type must be application/json');
		}

		const body = readJsonObject(request);
		const enabled = body?.['enabled'];
		if (body === undefined || typeof enabled !== 'boolean' || Object.keys(body).length !== 1) {
			return plain(400, 'The body must be {"enabled": true} or {"enabled": false} and nothing else');
		}

		const record = installed.find(candidate => candidate.installed_cap_id === id);
		return record === undefined ? notFound : changed(Object.assign(record, {enabled}));
	};

	const withBody =
		(operation: Operation): Operation =>
		(request, id) =>
			request.bytes.length === 0 ? plain(400, 'A change has a body') : operation(request, id);

	const operations: ReadonlyArray<readonly [method: string, path: RegExp, operation: Operation]> = [
		['GET', /^\/api\/personalities\/get-all-personalities\/$/, () => jsonAnswer(agents)],
		[
			'PUT',
			/^\/api\/personalities\/edit-personality\/$/,
			withBody(request => {
				agentEdits.push(request);
				return changed({});
			}),
		],
		[
			'POST',
			/^\/api\/capabilities\/add-capability\/$/,
			withBody(() => {
				const ability = {capability_id: Math.max(0, ...abilities.map(({capability_id}) => capability_id)) + 1};
				abilities.push(ability);
				return changed(ability);
			}),
		],
		[
			'GET',
			/^\/api\/capabilities\/get-capability\/(?<id>\d+)\/$/,
			({bytes}, id) => {
				const ability = abilities[indexOf(id)];
				return bytes.length > 0 ? plain(400, 'A GET request carries no body') : ability === undefined ? notFound : jsonAnswer(ability);
			},
		],
		['GET', /^\/api\/capabilities\/get-all-capability\/$/, () => jsonAnswer(abilities)],
		['GET', /^\/api\/capabilities\/get-installed-capabilities\/$/, () => jsonAnswer(installed)],
		['PUT', /^\/api\/capabilities\/edit-installed-capability\/(?<id>\d+)\/$/, editInstalled],
		[
			'POST',
			/^\/api\/capabilities\/delete-capability\/(?<id>\d+)\/$/,
			(_request, id) => (indexOf(id) === -1 ? notFound : changed(abilities.splice(indexOf(id), 1)[0])),
		],
	];

	const server = await startRecordingServer(request => {
		for (const [method, path, operation] of operations) {
			const match = path.exec(request.path);
			if (match !== null && method === request.method && request.query === '') {
				return request.headers['x-api-key'] === apiKey ? operation(request, Number(match.groups?.['id'])) : plain(401, 'Unauthorized');
			}
		}

		return notFound;
	}, port);

	return {...server, apiKey, agents, abilities, installed, agentEdits};
}

export type DocumentedService = Awaited<ReturnType<typeof startDocumentedService>>;
