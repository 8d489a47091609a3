import path from 'node:path';
import {withoutFailing} from '../interface/errors.ts';
import {isJsonObject, type JsonObject} from '../interface/json.ts';
import {keptFile} from '../platform/kept-file.ts';
import {userFolders} from '../platform/user-folders.ts';

type Change = (current: JsonObject) => JsonObject;

/**
Returns how the screens were left. This is kept in a separate file beside the settings, because it changes often and they rarely do. The
shape of the JSON is the terminal UI's own: the last screen, and per profile and screen the sort order, the filter and the record under the
cursor; and which hints were given.
*/
export function openUiState({configFolder}: {readonly configFolder?: string | undefined} = {}) {
	const file = keptFile<JsonObject>({
		name: 'views',
		file: path.join(configFolder ?? userFolders().config, 'ui-state.json'),
		version: 1,
		maximumBytes: 2 * 1024 * 1024,
		empty: {},
		decode: ({state}) => (isJsonObject(state) ? {content: state} : undefined),
		encode: state => ({state}),
	});
	/** The changes of this run that are not stored yet, or could not be. */
	let pending: readonly Change[] = [];

	const withPending: Change = stored => pending.reduce((state, change) => change(state), stored);

	/** An empty object if nothing usable is stored: none of this is worth an error. */
	const read = (): JsonObject => withoutFailing(() => withPending(file.peek())) ?? withPending({});

	/**
	Changes the state: at once for this run, then in the file.
	@returns false if it cannot be written; then it is kept for this run.
	*/
	const update = async (change: Change): Promise<boolean> => {
		pending = [...pending, change];
		let stored: readonly Change[] = [];
		try {
			await file.change(state => {
				stored = pending;
				return withPending(state);
			});
		} catch {
			return false;
		}

		pending = pending.filter(each => !stored.includes(each));
		return true;
	};

	return {
		read,
		update,
		/** Moves the views of a profile to its new name, or removes them. */
		async moveViews(profileName: string, newName?: string): Promise<void> {
			if (isJsonObject(read()['profiles'])) {
				await update(({profiles, ...others}) => {
					const views = Object.entries(isJsonObject(profiles) ? profiles : {}).flatMap(([name, view]) => {
						const isOther = !name.startsWith(`${profileName} `);
						return isOther || newName !== undefined ? [[isOther ? name : newName! + name.slice(profileName.length), view] as const] : [];
					});
					return {...others, profiles: Object.fromEntries(views)};
				});
			}
		},
	};
}

export type UiStateStore = ReturnType<typeof openUiState>;
