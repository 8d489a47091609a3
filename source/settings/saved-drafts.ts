import path from 'node:path';
import {withoutFailing} from '../interface/errors.ts';
import {draftOf} from '../interface/installed-lookup.ts';
import {isJsonObject, type JsonValue} from '../interface/json.ts';
import type {Ability} from '../interface/records.ts';
import {keptFile} from '../platform/kept-file.ts';
import {userFolders} from '../platform/user-folders.ts';

/*
The drafts that were saved from this machine: new code for any other draft would replace somebody's work. A draft counts as ours only as
long as its ability is listed with the time of change that it had then.
*/

/** The oldest are forgotten. */
const maximumCount = 500;

type SavedDraft = {readonly account: string; readonly release: number; readonly changed: JsonValue};

const isSavedDraft = (value: JsonValue): value is SavedDraft =>
	isJsonObject(value) && typeof value['account'] === 'string' && typeof value['release'] === 'number' && Object.hasOwn(value, 'changed');

/** @param account - the name under which data of the account is kept. */
export function openSavedDrafts(account: string) {
	const file = keptFile<readonly SavedDraft[]>({
		name: 'drafts',
		file: path.join(userFolders().log, 'drafts.json'),
		version: 1,
		maximumBytes: 256 * 1024,
		empty: [],
		decode: ({drafts}) =>
			Array.isArray(drafts) ? {content: (drafts as readonly JsonValue[]).filter(draft => isSavedDraft(draft))} : undefined,
		encode: drafts => ({drafts}),
	});

	/** Without the file, the person is asked. */
	const read = (): readonly SavedDraft[] => withoutFailing(() => file.peek()) ?? [];

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
		/** Remembers that the draft of an ability was saved from here, as the ability is listed after that. Never rejects. */
		async remember(ability: Ability): Promise<void> {
			const release = draftOf(ability)?.id;
			if (release === undefined) {
				return;
			}

			const remembering = file.change(drafts => {
				const others = drafts.filter(draft => draft.account !== account || draft.release !== release);
				return [...others, {account, release, changed: ability.raw['last_updated'] ?? null}].slice(-maximumCount);
			});
			// If this fails, the person is asked.
			await remembering.catch(() => undefined);
		},
	};
}
