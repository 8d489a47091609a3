import {setTimeout as delay} from 'node:timers/promises';
import {createClient, type Client} from '../../../../source/client/client.ts';
import {type RunningServe, startServe} from '../../../end-to-end/start-serve.ts';
import {createIsolatedHome} from '../../../helpers/isolated-home.ts';
import {waitUntil} from '../../../helpers/wait-until.ts';
import type {Random} from '../../targets.ts';

/** So many processes of the built program on one database. */
export async function startProcesses(random: Random, count: number, location: string, apiKey: string) {
	const home = createIsolatedHome();
	const served = {...home, env: {...home.env, SWITCHBOARD_DATABASE_URL: location}};
	const running = new Map<RunningServe, Client>();
	const exitCodes: Array<number | null> = [];
	const starting = new Set<Promise<void>>();

	const start = async (): Promise<void> => {
		// While the database is down it does not start.
		for (let tries = 0; ; tries++) {
			try {
				const serve = await startServe(served, ['--port', '0', '--rate-limit', 'off']);
				running.set(serve, createClient({baseAddress: serve.baseAddress, apiKey, retries: {reads: 0, writes: 0}}));
				return;
			} catch (error) {
				if (tries === 5) {
					throw error;
				}
			}
		}
	};

	const allRunning = async (): Promise<void> => {
		while (starting.size > 0) {
			await Promise.all(starting);
		}
	};

	await Promise.all(Array.from({length: count}, start));
	return {
		exitCodes,
		/** A client of one of those that run, another one each time. */
		async pick() {
			await waitUntil(() => running.size > 0);
			return [...running.values()][random(running.size)]!;
		},
		addresses: () => [...running.keys()].map(({baseAddress}) => baseAddress),
		/** Kills one, or asks it to end, and starts it again. Resolves once it is gone. */
		async end(signal: 'SIGKILL' | 'SIGTERM') {
			if (running.size === 0) {
				await delay(10);
				return;
			}

			const victim = [...running.keys()][random(running.size)]!;
			running.delete(victim);
			if (signal === 'SIGKILL') {
				victim.kill();
				await victim.exited;
			} else {
				await victim[Symbol.asyncDispose]();
				exitCodes.push(await victim.exited);
			}

			const started = start();
			starting.add(started);
			void (async () => {
				try {
					await started;
				} finally {
					starting.delete(started);
				}
			})().catch(() => undefined);
		},
		allRunning,
		async [Symbol.asyncDispose]() {
			await Promise.allSettled(starting);
			for (const serve of running.keys()) {
				serve.kill();
				await serve.exited;
			}
		},
	};
}

export type Processes = Awaited<ReturnType<typeof startProcesses>>;
