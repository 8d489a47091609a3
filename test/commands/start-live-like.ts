import type {TestContext} from 'node:test';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {startLiveLikeService, type LiveLikeServiceOptions} from '../helpers/live-like-service.ts';
import type {RequestFilter} from '../helpers/recorded-requests.ts';
import type {CommandOptions, CommandResult} from '../helpers/run-command.ts';
import {runCommand} from '../helpers/run-in-process.ts';

export function installedRecord(id: number, name: string, enabled: boolean) {
	return {id, name, enabled, category: 'skill', trigger_words: ['open sesame']};
}

/** True of a request that changes something. */
export const isWrite: RequestFilter = ({method}) => method !== 'GET';

export const isRead: RequestFilter = ({method}) => method === 'GET';

/** A home and a service, with commands that are led to it by the environment. */
export async function startLiveLike(t: TestContext, options: LiveLikeServiceOptions = {}) {
	const home = createIsolatedHome();
	const service = await startLiveLikeService(options);
	t.after(async () => service.close());
	const env = {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: service.apiKey};
	return {
		home,
		service,
		env,
		run: async (words: readonly string[], given: Pick<CommandOptions, 'stdin' | 'abort'> = {}): Promise<CommandResult> =>
			runCommand(words, {env, cwd: home.folder, ...given}),
		/** What came, as `GET` or `PUT 100 off`. */
		asked: () =>
			service.requests.map(({method, path, body}) =>
				method === 'PUT' && path.includes('installed')
					? `PUT ${/\d+/.exec(path)![0]} ${(JSON.parse(body) as {enabled: boolean}).enabled ? 'on' : 'off'}`
					: method,
			),
		states: () => service.installed.map(record => (record as {readonly enabled: unknown}).enabled),
	};
}
