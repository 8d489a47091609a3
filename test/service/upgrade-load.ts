import {assert, delay} from '../helpers/node.ts';
import {earlierHome} from '../helpers/earlier-homes.ts';
import {waitUntil} from '../helpers/wait-until.ts';
import {paths, type JsonRecord} from './running-service.ts';
import {fieldsOf} from './kit.ts';

const headers = {'x-api-key': earlierHome.key};

type Client = {
	readonly record: JsonRecord;
	/** The state after the last change that was acknowledged; `undefined` if nobody knows whether the last one was stored. */
	isEnabled: boolean | undefined;
	acknowledged: number;
	refused: number;
};

/** The installed abilities of an earlier home (`earlier-homes.ts`). */
export async function readInstalled(address: string): Promise<readonly JsonRecord[]> {
	return (await fetch(address + paths.installed, {headers})).json() as Promise<readonly JsonRecord[]>;
}

/**
Four clients that each switch an installed ability over and over until the signal, and keep what they were told.

@param upstreams - where they send their requests in turn, as a proxy would: to all addresses that are ready.
*/
export async function startLoad(upstreams: {addresses: readonly string[]}, signal: AbortSignal) {
	const installed = await readInstalled(upstreams.addresses[0]!);
	const clients = installed
		.slice(0, 4)
		.map((record): Client => ({record, isEnabled: record['enabled'] === true, acknowledged: 0, refused: 0}));

	const switchOver = async (client: Client): Promise<void> => {
		let next = client.isEnabled !== true;
		for (let count = 0; !signal.aborted; count++) {
			// Leaves the programs that start meanwhile some of the machine.
			await delay(20);
			const address = upstreams.addresses[count % upstreams.addresses.length]!;
			try {
				const answer = await fetch(address + paths.editInstalled(client.record['id']), {
					method: 'PUT',
					headers: {...headers, 'content-type': 'application/json'},
					body: JSON.stringify({enabled: next}),
					signal: AbortSignal.timeout(20_000),
				});
				const body = (await answer.json()) as JsonRecord;
				if (answer.status === 200) {
					client.isEnabled = next;
					client.acknowledged++;
					next = !next;
				} else {
					assert.deepEqual([answer.status, body['code']], [503, 'nothing-changed'], JSON.stringify(body));
					client.refused++;
				}
			} catch (error) {
				if (error instanceof assert.AssertionError) {
					throw error;
				}

				// No answer: it may have been stored. The same again settles it.
				client.isEnabled = undefined;
				await delay(5);
			}
		}
	};

	const running = Promise.all(clients.map(async client => switchOver(client)));
	return {
		clients,
		running,
		/** Waits until each client had that many more of its changes acknowledged. */
		async progress(more: number): Promise<void> {
			const before = clients.map(({acknowledged}) => acknowledged);
			await Promise.race([running, waitUntil(() => clients.every(({acknowledged}, index) => acknowledged >= before[index]! + more))]);
		},
		/** Compares the home with what the clients were told; they have ended. */
		async compare(address: string): Promise<void> {
			const after = await readInstalled(address);
			for (const {record, isEnabled} of clients) {
				if (isEnabled !== undefined) {
					assert.equal(after.find(({id}) => id === record['id'])?.['enabled'], isEnabled, String(record['name']));
				}
			}

			assert.deepEqual(fieldsOf(after, 'name'), fieldsOf(installed, 'name'));
		},
	};
}
