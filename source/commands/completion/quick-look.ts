import {setTimeout as delay} from 'node:timers/promises';
import type {JsonObject} from '../../interface/json.ts';
import type {Resource} from '../../interface/records.ts';
import {openLastSeenOf, type LastSeen} from '../../settings/last-seen.ts';
import {peekSettings} from '../../settings/settings.ts';
import type {RemoteTarget, Target} from '../../settings/target.ts';

/** A person waits for the answer to Tab. */
const lookMilliseconds = 300;

/** For this long the last answer is used. */
const keptMilliseconds = 10 * 60_000;

/**
Returns the records of a list for completion: as they were seen last or, if that was long ago or never, by one quick request. Reports no
failure.

@returns `undefined` if nothing is known.
*/
export async function namesSeen(target: Target, resource: Resource) {
	const lastSeen = openLastSeenOf(target);
	const kept = lastSeen.load(resource);
	if ((kept !== undefined && Date.now() - kept.fetchedAt < keptMilliseconds) || !mayLook(target)) {
		return kept;
	}

	const limit = new AbortController();
	try {
		await Promise.race([look(target, resource, lastSeen, limit.signal), delay(lookMilliseconds, undefined, {signal: limit.signal})]);
	} catch {
		// An older list is better than none.
	} finally {
		limit.abort();
	}

	return lastSeen.load(resource) ?? kept;
}

/** A key of the environment may be meant for a program that runs later, and a named profile for another purpose. */
const mayLook = (target: Target): boolean =>
	target.kind === 'local' ||
	(target.profileName === peekSettings().currentProfileName() && target.keyVariable === undefined && !target.isInsecureHttp);

async function look(target: Target, resource: Resource, lastSeen: LastSeen, signal: AbortSignal): Promise<void> {
	const records = target.kind === 'local' ? await readLocal(resource) : await readRemote(target, resource, signal);
	if (records !== undefined && !signal.aborted) {
		lastSeen.save(resource, {records, fetchedAt: Date.now()});
	}
}

/** Returns the records of this machine's home, read without a service. None is created; a home of another version is left as it is. */
async function readLocal(resource: Resource): Promise<readonly JsonObject[] | undefined> {
	const [{defaultDataFolder, hasDatabase}, {openStore}, {defaultAccount}] = await Promise.all([
		import('../../service/data-folder.ts'),
		import('../../service/store/open-store.ts'),
		import('../../service/callers.ts'),
	]);
	if (!hasDatabase(defaultDataFolder())) {
		return undefined;
	}

	const store = await openStore(defaultDataFolder());
	try {
		const account = await store.accounts.find(defaultAccount);
		return account && (await store[resource].list(account.id)).records;
	} finally {
		await store.close();
	}
}

async function readRemote({baseAddress, apiKey}: RemoteTarget, resource: Resource, signal: AbortSignal): Promise<readonly JsonObject[]> {
	const {createClient} = await import('../../client/client.ts');
	const client = createClient({baseAddress, apiKey, isReadOnly: true, signal, retries: {reads: 0, writes: 0}});
	const {records} = await client.list(resource);
	return records.map(({raw}) => raw);
}
