import {isJsonObject, type JsonValue} from './json.ts';
import {type Resource} from './records.ts';

/*
The bundled service gives each list of an account a random version, which every change replaces. It is no part of the interface: a
service that knows nothing of it sends no such header, and has no change feed.
*/

/** Where a service may tell of changes as they happen: server-sent events, with the key in the header. Not an operation. */
export const changeFeedPath = '/events';

/** The media type of server-sent events (HTML Living Standard, section 9.2). */
export const eventStreamType = 'text/event-stream';

/** The header of an answer with versions: of the list that was read, or of those that the request has changed. */
export const listVersionsHeader = 'list-versions';

/** The same as they were when the request arrived; beside `list-versions` in the answer to a change. */
export const formerVersionsHeader = 'list-versions-before';

export const resources = ['agents', 'abilities', 'installed'] as const satisfies readonly Resource[];

/** Versions of lists. */
export type ListVersions = Readonly<Partial<Record<Resource, string>>>;

/** An event of the change feed: a list has this version now. */
export type ListChange = {readonly resource: Resource; readonly version: string};

/** As they stand in a header: `installed=TOKEN, abilities=TOKEN`. */
export const formatListVersions = (versions: ListVersions): string =>
	resources.filter(resource => versions[resource] !== undefined).map(resource => `${resource}=${versions[resource]}`).join(', ');

const isVersion = (value: JsonValue | undefined): value is string => typeof value === 'string' && /^[\w+\-./=~]{1,100}$/.test(value);

/** Reads a header of versions; what is none is left out. */
export const parseListVersions = (header: string): ListVersions => {
	const texts = new Map(header.split(',').map(part => {
		const [name = '', ...version] = part.trim().split('=');
		return [name, version.join('=')] as const;
	}));
	return Object.fromEntries(resources.map(resource => [resource, texts.get(resource)] as const).filter(([, version]) => isVersion(version)));
};

/** An event of the change feed, as it is sent. */
export const formatListChange = ({resource, version}: ListChange): string =>
	`event: change\ndata: ${JSON.stringify({resource, version})}\n\n`;

/** Reads the data of an event; `undefined` if it names no list of ours. */
export const parseListChange = (data: string): ListChange | undefined => {
	let value: JsonValue;
	try {
		value = JSON.parse(data) as JsonValue;
	} catch {
		return undefined;
	}

	const {resource: name, version} = isJsonObject(value) ? value : {};
	const resource = resources.find(each => each === name);
	return resource !== undefined && isVersion(version) ? {resource, version} : undefined;
};
