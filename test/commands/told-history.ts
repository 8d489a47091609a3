import {Buffer, type TestContext} from '../helpers/node.ts';
import {createServer, request as ask} from 'node:http';
import type {CommandResult} from '../helpers/run-command.ts';
import {runCommand} from '../helpers/run-in-process.ts';
import {listen} from '../helpers/listen.ts';
import {startLiveLike} from './start-live-like.ts';

/*
A service that tells whatever history a test wants: for what the bundled one never sends.
*/

type Told = {readonly id: number; readonly name: string; readonly record: number} & Readonly<Record<string, unknown>>;

/** An entry of the switch of “lamps”, unless told otherwise. */
export function toldEntry(id: number, entry: Partial<Told> = {}): Told {
	return {
		id,
		at: '2026-11-25T22:04:05.000Z',
		by: 'anna',
		key: 'anna',
		via: '192.0.2.1',
		kind: 'installed',
		name: 'lamps',
		record: 301,
		field: 'enabled',
		from: true,
		to: false,
		...entry,
	};
}

/**
Answers `GET /history` from the entries in pages of three, as `source/interface/history.ts` says; everything else is the live-like service's.

@param onPage - called after each page.
@param next - instead of the right one.
*/
export async function startToldHistory(t: TestContext, entries: Told[], onPage?: () => void, next?: number) {
	const started = await startLiveLike(t);
	const pages: string[] = [];
	const server = createServer((request, response) => {
		const url = new URL(request.url!, 'http://localhost');
		const query = url.searchParams;
		if (url.pathname !== '/history') {
			request.pipe(
				ask(started.service.baseAddress + request.url!, {method: request.method, headers: request.headers}, answer => {
					response.writeHead(answer.statusCode!, answer.headers);
					answer.pipe(response);
				}).on('error', () => {
					response.destroy();
				}),
			);
			return;
		}

		pages.push(url.search);
		const [entry, before, after, records] = [
			query.get('entry'),
			Number(query.get('before') ?? Infinity),
			Number(query.get('after') ?? 0),
			query.getAll('record'),
		];
		const found = entries
			.filter(
				({id, record, name}) =>
					id < before &&
					id > after &&
					(entry === null || entry === String(id)) &&
					(records.length === 0 || records.some(word => word === String(record) || word.toLowerCase() === name.toLowerCase())),
			)
			.toSorted((first, second) => second.id - first.id);
		const page = found.slice(0, Math.min(Number(query.get('limit') ?? 100), 3));
		const body = Buffer.from(JSON.stringify({entries: page, next: next ?? (page.length < found.length ? page.at(-1)!.id : null)}));
		response.writeHead(entry !== null && page.length === 0 ? 404 : 200, {'content-type': 'application/json'}).end(body);
		onPage?.();
	});
	const port = await listen(t, server);
	const env = {...started.env, SWITCHBOARD_BASE_URL: `http://127.0.0.1:${port}`};
	return {
		...started,
		env,
		/** The queries that came. */
		pages,
		run: async (words: readonly string[]): Promise<CommandResult> => runCommand(words, {env, cwd: started.home.folder}),
	};
}
