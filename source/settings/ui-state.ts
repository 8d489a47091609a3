import path from 'node:path';
import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {userFolders} from '../platform/user-folders.ts';
import {readPrivateFile, writePrivateFile} from '../platform/private-files.ts';

const version = 1;

const maximumBytes = 1024 * 1024;

/**
How the screens were left, as JSON whose shape is the terminal UI's own: the last screen, and per profile and screen the
sort order, the filter and the record under the cursor; and which hints were given.
*/
export type UiStateStore = {
	/** An empty object if nothing usable is stored: none of this is worth an error. */
	readonly read: () => JsonObject;
	/**
	Changes what is stored now, so that two windows do not overwrite each other's parts.
	@returns false if it cannot be written.
	*/
	readonly update: (change: (current: JsonObject) => JsonObject) => boolean;
};

/** The UI state, in a file of its own beside the settings: it changes often, they rarely do. */
export const openUiState = ({configFolder}: {readonly configFolder?: string | undefined} = {}): UiStateStore => {
	const file = path.join(configFolder ?? userFolders().config, 'ui-state.json');

	const read = (): JsonObject => {
		try {
			const value: unknown = JSON.parse(readPrivateFile(file, maximumBytes) ?? '');
			return isJsonObject(value) && value['version'] === version && isJsonObject(value['state']) ? value['state'] : {};
		} catch {
			return {};
		}
	};

	return {
		read,
		update(change) {
			try {
				const state = change(read());
				writePrivateFile(file, JSON.stringify({version, state}, undefined, '\t') + '\n');
				return true;
			} catch {
				return false;
			}
		},
	};
};
