import {deleteAbilities, editInstalled, getInstalledOf, getSource, installAbility, uninstall} from './live-like/abilities.ts';
import {type AgentEditOptions, editAgent} from './live-like/agents.ts';
import {debugPage, errorAnswer, type ErrorStyle} from './live-like/answers.ts';
import {createConversations, type ConversationOptions, type Conversations} from './live-like/conversations.ts';
import {historyAnswer} from './live-like/history.ts';
import {createHome, type LiveLikeHome} from './live-like/home.ts';
import {listAnswer, type ListOptions} from './live-like/lists.ts';
import {replaceCode, upload} from './live-like/uploads.ts';
import {type Answer, jsonAnswer} from './answers.ts';
import {type RecordedRequest, type RecordingServer, startRecordingServer} from './recorded-requests.ts';
import {readJsonObject} from './request-bodies.ts';

/*
A reference server that behaves as the public clients expect, written from `docs/interface.md` alone. It shares no
code with the program.
*/

export type LiveLikeServiceOptions = Partial<ListOptions & AgentEditOptions> & {
	/** Parts of the home to put in place of the small one. */
	readonly home?: Partial<LiveLikeHome>;
	readonly apiKey?: string;
	readonly errorStyle?: ErrorStyle;
	/** Which of the seen ways to delete is there; the others are wrong paths. */
	readonly deletion?: 'documented' | 'batch' | 'older';
	readonly port?: number;
	/** The entries of its history, the newest first; it has none unless given. A test may add to them. */
	readonly history?: readonly unknown[];
	/** What its answers say of the key, as the bundled service says it; they say nothing unless given. */
	readonly keyRights?: string;
	/** How its agents speak. */
	readonly conversation?: ConversationOptions;
};

export type LiveLikeService = RecordingServer &
	LiveLikeHome &
	Conversations & {
		readonly apiKey: string;
		/** Answers the next request (that fits) with 429; `retryAfter` is in seconds or an HTTP date. */
		limitNext(retryAfter?: string, times?: number): void;
	};

type Refuse = (status: number, message: string) => Answer;
type Operation = (request: RecordedRequest, id: number) => Answer | Promise<Answer>;
type Route = readonly [method: string, path: RegExp, operation: Operation];

const routeTable = (
	home: LiveLikeHome,
	settings: ListOptions & AgentEditOptions & {deletion: string},
	address: () => string,
	refuse: Refuse,
): readonly Route[] => {
	const list =
		(word: string, entries: () => readonly unknown[]): Operation =>
		({path, query}) =>
			listAnswer({entries: entries(), word, path, query, baseAddress: address()}, settings);
	const routesToDelete: Readonly<Record<string, Route>> = {
		documented: ['POST', /^\/api\/capabilities\/delete-capability\/(?<id>\d+)\/$/, (_request, id) => deleteAbilities(home, [id], refuse)],
		batch: [
			'POST',
			/^\/api\/capabilities\/delete-capability\/$/,
			request => {
				const ids = readJsonObject(request)?.['capability_ids'];
				return deleteAbilities(home, Array.isArray(ids) ? ids : [], refuse);
			},
		],
		older: ['DELETE', /^\/api\/capabilities\/delete-capability\/(?<id>\d+)$/, (_request, id) => deleteAbilities(home, [id], refuse)],
	};
	return [
		['GET', /^\/api\/personalities\/get-all-personalities\/$/, list('personalities', () => home.agents)],
		['PUT', /^\/api\/personalities\/edit-personality\/$/, async request => editAgent(home, request, settings, refuse)],
		['POST', /^\/api\/capabilities\/add-capability\/$/, async request => upload(home, request, refuse)],
		['GET', /^\/api\/capabilities\/get-all-capabilities\/$/, list('abilities', () => home.abilities)],
		['GET', /^\/api\/capabilities\/get-installed-capabilities\/$/, list('capabilities', () => home.installed)],
		['PUT', /^\/api\/capabilities\/edit-installed-capability\/(?<id>\d+)\/$/, (request, id) => editInstalled(home, id, request, refuse)],
		routesToDelete[settings.deletion]!,
		[
			'GET',
			/^\/api\/capabilities\/get\/installed-capability\/by-capability\/(?<id>\d+)\/$/,
			(_request, id) => getInstalledOf(home, id, refuse),
		],
		['GET', /^\/api\/capabilities\/get\/template-file\/(?<id>\d+)\/$/, async (_request, id) => getSource(home, id, refuse)],
		['POST', /^\/api\/capabilities\/validate\/release-code\/(?<id>\d+)\/$/, async (request, id) => replaceCode(home, id, request, refuse)],
		['DELETE', /^\/api\/capabilities\/uninstall-capability\/(?<id>\d+)\/$/, (_request, id) => uninstall(home, id, refuse)],
		['GET', /^\/api\/capabilities\/install-capability\/(?<id>\d+)\/$/, (_request, id) => installAbility(home, id, refuse)],
		['POST', /^\/api\/sdk\/get_personalities\/?$/, () => jsonAnswer({personalities: home.agents})],
	];
};

/** Starts the server with a small home of its own, unless told otherwise. */
export const startLiveLikeService = async (options: LiveLikeServiceOptions = {}): Promise<LiveLikeService> => {
	const {apiKey = 'live-like-key-0123456789', errorStyle = 'detail', deletion = 'batch', port} = options;
	const home: LiveLikeHome = {...createHome(), ...options.home};
	const refuse: Refuse = (status, message) => errorAnswer(errorStyle, status, message);
	const routes = routeTable(
		home,
		{
			listShape: options.listShape ?? 'named',
			idStyle: options.idStyle ?? 'number',
			pageSize: options.pageSize,
			nextAddress: options.nextAddress,
			agentEditFormat: options.agentEditFormat ?? 'multipart',
			formatRefusalStatus: options.formatRefusalStatus ?? 415,
			deletion,
		},
		() => server.baseAddress,
		refuse,
	);

	const sentKey = (request: RecordedRequest): unknown =>
		request.path.startsWith('/api/sdk/') ? readJsonObject(request)?.['api_key'] : request.headers['x-api-key'];

	const server = await startRecordingServer(async request => {
		const isKeyRight = sentKey(request) === apiKey;
		if (request.method === 'POST' && /^\/api\/sdk\/verify_apikey\/?$/.test(request.path)) {
			return jsonAnswer({valid: isKeyRight});
		}

		if (options.history !== undefined && isKeyRight && request.path === '/history') {
			return historyAnswer(options.history, request);
		}

		for (const [method, shape, operation] of routes) {
			const match = shape.exec(request.path);
			if (match !== null && method === request.method) {
				const answer = isKeyRight ? await operation(request, Number(match.groups?.['id'])) : refuse(401, 'Invalid API key');
				return options.keyRights === undefined ? answer : {...answer, headers: {...answer.headers, 'key-rights': options.keyRights}};
			}
		}

		return debugPage(request.method, request.path);
	}, port);
	const {upgrade, cut, ...talks} = createConversations(home, apiKey, options.conversation);
	server.onUpgrade(upgrade);

	// The home stays one object: what a test puts into its place is what is served.
	return Object.assign(home, server, talks, {
		apiKey,
		async close() {
			cut();
			await server.close();
		},
		limitNext(retryAfter?: string, times = 1) {
			server.failNext({
				...refuse(429, 'Too many requests'),
				...(retryAfter !== undefined && {headers: {'content-type': 'application/json', 'retry-after': retryAfter}}),
				times,
			});
		},
	});
};

// By hand: node --import tsx test/helpers/live-like-service.ts
if (import.meta.main) {
	const {baseAddress, apiKey} = await startLiveLikeService();
	console.log(`export SWITCHBOARD_BASE_URL=${baseAddress} SWITCHBOARD_API_KEY=${apiKey}`);
}
