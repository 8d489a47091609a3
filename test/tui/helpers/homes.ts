import type {TestContext} from 'node:test';
import {type DocumentedService, type DocumentedServiceOptions, startDocumentedService} from '../../helpers/documented-service.ts';
import {createHome, isRecord} from '../../helpers/live-like/home.ts';
import {type LiveLikeService, type LiveLikeServiceOptions, startLiveLikeService} from '../../helpers/live-like-service.ts';
import type {RecordedRequest, RecordingServer} from '../../helpers/recorded-requests.ts';

const twoDaysAgo = new Date(Date.now() - 2.5 * 24 * 60 * 60 * 1000).toISOString();

const changedTwoDaysAgo = (entries: readonly unknown[]): unknown[] =>
	entries.map(entry => (isRecord(entry) ? {...entry, last_updated: twoDaysAgo} : entry));

/** A record of an installed ability, as the service of these tests keeps it. */
export function installedRecord(
	id: number,
	name: string,
	isEnabled: boolean,
	fields: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
	return {
		id,
		name,
		category: 'skill',
		enabled: isEnabled,
		trigger_words: [],
		last_updated: twoDaysAgo,
		system_capability: false,
		agent_capability: true,
		...fields,
	};
}

/**
A service that behaves as the public one, closed after the test. All in it was changed two days ago: lamps (301) and
pantry (302) are on, nightwatch (303) is off, desk is not installed.
*/
export async function startHome(t: TestContext, options: LiveLikeServiceOptions = {}): Promise<LiveLikeService> {
	const home = createHome();
	const service = await startLiveLikeService({
		...options,
		home: {abilities: changedTwoDaysAgo(home.abilities), installed: changedTwoDaysAgo(home.installed), ...options.home},
	});
	t.after(async () => service.close());
	return service;
}

/** A service that shows no more than the interface document does, closed after the test. */
export async function startDocumentedHome(t: TestContext, options?: DocumentedServiceOptions): Promise<DocumentedService> {
	const service = await startDocumentedService(options);
	t.after(async () => service.close());
	return service;
}

export function isToggle({method}: RecordedRequest): boolean {
	return method === 'PUT';
}

export function isInstalledList({path}: RecordedRequest): boolean {
	return path.endsWith('/get-installed-capabilities/');
}

/** The changes that the service was asked for: the id and the body of each. */
export function togglesOf({requests}: RecordingServer): ReadonlyArray<{readonly id: number; readonly body: unknown}> {
	return requests
		.filter(request => isToggle(request))
		.map(({path, body}) => ({id: Number(/\/(?<id>\d+)\/$/.exec(path)?.groups?.['id']), body: JSON.parse(body) as unknown}));
}

/** The records that the service was asked to switch, in that order. */
export function toggledIds(service: RecordingServer): readonly number[] {
	return togglesOf(service).map(({id}) => id);
}

/** How often the list of installed abilities was asked for. */
export function installedListCount({requests}: RecordingServer): number {
	return requests.filter(request => isInstalledList(request)).length;
}

/** The state of a record as the service keeps it. */
export function storedState({installed}: LiveLikeService, id: number): unknown {
	return installed.filter(entry => isRecord(entry)).find(entry => entry['id'] === id)?.['enabled'];
}

/** The states of several records as the service keeps them. */
export function storedStates(service: LiveLikeService, ids: readonly number[]): readonly unknown[] {
	return ids.map(id => storedState(service, id));
}

/** The requests that could have changed something. */
export function writesTo({requests}: Pick<RecordingServer, 'requests'>): readonly RecordedRequest[] {
	return requests.filter(({method}) => method !== 'GET');
}
