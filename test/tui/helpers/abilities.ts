import type {RecordedRequest, RecordingServer} from '../../helpers/recorded-requests.ts';
import {isRecord, type LiveLikeHome} from '../../helpers/live-like/home.ts';
import type {RenderedApp} from '../../helpers/render-app.tsx';

/** A frame with `DATE` for any date with its time of day, and several empty lines as one. */
export function dated(lines: readonly string[]): readonly string[] {
	return lines
		.map(line => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'DATE'))
		.filter((line, index, all) => line !== '' || all[index - 1] !== '');
}

export function isUpload({path}: RecordedRequest): boolean {
	return path.endsWith('/add-capability/');
}

export function isRelease({path}: RecordedRequest): boolean {
	return path.includes('/release-code/');
}

export function isDeletion({path}: RecordedRequest): boolean {
	return path.includes('/delete-capability/');
}

export function isRemoval({path}: RecordedRequest): boolean {
	return path.includes('/uninstall-capability/');
}

export function isInstallation({path}: RecordedRequest): boolean {
	return path.includes('/install-capability/');
}

export function isGet({path}: RecordedRequest): boolean {
	return path.includes('/get-capability/');
}

/** The requests that fit, as method, path and body. */
export function asked({requests}: Pick<RecordingServer, 'requests'>, isWanted: (request: RecordedRequest) => boolean): readonly string[] {
	return requests
		.filter(request => isWanted(request))
		.map(({method, path, body}) => `${method} ${path.replace('/api/capabilities', '')}${body === '' ? '' : ` ${body}`}`);
}

/** Names of what the service keeps. */
export function storedNames(home: LiveLikeHome, list: 'abilities' | 'installed'): readonly unknown[] {
	return home[list].filter(entry => isRecord(entry)).map(({name}) => name);
}

/** Answers a question about a deletion with its word, once it reads it. */
export async function typeDelete(app: RenderedApp): Promise<void> {
	await app.shows('type delete: _');
	app.press(...'delete', 'enter');
}
