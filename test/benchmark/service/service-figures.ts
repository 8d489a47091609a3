import {path, process, writeFile} from '../../helpers/node.ts';
import {endpoints} from '../../../source/interface/endpoints.ts';
import {provideTool} from '../../../source/build/provide-tool.ts';
import type {IsolatedHome} from '../../helpers/isolated-home.ts';
import type {Figure} from '../figures.ts';
import {fillHome, keys} from './home.ts';
import {leaveAndAsk} from './leave-and-ask.ts';
import {sendLoad, type Load, type LoadResult} from './load.ts';
import {startBareRoute, startJsonServer, startService, type Server} from './servers.ts';

/* What the service answers to a hundred clients at once, beside json-server and a bare Fastify in the same run. */

const connections = 100;

const seconds = Number(process.env['SECONDS'] ?? 8);

const turns = 3;

const listPath = endpoints.listInstalled.path;

/**
The rows of the service on one database.

@param name - of the database, for the table.
@param location - a folder, or the URL of an empty database.
*/
export async function serviceFigures(home: IsolatedHome, name: string, location: string): Promise<readonly Figure[]> {
	const toolFolder = await provideTool('service-peers');
	const send = sendWhenFree(toolFolder);
	await fillHome(location);
	await using server = await startService(location, home.env);
	const file = path.join(home.folder, 'json-server.json');
	const {rows} = await readInstalled(ourSide(server));
	await writeFile(file, JSON.stringify({installed: rows}));
	const peers = await measureJsonServer(send, await startJsonServer(toolFolder, file, home.env));
	const agents = await measureAgents(name, send, server, home);
	await using plain = await startService(location, home.env, '--history', 'off');
	return [...(await measureOurs(name, send, server, peers)), agents, await measureHistory(name, send, server, plain)];
}

/** Sends a load once the server has worked off what the last one left behind. */
const sendWhenFree =
	(toolFolder: string) =>
	async (load: Load): Promise<LoadResult> => {
		const response = await fetch(load.address, {headers: load.headers ?? {}});
		await response.arrayBuffer();
		return sendLoad(toolFolder, load);
	};

/** All that a measurement of one server needs. */
type Side = {
	readonly address: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly method: string;
	change(id: number): string;
};

type Rows = ReadonlyArray<{readonly id: number; readonly enabled: boolean}>;

type Installed = {readonly rows: Rows; readonly etag: string};

async function readInstalled({address, path: target, headers}: Side): Promise<Installed> {
	const response = await fetch(address + target, {headers: {...headers, 'accept-encoding': 'identity'}});
	return {rows: (await response.json()) as Rows, etag: response.headers.get('etag')!};
}

const ourSide = ({address}: Server): Side => ({
	address,
	path: listPath,
	headers: {'x-api-key': keys.installed},
	method: endpoints.editInstalled.method,
	change: id => endpoints.editInstalled.path.replace(/\{.*?\}/, String(id)),
});

/** The figures of json-server. */
type Peers = {readonly list: LoadResult; readonly unchanged: LoadResult; readonly toggle: LoadResult};

async function measureJsonServer(send: (load: Load) => Promise<LoadResult>, started: Server): Promise<Peers> {
	await using server = started;
	const side = jsonServerSide(server);
	const installed = await readInstalled(side);
	await send({...listLoad(side), seconds: 3});
	return {
		list: await send(listLoad(side)),
		unchanged: await send(unchangedLoad(side, installed)),
		toggle: await send(toggleLoad(side, installed)),
	};
}

const jsonServerSide = ({address}: Server): Side => ({
	address,
	path: '/installed',
	headers: {},
	method: 'PATCH',
	change: id => `/installed/${id}`,
});

const listLoad = ({address, path: target, headers}: Side): Load => ({
	address,
	headers,
	connections,
	seconds,
	status: 200,
	requests: [{method: 'GET', path: target}],
});

const unchangedLoad = (side: Side, {etag}: Installed): Load => ({
	...listLoad(side),
	headers: {...side.headers, 'if-none-match': etag},
	status: 304,
});

/** Each connection switches a record of its own back and forth. */
const toggleLoad = (side: Side, {rows}: Installed, count = connections): Load => ({
	...listLoad(side),
	connections: count,
	requests: rows
		.slice(0, count)
		.flatMap(({id, enabled}) => [!enabled, enabled].map(wanted => ({method: side.method, path: side.change(id), body: {enabled: wanted}}))),
});

/** Measures the program on one database; `name` says which. */
async function measureOurs(
	name: string,
	send: (load: Load) => Promise<LoadResult>,
	server: Server,
	peers: Peers,
): Promise<readonly Figure[]> {
	const side = ourSide(server);
	await send({...listLoad(side), seconds: 3});
	const list = await send(listLoad(side));
	const unchanged = await send(unchangedLoad(side, await readInstalled(side)));
	await send({...toggleLoad(side, await readInstalled(side)), seconds: 2});
	const toggle = await send(toggleLoad(side, await readInstalled(side)));
	const installed = await readInstalled(side);
	const [reading, toggling] = await Promise.all([
		send({...listLoad(side), connections: connections / 2, seconds: seconds + 2}),
		send(toggleLoad(side, installed, connections / 2)),
	]);
	const leaving = await leaveAndAsk(server.address, keys.installed, connections);
	return [
		times(`${name}: list of 10,000 ÷ json-server`, list, peers.list, 'json-server', 5),
		times(`${name}: list with If-None-Match, unchanged ÷ json-server`, unchanged, peers.unchanged, 'json-server', 200),
		times(`${name}: toggle, on disk ÷ json-server`, toggle, peers.toggle, 'json-server', 40),
		{
			what: `${name}: toggle while 50 others read the list, p99`,
			value: toggling.p99Milliseconds,
			goal: 100,
			unit: 'ms',
			detail: `${perSecond(toggling.answersPerSecond)} toggles a second, ${perSecond(reading.answersPerSecond)} lists`,
		},
		{what: `${name}: next answer after 100 readers have gone`, value: leaving, goal: 0.5, unit: 's'},
	];
}

const times = (what: string, mine: LoadResult, peer: LoadResult, peerName: string, goal: number): Figure => ({
	what,
	value: mine.answersPerSecond / peer.answersPerSecond,
	goal,
	isGoalLeast: true,
	unit: '×',
	detail: `${perSecond(mine.answersPerSecond)} a second (p99 ${mine.p99Milliseconds} ms), ${peerName} ${perSecond(peer.answersPerSecond)}`,
});

const perSecond = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

async function measureAgents(name: string, send: (load: Load) => Promise<LoadResult>, server: Server, home: IsolatedHome): Promise<Figure> {
	const headers = {'x-api-key': keys.agents};
	const target = endpoints.listAgents.path;
	const file = path.join(home.folder, 'agents.json');
	const response = await fetch(server.address + target, {headers: {...headers, 'accept-encoding': 'identity'}});
	await writeFile(file, await response.text());
	await using bare = await startBareRoute(file, home.env);
	const mine: Load = {address: server.address, headers, connections, seconds, status: 200, requests: [{method: 'GET', path: target}]};
	const peer: Load = {...mine, address: bare.address, requests: [{method: 'GET', path: '/'}]};
	const [ours, theirs] = await inTurns(send, mine, peer);
	return times(`${name}: get agents, 50 agents ÷ a bare Fastify route`, ours, theirs, 'Fastify', 0.7);
}

/** Compares toggles with those of a service that writes no history. */
async function measureHistory(name: string, send: (load: Load) => Promise<LoadResult>, server: Server, plain: Server): Promise<Figure> {
	const installed = await readInstalled(ourSide(server));
	const [ours, theirs] = await inTurns(send, toggleLoad(ourSide(server), installed), toggleLoad(ourSide(plain), installed));
	return times(`${name}: toggle ÷ without a history`, ours, theirs, '--history off', 0.9);
}

/** Sends two loads by turns, for figures so close that the machine may drift between them; the first turn only warms up. */
async function inTurns(
	send: (load: Load) => Promise<LoadResult>,
	...loads: readonly [Load, Load]
): Promise<readonly [LoadResult, LoadResult]> {
	const results: [LoadResult[], LoadResult[]] = [[], []];
	for (let turn = 0; turn <= turns; turn++) {
		for (const [index, load] of loads.entries()) {
			const result = await send({...load, seconds: Math.max(1, Math.round(seconds / turns))});
			if (turn > 0) {
				results[index]!.push(result);
			}
		}
	}

	const middleOf = (list: readonly LoadResult[]): LoadResult =>
		list.toSorted((first, second) => first.answersPerSecond - second.answersPerSecond)[Math.floor(list.length / 2)]!;
	return [middleOf(results[0]), middleOf(results[1])];
}
