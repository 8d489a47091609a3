import path from 'node:path';
import {draftOf} from '../interface/installed-lookup.ts';
import {isJsonObject, type JsonValue} from '../interface/json.ts';
import type {Ability} from '../interface/records.ts';
import {readPrivateFile, writePrivateFile} from '../platform/private-files.ts';
import {userFolders} from '../platform/user-folders.ts';
import {objectText, parseObject} from '../platform/json-file.ts';

/*
The drafts that were saved from this machine: new code for any other draft would replace somebody's work. A draft counts as ours only as
long as its ability is listed with the time of change that it had then.
*/

const version = 1;
const maximumBytes = 256 * 1024;

/** The oldest are forgotten. */
const maximumCount = 500;

type SavedDraft = {readonly account: string; readonly release: number; readonly changed: JsonValue};

const isSavedDraft = (value: JsonValue): value is SavedDraft =>
	isJsonObject(value) && typeof value['account'] === 'string' && typeof value['release'] === 'number' && Object.hasOwn(value, 'changed');

/** @param account - the name under which data of the account is kept. */
export function openSavedDrafts(account: string) {
	const file = path.join(userFolders().log, 'drafts.json');

	const read = (): readonly SavedDraft[] => {
		try {
			const value = parseObject(readPrivateFile(file, maximumBytes));
			return value?.['version'] === version && Array.isArray(value['drafts'])
				? (value['drafts'] as readonly JsonValue[]).filter(draft => isSavedDraft(draft))
				: [];
		} catch {
			// Then the person is asked.
			return [];
		}
	};

	return {
		/** The release id of the draft of an ability, if it was saved from here. */
		own(ability: Ability): number | undefined {
			const id = draftOf(ability)?.id;
			return read().some(
				draft => draft.account === account && draft.release === id && draft.changed === (ability.raw['last_updated'] ?? null),
			)
				? id
				: undefined;
		},
		/** Remembers that the draft of an ability was saved from here, as the ability is listed after that. Never throws. */
		remember(ability: Ability): void {
			const release = draftOf(ability)?.id;
			if (release === undefined) {
				return;
			}

			const others = read().filter(draft => draft.account !== account || draft.release !== release);
			const drafts = [...others, {account, release, changed: ability.raw['last_updated'] ?? null}].slice(-maximumCount);
			try {
				writePrivateFile(file, objectText({version, drafts}));
			} catch {
				// Then the person is asked.
			}
		},
	};
}
