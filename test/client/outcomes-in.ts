import {spawn} from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {type TransportOptions} from '../../source/client/client.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';

export type Outcome = {
	readonly result?: unknown;
	readonly kind?: string;
	readonly isOutcomeUnknown?: boolean;
	readonly told?: string;
};

/**
What a read and a write come to in a process with these variables and no other of ours.

@param warmUpAddress - of a service that is read first: what a process does only once then takes nothing of a short limit.
*/
export const outcomesIn = async (
	variables: Readonly<Record<string, string>>,
	options: Partial<TransportOptions> & {readonly baseAddress: string},
	warmUpAddress?: string,
): Promise<{readonly read: Outcome; readonly write: Outcome}> => {
	const home = createIsolatedHome();
	const child = spawn(
		process.execPath,
		[
			'--import',
			import.meta.resolve('tsx'),
			path.join(import.meta.dirname, 'client-child.ts'),
			JSON.stringify({timeoutMilliseconds: 20_000, apiKey: 'child-key-0123456789', ...options}),
			...warmUpAddress === undefined ? [] : [warmUpAddress],
		],
		{env: {...home.env, ...variables}, stdio: ['ignore', 'pipe', 'inherit']},
	);
	return JSON.parse(await text(child.stdout)) as {read: Outcome; write: Outcome};
};
