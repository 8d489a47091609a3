import {mkdirSync, path, type TestContext, writeFileSync} from '../helpers/node.ts';
import type {LiveLikeServiceOptions} from '../helpers/live-like-service.ts';
import type {RecordedRequest, RequestFilter} from '../helpers/recorded-requests.ts';
import {startLiveLike} from './start-live-like.ts';

export function writeState(folder: string, text: string): void {
	writeFileSync(path.join(folder, 'home.yaml'), `version: 1\n${text}\n`);
}

/** Writes the folder of an ability that is a daemon too. */
export function writeAbility(folder: string, name: string, code: string): void {
	mkdirSync(path.join(folder, name), {recursive: true});
	for (const [file, text] of [
		['main.py', code],
		['__init__.py', ''],
	] as const) {
		writeFileSync(path.join(folder, name, file), text);
	}
}

/** True of a request that changes something, which installing does with a GET. */
export const isChange: RequestFilter = ({method, path: requested}) => method !== 'GET' || requested.includes('/install-capability/');

const shown = ({method, path: requested}: RecordedRequest): string =>
	`${method} ${requested.replace(/^\/api\/(?:capabilities|personalities)\//, '').replace(/\/$/, '')}`;

/** A home with a state file, and a live-like service. */
export async function startWithState(t: TestContext, text: string, options: LiveLikeServiceOptions = {}) {
	const {home, env, service, run} = await startLiveLike(t, options);
	writeState(home.folder, text);
	return {
		folder: home.folder,
		env,
		service,
		run,
		/** What came, such as `GET get-installed-capabilities`. */
		asked: (isWanted: RequestFilter = () => true) => service.requests.filter(request => isWanted(request)).map(request => shown(request)),
	};
}

/** An error that is told as lines for an editor. */
export function problems(...lines: readonly string[]): string {
	return `${lines.map(line => `home.yaml:${line}`).join('\n')}\nNothing was done.\n`;
}
