import {type Answer, jsonAnswer} from './answers.ts';
import {type RecordedRequest, type RecordingServer, startRecordingServer} from './recorded-requests.ts';
import {mediaType, readJsonObject} from './request-bodies.ts';

/*
A reference server written from `INTERFACE.md` alone. What that document does not show is answered in the barest way
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

export type DocumentedService = RecordingServer & DocumentedRecords & {
	readonly apiKey: string;
	/** The requests that edited an agent: which fields of an agent can be edited is not shown, so they are only kept. */
	readonly agentEdits: readonly RecordedRequest[];
};

const plain = (status: number, text: string): Answer => ({status, headers: {'content-type': 'text/plain'}, body: text});

const notFound = plain(404, 'Not found');

const pathShapes: ReadonlyArray<readonly [method: string, path: RegExp, operation: string]> = [
	['GET', /^\/api\/personalities\/get-all-personalities\/$/, 'list agents'],
	['PUT', /^\/api\/personalities\/edit-personality\/$/, 'edit agent'],
	['POST', /^\/api\/capabilities\/add-capability\/$/, 'upload ability'],
	['GET', /^\/api\/capabilities\/get-capability\/(?<id>\d+)\/$/, 'get ability'],
	['GET', /^\/api\/capabilities\/get-all-capability\/$/, 'list abilities'],
	['GET', /^\/api\/capabilities\/get-installed-capabilities\/$/, 'list installed'],
	['PUT', /^\/api\/capabilities\/edit-installed-capability\/(?<id>\d+)\/$/, 'edit installed'],
	['POST', /^\/api\/capabilities\/delete-capability\/(?<id>\d+)\/$/, 'delete ability'],
];

const findOperation = ({method, path}: RecordedRequest): {readonly operation: string; readonly id: number} | undefined => {
	for (const [shapeMethod, shape, operation] of pathShapes) {
		const match = shape.exec(path);
		if (match !== null && method === shapeMethod) {
			return {operation, id: Number(match.groups?.['id'])};
		}
	}

	return undefined;
};

/** Starts the server with two agents, three abilities and three installed ones, unless told otherwise. */
export const startDocumentedService = async (options: DocumentedServiceOptions = {}): Promise<DocumentedService> => {
	const {apiKey = 'documented-key-0123456789', changeAnswer = 'empty-204', port} = options;
	const agents = [...options.agents ?? [{id: 1}, {id: 2}]];
	const abilities = [...options.abilities ?? [{capability_id: 11}, {capability_id: 12}, {capability_id: 13}]];
	const installed = (options.installed ?? [
		{installed_cap_id: 101, enabled: true},
		{installed_cap_id: 102, enabled: false},
		{installed_cap_id: 103, enabled: true},
	]).map(record => ({...record}));
	const agentEdits: RecordedRequest[] = [];

	const changed = (record: unknown): Answer =>
		changeAnswer === 'record' ? jsonAnswer(record) : {status: changeAnswer === 'empty-204' ? 204 : 200};

	const editInstalled = (request: RecordedRequest, id: number): Answer => {
		if (mediaType(request) !== 'application/json') {
			return plain(400, 'Content-Type must be application/json');
		}

		const body = readJsonObject(request);
		const enabled = body?.['enabled'];
		if (body === undefined || typeof enabled !== 'boolean' || Object.keys(body).length !== 1) {
			return plain(400, 'The body must be {"enabled": true} or {"enabled": false} and nothing else');
		}

		const record = installed.find(candidate => candidate.installed_cap_id === id);
		if (record === undefined) {
			return notFound;
		}

		record.enabled = enabled;
		return changed(record);
	};

	const deleteAbility = (id: number): Answer => {
		const index = abilities.findIndex(candidate => candidate.capability_id === id);
		return index === -1 ? notFound : changed(abilities.splice(index, 1)[0]);
	};

	const uploadAbility = (request: RecordedRequest): Answer => {
		if (request.bytes.length === 0) {
			return plain(400, 'An upload has a body');
		}

		const ability = {capability_id: Math.max(0, ...abilities.map(({capability_id}) => capability_id)) + 1};
		abilities.push(ability);
		return changed(ability);
	};

	const editAgent = (request: RecordedRequest): Answer => {
		if (request.bytes.length === 0) {
			return plain(400, 'An edit has a body');
		}

		agentEdits.push(request);
		return changed({});
	};

	const getAbility = (id: number): Answer => {
		const ability = abilities.find(candidate => candidate.capability_id === id);
		return ability === undefined ? notFound : jsonAnswer(ability);
	};

	const carryOut = (request: RecordedRequest, operation: string, id: number): Answer => {
		switch (operation) {
			case 'list agents': {
				return jsonAnswer(agents);
			}

			case 'list abilities': {
				return jsonAnswer(abilities);
			}

			case 'list installed': {
				return jsonAnswer(installed);
			}

			case 'get ability': {
				return request.bytes.length === 0 ? getAbility(id) : plain(400, 'A GET request carries no body');
			}

			case 'edit installed': {
				return editInstalled(request, id);
			}

			case 'delete ability': {
				return deleteAbility(id);
			}

			case 'upload ability': {
				return uploadAbility(request);
			}

			default: {
				return editAgent(request);
			}
		}
	};

	const server = await startRecordingServer(request => {
		const found = findOperation(request);
		if (found === undefined || request.query !== '') {
			return notFound;
		}

		return request.headers['x-api-key'] === apiKey
			? carryOut(request, found.operation, found.id)
			: plain(401, 'Unauthorized');
	}, port);

	return {
		...server, apiKey, agents, abilities, installed, agentEdits,
	};
};
