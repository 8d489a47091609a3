import {type ClientBase} from 'pg';
import {SwitchboardError} from '../../../interface/errors.ts';
import {withoutPassword} from '../../../platform/database-url.ts';
import {unreachable} from '../store-errors.ts';
import {connectAlone, type Pg} from './connect.ts';
import {isAway, toStoreError} from './failures.ts';
import {poolerMilliseconds, refuseSharedSessions} from './pooler.ts';
import {retry} from './retry.ts';

/**
Work on a connection of its own. Waits for a database that is just starting, so the work may begin again.

@throws SwitchboardError if it cannot be reached or used.
*/
export const withConnection = async <Result>(pg: Pg, url: string, work: (client: ClientBase) => Promise<Result>): Promise<Result> => {
	const shown = withoutPassword(url);
	try {
		return await retry(async () => {
			const client = await connectAlone(pg, url);
			try {
				await refuseSharedSessions(client, async () => connectAlone(pg, url, {query_timeout: poolerMilliseconds}), shown);
				return await work(client);
			} finally {
				await client.end();
			}
		}, isAway);
	} catch (error) {
		const known = toStoreError(error, shown);
		throw known instanceof SwitchboardError ? known : unreachable(shown, error);
	}
};
