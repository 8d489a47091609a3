import {sql} from 'kysely';
import {type Database} from '../sql/tables.ts';
import {listNames, type ListVersions} from '../store.ts';

/** PostgreSQL's channel of the database through which processes tell each other of new versions. */
export const channel = 'switchboard';

type Notice = {readonly sender: string; readonly accountId: number; readonly versions: Partial<ListVersions>};

const writeNotice = ({sender, accountId, versions}: Notice): string => JSON.stringify([sender, accountId, ...listNames.map(list => versions[list] ?? '')]);

/** Longer than any notice. PostgreSQL passes on up to 8,000 bytes. */
const maximumLength = 400;

/** `undefined` for what is no notice: whoever may connect to the database may send anything. */
export const readNotice = (payload: string | undefined): Notice | undefined => {
	if (payload === undefined || payload.length > maximumLength) {
		return undefined;
	}

	try {
		const [sender, accountId, ...versions] = JSON.parse(payload) as unknown[];
		if (typeof sender !== 'string' || !Number.isSafeInteger(accountId) || versions.some(version => typeof version !== 'string' || !/^[\da-f]{0,64}$/i.test(version))) {
			return undefined;
		}

		const entries = listNames.map((list, index) => [list, versions[index]] as const).filter(([, version]) => version !== undefined && version !== '');
		return {sender, accountId: accountId as number, versions: Object.fromEntries(entries)};
	} catch {
		return undefined;
	}
};

const pauseMilliseconds = 50;

/**
Sends notices of new versions, together and after the writes: a notice within a transaction would let all commits wait for
each other. One that is lost is made up for by comparing (`SeenVersions`).
*/
export const createNoticeSender = (database: Database, sender: string) => {
	const waiting = new Map<number, Partial<ListVersions>>();
	let timer: NodeJS.Timeout | undefined;

	const flush = async (): Promise<void> => {
		clearTimeout(timer);
		timer = undefined;
		const payloads = [...waiting].map(([accountId, versions]) => writeNotice({sender, accountId, versions}));
		waiting.clear();
		if (payloads.length > 0) {
			try {
				await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`.execute(database);
			} catch {
				// The others compare.
			}
		}
	};

	return {
		send(accountId: number, versions: Partial<ListVersions>) {
			if (Object.keys(versions).length === 0) {
				return;
			}

			waiting.set(accountId, {...waiting.get(accountId), ...versions});
			timer ??= setTimeout(() => {
				void flush();
			}, pauseMilliseconds);
		},
		flush,
	};
};
