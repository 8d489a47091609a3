import type {Caller} from './callers.ts';
import type {Store} from './store/store.ts';

const minuteMilliseconds = 60_000;

/** Keys that are used within this time are stored together, after the answers to their requests. */
const delayMilliseconds = 1000;

/** A service has seldom so many keys; more are stored more often. */
const maximumKeys = 10_000;

/**
Stores when each key was used last, to the minute, and so once a minute at most. No request waits for it: what cannot be stored at once, as on a
full disk or while another process writes, is left to a later minute.
*/
export const createKeyUse = ({accounts, checkVersion}: Pick<Store, 'accounts' | 'checkVersion'>) => {
	const minutes = new Map<number, number>();
	let unstored = new Set<number>();
	let timer: NodeJS.Timeout | undefined;

	const store = async (): Promise<void> => {
		timer = undefined;
		const ids = [...unstored];
		unstored = new Set();
		try {
			await checkVersion();
			await accounts.markUsed(ids, new Date(Math.floor(Date.now() / minuteMilliseconds) * minuteMilliseconds));
		} catch {
			// The time of the next use says more.
		}
	};

	return {
		/** Notes that a key is used now. */
		note({keyId}: Caller): void {
			const minute = Math.floor(Date.now() / minuteMilliseconds);
			if (keyId === undefined || minutes.get(keyId) === minute) {
				return;
			}

			if (minutes.size >= maximumKeys) {
				minutes.clear();
			}

			minutes.set(keyId, minute);
			unstored.add(keyId);
			timer ??= setTimeout(() => {
				void store();
			}, delayMilliseconds).unref();
		},
		close(): void {
			clearTimeout(timer);
		},
	};
};
