import type {Frame} from '../../interface/conversation.ts';
import {isJsonObject} from '../../interface/json.ts';

/** The agent of an account that a conversation is with. */
export type Place = {readonly accountId: number; readonly agentId: number};

type Listener = (text: string) => void;

/** An entry of the call logs, as it is sent. */
type Entry = {readonly accountId: number; readonly text: string};

const maximumEntries = 100;

/** For the entries of an account: less than what a client may leave unread. */
const maximumEntryCharacters = 10_000;

const maximumAccounts = 1000;

/** A turn or a log line; other frames are not in the call logs. */
const toEntryText = ({type, data}: Frame): string | undefined => {
	if (!isJsonObject(data)) {
		return undefined;
	}

	const entry = {message: {role: data['role'], content: data['content']}, log: {role: 'log', content: data['m']}}[type];
	return entry && JSON.stringify(entry);
};

/** Delivers what is said to all who listen to an agent, and keeps the last of it for the call logs. */
export const createAudience = () => {
	const listeners = new Map<Listener, Place>();
	const followers = new Map<Listener, number>();
	const entries = new Map<number, string[]>();

	const keep = ({accountId, text}: Entry): void => {
		const kept = entries.get(accountId) ?? [];
		kept.push(text);
		let characters = kept.reduce((sum, each) => sum + each.length, 0);
		while (kept.length > maximumEntries || (characters > maximumEntryCharacters && kept.length > 1)) {
			characters -= kept.shift()!.length;
		}

		// A map keeps the order of insertion, so the first account has been silent for longest.
		entries.delete(accountId);
		entries.set(accountId, kept);
		if (entries.size > maximumAccounts) {
			entries.delete(entries.keys().next().value!);
		}
	};

	return {
		/** @returns how to leave. */
		listen(place: Place, listener: Listener): () => void {
			listeners.set(listener, place);
			return () => {
				listeners.delete(listener);
			};
		},
		/**
		Calls back with the last entries of the call logs of an account, then with each new one.

		@returns how to end that.
		*/
		follow(accountId: number, tail: number, listener: Listener): () => void {
			const kept = entries.get(accountId) ?? [];
			for (const entry of kept.slice(Math.max(0, kept.length - tail))) {
				listener(entry);
			}

			followers.set(listener, accountId);
			return () => {
				followers.delete(listener);
			};
		},
		deliver({accountId, agentId}: Place, frames: readonly Frame[]): void {
			for (const frame of frames) {
				const text = JSON.stringify(frame);
				for (const [listener, place] of listeners) {
					if (place.accountId === accountId && place.agentId === agentId) {
						listener(text);
					}
				}

				const entry = toEntryText(frame);
				if (entry === undefined) {
					continue;
				}

				keep({accountId, text: entry});
				for (const [follower, followed] of followers) {
					if (followed === accountId) {
						follower(entry);
					}
				}
			}
		},
	};
};

export type Audience = ReturnType<typeof createAudience>;
