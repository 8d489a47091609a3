import {deleteAbilities, editAbility, editInstalled, installAbility, uninstall} from './live-like/abilities.ts';
import {type AgentEditOptions, editAgent} from './live-like/agents.ts';
import {debugPage, errorAnswer, type ErrorStyle} from './live-like/answers.ts';
import {createConversations, type ConversationOptions} from './live-like/conversations.ts';
import {historyAnswer} from './live-like/history.ts';
import {createHome, isRecord, type LiveLikeHome} from './live-like/home.ts';
import {createKeyCheck, type KeyOptions} from './live-like/keys.ts';
import {listAnswer, type ListOptions} from './live-like/lists.ts';
import {createMishaps, type Mishap} from './live-like/mishaps.ts';
import {type NameOptions, upload} from './live-like/uploads.ts';
import {addDraft, enableRelease, getInstalledOf, getReleaseSource, getSource, listReleases, replaceCode} from './live-like/versions.ts';
import {type Answer, jsonAnswer} from './answers.ts';
import {type RecordedRequest, startRecordingServer} from './recorded-requests.ts';
import {readJsonObject} from './request-bodies.ts';

/*
A reference server that behaves as the public clients expect, written from `docs/interface.md` alone. It shares no
code with the program.
*/

export type LiveLikeServiceOptions = Partial<ListOptions & AgentEditOptions & NameOptions> & {
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
	readonly conversation?: ConversationOptions;
	/** How its changes go wrong from the start; see `goWrong`. */
	readonly mishap?: Mishap;
	/** Each ability has a draft: a newest version that is not committed. */
	readonly hasDrafts?: boolean;
	/** False if an installed record keeps its name when its ability gets another one. */
	readonly renamesInstalled?: boolean;
	/** That there are sessions of a dashboard, and a key that is refused where these are wanted. */
	readonly keys?: KeyOptions;
};

type Refuse = (status: number, message: string) => Answer;

/** Starts the server with a small home of its own, unless told otherwise. */
export async function startLiveLikeService(options: LiveLikeServiceOptions = {}) {
	const {apiKey = 'live-like-key-0123456789', errorStyle = 'detail', deletion = 'batch', port} = options;
	const home: LiveLikeHome = {...createHome(), ...options.home};
	const refuse: Refuse = (status, message) => errorAnswer(errorStyle, status, message);
	const mishaps = createMishaps(home);
	mishaps.goWrong(options.mishap);
	for (const ability of options.hasDrafts === true ? home.abilities.filter(entry => isRecord(entry)) : []) {
		addDraft(home, ability);
	}

	const keys = createKeyCheck(apiKey, options.keys);
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
			areNamesUnique: options.areNamesUnique ?? false,
			renamesInstalled: options.renamesInstalled ?? true,
		},
		mishaps.shown,
		() => server.baseAddress,
		refuse,
	);

	const server = await startRecordingServer(async request => {
		const {isAccepted: isKeyRight, isSession, refusal} = keys(request);
		if (request.method === 'POST' && /^\/api\/sdk\/verify_apikey\/?$/.test(request.path)) {
			return jsonAnswer({valid: isKeyRight});
		}

		if (options.history !== undefined && isKeyRight && request.path === '/history') {
			return historyAnswer(options.history, request);
		}

		for (const [method, shape, operation] of routes) {
			const match = shape.exec(request.path);
			if (match !== null && method === request.method) {
				if (isSession && options.keys?.sessionAgents !== undefined && request.path.includes('/get-all-personalities/')) {
					return jsonAnswer({personalities: options.keys.sessionAgents});
				}

				const answer = isKeyRight
					? await mishaps.carryOut(request, async () => operation(request, Number(match.groups?.['id'])))
					: refuse(401, refusal);
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
		/** Lets changes go wrong from now on, though they are answered with 2xx; without a mishap none does. */
		goWrong: mishaps.goWrong,
		async close() {
			cut();
			await server.close();
		},
		/** Answers the next request (that fits) with 429; `retryAfter` is in seconds or an HTTP date. */
		limitNext(retryAfter?: string, times: number = 1) {
			server.failNext({
				...refuse(429, 'Too many requests'),
				...(retryAfter !== undefined && {headers: {'content-type': 'application/json', 'retry-after': retryAfter}}),
				times,
			});
		},
	});
}

type Operation = (request: RecordedRequest, id: number) => Answer | Promise<Answer>;

type Route = readonly [method: string, path: RegExp, operation: Operation];

function routeTable(
	home: LiveLikeHome,
	settings: ListOptions & AgentEditOptions & NameOptions & {readonly deletion: string; readonly renamesInstalled: boolean},
	shown: ReturnType<typeof createMishaps>['shown'],
	address: () => string,
	refuse: Refuse,
): readonly Route[] {
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
		['GET', /^\/api\/personalities\/get-all-personalities\/$/, list('personalities', () => shown('agents'))],
		['PUT', /^\/api\/personalities\/edit-personality\/$/, async request => editAgent(home, request, settings, refuse)],
		['POST', /^\/api\/capabilities\/add-capability\/$/, async request => upload(home, request, settings, refuse)],
		['GET', /^\/api\/capabilities\/get-all-capabilities\/$/, list('abilities', () => shown('abilities'))],
		['GET', /^\/api\/capabilities\/get-installed-capabilities\/$/, list('capabilities', () => shown('installed'))],
		['PUT', /^\/api\/capabilities\/edit-installed-capability\/(?<id>\d+)\/$/, (request, id) => editInstalled(home, id, request, refuse)],
		[
			'PUT',
			/^\/api\/capabilities\/edit-capability\/(?<id>\d+)\/$/,
			async (request, id) => editAbility(home, id, request, settings, refuse),
		],
		routesToDelete[settings.deletion]!,
		['POST', /^\/api\/capabilities\/enable\/release\/(?<id>\d+)\/$/, (_request, id) => enableRelease(home, id, refuse)],
		['GET', /^\/api\/capabilities\/list\/capability-releases\/(?<id>\d+)\/$/, (_request, id) => listReleases(home, id, refuse)],
		['GET', /^\/media\/releases\/(?<id>\d+)\.zip$/, async (_request, id) => getReleaseSource(home, id, refuse)],
		[
			'GET',
			/^\/api\/capabilities\/get\/installed-capability\/by-capability\/(?<id>\d+)\/$/,
			(_request, id) => getInstalledOf(home, id, refuse),
		],
		['GET', /^\/api\/capabilities\/get\/template-file\/(?<id>\d+)\/$/, async (_request, id) => getSource(home, id, refuse)],
		['POST', /^\/api\/capabilities\/validate\/release-code\/(?<id>\d+)\/$/, async (request, id) => replaceCode(home, id, request, refuse)],
		['DELETE', /^\/api\/capabilities\/uninstall-capability\/(?<id>\d+)\/$/, (_request, id) => uninstall(home, id, refuse)],
		['GET', /^\/api\/capabilities\/install-capability\/(?<id>\d+)\/$/, (_request, id) => installAbility(home, id, refuse)],
		['POST', /^\/api\/sdk\/get_personalities\/?$/, () => jsonAnswer({personalities: shown('agents')})],
	];
}

export type LiveLikeService = Awaited<ReturnType<typeof startLiveLikeService>>;

// By hand: node --import tsx test/helpers/live-like-service.ts
if (import.meta.main) {
	const {baseAddress, apiKey} = await startLiveLikeService();
	console.log(`export SWITCHBOARD_BASE_URL=${baseAddress} SWITCHBOARD_API_KEY=${apiKey}`);
}
