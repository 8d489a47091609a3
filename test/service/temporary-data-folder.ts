import {mkdtemp, rm} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export type TemporaryDataFolder = AsyncDisposable & {
	/** Not there yet: the service makes it. */
	readonly folder: string;
};

/** A place for a data folder that is removed in the end. */
export const createDataFolder = async (): Promise<TemporaryDataFolder> => {
	const parent = await mkdtemp(path.join(os.tmpdir(), 'switchboard-service-'));
	return {
		folder: path.join(parent, 'data'),
		async [Symbol.asyncDispose]() {
			await rm(parent, {recursive: true, force: true});
		},
	};
};
