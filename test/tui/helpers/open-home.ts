import type {TestContext} from 'node:test';
import {resources} from '../../../source/interface/records.ts';
import type {LiveLikeService, LiveLikeServiceOptions} from '../../helpers/live-like-service.ts';
import {renderApp, type RenderAppOptions, type RenderedApp} from '../../helpers/render-app.tsx';
import {temporaryFolders} from '../../helpers/temporary-folder.ts';
import {startHome} from './homes.ts';
import {includes, isFresh} from './shown.ts';

export type OpenAppOptions = RenderAppOptions & {
	/** What the screen shows once it is ready: a text in one line, or a condition; a list that is up to date unless given. */
	readonly until?: string | ((lines: readonly string[]) => boolean);
};

/** Opens the screens on a service and waits until they are ready. */
export async function openApp(t: TestContext, {until = isFresh, ...options}: OpenAppOptions): Promise<RenderedApp> {
	const app = await renderApp(t, options);
	await app.shows(typeof until === 'string' ? includes(until) : until);
	if (until === isFresh) {
		// After the first list the service is asked to tell of changes: the last request that nobody waits for.
		await app.until(() => app.ui.requests.getEntries().some(({path}) => path.endsWith('/events')));
	}

	return app;
}

/** Starts a service as `startHome` does, opens the screens on it and waits until they are ready. */
export async function openHome(
	t: TestContext,
	options: OpenAppOptions & Omit<LiveLikeServiceOptions, 'port'> = {},
): Promise<{readonly service: LiveLikeService; readonly app: RenderedApp}> {
	const service = await startHome(t, options);
	return {service, app: await openApp(t, {...options, service})};
}

/** A service, and the folders of somebody who opens the screens on it more than once. */
export async function startForVisits(t: TestContext, always: OpenAppOptions & Omit<LiveLikeServiceOptions, 'port'> = {}) {
	const service = await startHome(t, always);
	const folders = temporaryFolders();
	const visit = async (options: OpenAppOptions = {}): Promise<RenderedApp> => openApp(t, {service, folders, ...always, ...options});
	return {service, folders, visit};
}

/** Presses keys, and waits after one that shows a list until that is read: a key for a row waits for the rows, but the next one does not. */
export async function pressOnRows(app: RenderedApp, keys: readonly string[]): Promise<void> {
	for (const key of keys) {
		app.press(key);
		const resource = resources[['1', '2', '3'].indexOf(key)];
		await app.until(() => resource === undefined || app.session().records.seen(resource) !== undefined);
	}
}

/** What is open above the list, from below. */
export function overlaysOf(app: RenderedApp): readonly string[] {
	return app.state().overlays.map(({kind}) => kind);
}

export function profileNames({settings}: RenderedApp): readonly string[] {
	return settings.profiles().map(({name}) => name);
}

/** Everything that was on the screen so far. */
export function everShown(app: RenderedApp): string {
	return app.frames().flat().join('\n');
}
