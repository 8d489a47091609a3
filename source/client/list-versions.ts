import {isJsonObject, parseJson, type JsonValue} from '../interface/json.ts';
import {resources, type Resource} from '../interface/records.ts';

export type ListVersions = Readonly<Partial<Record<Resource, string>>>;

/** A list has this version now. */
export type ListChange = {
	readonly resource: Resource;
	readonly version: string;
	/** The number of the newest entry of the history, as of that version; only of a service that keeps one. */
	readonly history?: number;
};

const isVersion = (value: JsonValue | undefined): value is string => typeof value === 'string' && /^[\w+\-./=~]{1,100}$/.test(value);

/** Returns the versions in a header; anything that is not a version is left out. */
export function versionsIn(headers: Readonly<Record<string, string | readonly string[] | undefined>>, name: string): ListVersions {
	const header = headers[name];
	const texts = new Map(
		(typeof header === 'string' ? header : '').split(',').map(part => {
			const [list = '', ...version] = part.trim().split('=');
			return [list, version.join('=')] as const;
		}),
	);
	return Object.fromEntries(
		resources.map(resource => [resource, texts.get(resource)] as const).filter(([, version]) => isVersion(version)),
	);
}

/** Reads the data of an event; `undefined` if it does not name a known list. */
export function parseListChange(data: string): ListChange | undefined {
	const value = parseJson(data);
	const {resource: name, version, history} = isJsonObject(value) ? value : {};
	const resource = resources.find(each => each === name);
	return resource !== undefined && isVersion(version)
		? {resource, version, ...(typeof history === 'number' && Number.isSafeInteger(history) && history >= 0 && {history})}
		: undefined;
}
