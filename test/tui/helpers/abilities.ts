import type {RecordedRequest, RecordingServer} from '../../helpers/recorded-requests.ts';
import {isRecord, type LiveLikeHome} from '../../helpers/live-like/home.ts';
import type {RenderedApp} from '../../helpers/render-app.tsx';

/** A frame with `DATE` for any date with its time of day, and several empty lines as one. */
export const dated = (lines: readonly string[]): readonly string[] =>
	lines.map(line => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'DATE')).filter((line, index, all) => line !== '' || all[index - 1] !== '');

export const isUpload = ({path}: RecordedRequest): boolean => path.endsWith('/add-capability/');

export const isRelease = ({path}: RecordedRequest): boolean => path.includes('/release-code/');

export const isDeletion = ({path}: RecordedRequest): boolean => path.includes('/delete-capability/');

export const isRemoval = ({path}: RecordedRequest): boolean => path.includes('/uninstall-capability/');

export const isInstallation = ({path}: RecordedRequest): boolean => path.includes('/install-capability/');

export const isGet = ({path}: RecordedRequest): boolean => path.includes('/get-capability/');

/** The requests that fit, as method, path and body. */
export const asked = ({requests}: Pick<RecordingServer, 'requests'>, isWanted: (request: RecordedRequest) => boolean): readonly string[] =>
	requests
		.filter(request => isWanted(request))
		.map(({method, path, body}) => `${method} ${path.replace('/api/capabilities', '')}${body === '' ? '' : ` ${body}`}`);

/** Names of what the service keeps. */
export const storedNames = (home: LiveLikeHome, list: 'abilities' | 'installed'): readonly unknown[] =>
	home[list].filter(entry => isRecord(entry)).map(({name}) => name);

/** Answers a question about a deletion with its word, once it reads it. */
export const typeDelete = async (app: RenderedApp): Promise<void> => {
	await app.shows('type delete: _');
	app.press(...'delete', 'enter');
};
