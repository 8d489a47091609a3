import {Buffer} from 'node:buffer';
import path from 'node:path';
import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {userFolders} from '../platform/user-folders.ts';
import {readPrivateFile, writePrivateFile} from '../platform/private-files.ts';
import {objectText, parseObject} from '../platform/json-file.ts';

const version = 1;

/** More is neither written nor read. */
const maximumBytes = 2 * 1024 * 1024;

/**
Returns how the screens were left. This is kept in a separate file beside the settings, because it changes often and they rarely do. The
shape of the JSON is the terminal UI's own: the last screen, and per profile and screen the sort order, the filter and the record under the
cursor; and which hints were given.
*/
export function openUiState({configFolder}: {readonly configFolder?: string | undefined} = {}) {
	const file = path.join(configFolder ?? userFolders().config, 'ui-state.json');
	/** The state of this run, once it could not be stored. */
	let memory: JsonObject | undefined;

	const read = (): JsonObject => {
		try {
			const value = memory ?? parseObject(readPrivateFile(file, maximumBytes));
			return value?.['version'] === version && isJsonObject(value['state']) ? value['state'] : {};
		} catch {
			return {};
		}
	};

	const update = (change: (current: JsonObject) => JsonObject): boolean => {
		const value = {version, state: change(read())};
		const text = objectText(value);
		try {
			if (Buffer.byteLength(text) <= maximumBytes) {
				writePrivateFile(file, text);
				memory = undefined;
				return true;
			}
		} catch {}

		memory = value;
		return false;
	};

	return {
		/** An empty object if nothing usable is stored: none of this is worth an error. */
		read,
		/**
		Changes the stored state, so that two windows do not overwrite each other's parts.
		@returns false if it cannot be written; then it is kept for this run.
		*/
		update,
		/** Moves the views of a profile to its new name, or removes them. */
		moveViews(profileName: string, newName?: string): void {
			const {profiles, ...others} = read();
			if (isJsonObject(profiles)) {
				const views = Object.entries(profiles).flatMap(([name, view]) => {
					const isOther = !name.startsWith(`${profileName} `);
					return isOther || newName !== undefined ? [[isOther ? name : newName! + name.slice(profileName.length), view] as const] : [];
				});
				update(() => ({...others, profiles: Object.fromEntries(views)}));
			}
		},
	};
}

export type UiStateStore = ReturnType<typeof openUiState>;
