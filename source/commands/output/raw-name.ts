import type {JsonObject} from '../../interface/json.ts';

/** The name as the service returned it, for JSON; the shown one where it returned none. */
export const rawName = ({name, raw}: {readonly name: string; readonly raw: JsonObject}): string =>
	typeof raw['name'] === 'string' && raw['name'] !== '' ? raw['name'] : name;
