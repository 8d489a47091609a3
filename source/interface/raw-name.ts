import {type JsonObject} from './json.ts';

/** The name of a record as the service returned it; the shown one if it returned none. */
export const rawName = ({name, raw}: {readonly name: string; readonly raw: JsonObject}): string =>
	typeof raw['name'] === 'string' && raw['name'] !== '' ? raw['name'] : name;
