import path from 'node:path';
import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {userFolders} from '../platform/user-folders.ts';
import {readPrivateFile, writePrivateFile} from '../platform/private-files.ts';
import {objectText, parseObject} from '../platform/json-file.ts';

const version = 1;

const maximumBytes = 1024 * 1024;

/**
How the screens were left, in a file of its own beside the settings: it changes often, they rarely do. The shape of the JSON is the terminal
UI's own: the last screen, and per profile and screen the sort order, the filter and the record under the cursor; and which hints were given.
*/
export const openUiState = ({configFolder}: {readonly configFolder?: string | undefined} = {}) => {
	const file = path.join(configFolder ?? userFolders().config, 'ui-state.json');

	const read = (): JsonObject => {
		try {
			const value = parseObject(readPrivateFile(file, maximumBytes));
			return value?.['version'] === version && isJsonObject(value['state']) ? value['state'] : {};
		} catch {
			return {};
		}
	};

	return {
		/** An empty object if nothing usable is stored: none of this is worth an error. */
		read,
		/**
		Changes what is stored now, so that two windows do not overwrite each other's parts.
		@returns false if it cannot be written.
		*/
		update(change: (current: JsonObject) => JsonObject): boolean {
			try {
				const state = change(read());
				writePrivateFile(file, objectText({version, state}));
				return true;
			} catch {
				return false;
			}
		},
	};
};

export type UiStateStore = ReturnType<typeof openUiState>;
