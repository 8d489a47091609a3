import {openSettings} from '../../../source/settings/settings.ts';
import {startService} from '../../../source/service/service.ts';
import {temporaryDataFolder, temporaryFolders, type Folders} from '../../helpers/temporary-folder.ts';
import {createRemoteClient} from './remote-client.ts';

/** The settings of whoever lets others in, with a profile for each of these addresses. */
export async function createServerFolders(
	profiles: ReadonlyArray<{readonly name: string; readonly baseAddress: string; readonly apiKey: string | undefined}>,
): Promise<Folders> {
	const folders = temporaryFolders();
	const settings = await openSettings(folders);
	for (const profile of profiles) {
		await settings.saveProfile(profile);
	}

	return folders;
}

/** A test, or the runner of a whole file. */
export type Runner = {after(work: () => Promise<void>): void};

/** For each name the bundled service with a sample home of its own, and the profile of that name for it. */
export async function startServers(t: Runner, ...names: readonly string[]) {
	const profiles = await Promise.all(
		names.map(async name => {
			const apiKey = `key-of-${name}-0123456789`;
			const service = await startService({location: temporaryDataFolder(), ephemeralKey: apiKey, isSampleWanted: true});
			t.after(async () => service.close());
			return {name, baseAddress: service.baseAddress, apiKey};
		}),
	);
	const folders = await createServerFolders(profiles);
	return {profiles, folders, connect: (options?: Parameters<typeof createRemoteClient>[1]) => createRemoteClient(folders, options)};
}
