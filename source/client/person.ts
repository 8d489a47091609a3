import {setTimeout as delay} from 'node:timers/promises';
import {personHeader} from '../interface/endpoints.ts';
import {formatPerson, type Person} from '../interface/key-rights.ts';

/** A service that does not answer in time is told nothing. */
const patienceMilliseconds = 3000;

/** How soon a service is asked again: one that could not answer, and one that wants to know nothing, as it may be a later version by then. */
const retryMilliseconds = {failed: 10_000, refused: 10 * 60_000};

type Known = {readonly isWanted: boolean; readonly until: number};

/** What services said, by address and key: `ssh-serve` asks for all its sessions. */
const known = new Map<string, Known>();
const asking = new Map<string, Promise<boolean>>();

type PersonOptions = {
	readonly baseAddress: string;
	readonly apiKey: string;
	/** Asks the service whether the key is one of an `ssh-serve`. */
	readonly ask: () => Promise<boolean>;
};

const askOnce = async (account: string, ask: () => Promise<boolean>): Promise<boolean> => {
	let milliseconds = retryMilliseconds.failed;
	let isWanted = false;
	try {
		isWanted = await ask();
		milliseconds = isWanted ? Infinity : retryMilliseconds.refused;
	} catch {
		// Nobody is named, and it is asked again later.
	}

	known.set(account, {isWanted, until: performance.now() + milliseconds});
	asking.delete(account);
	return isWanted;
};

/**
The header that names a person, for a service of ours that has said that it wants to know with this key; no header for any other.
*/
export const personHeaders = async (
	person: Person | undefined,
	{baseAddress, apiKey, ask}: PersonOptions,
): Promise<Readonly<Record<string, string>>> => {
	if (person === undefined) {
		return {};
	}

	const account = `${baseAddress} ${apiKey}`;
	const last = known.get(account);
	let isWanted = last?.isWanted ?? false;
	if (last === undefined || last.until < performance.now()) {
		const asked = asking.get(account) ?? askOnce(account, ask);
		asking.set(account, asked);
		isWanted = await Promise.race([asked, delay(patienceMilliseconds, false, {ref: false})]);
	}

	return isWanted ? {[personHeader]: formatPerson(person)} : {};
};
