import {openStore} from '../../../source/service/store/open-store.ts';
import {hashKey} from '../../../source/service/callers.ts';
import {fillDataFolder} from '../fill-data-folder.ts';

export const installedCount = 10_000;
export const agentCount = 50;

/** A key of the account with all the installed abilities, and one of the account with all the agents. */
export const keys = {installed: 'sb_benchmark_installed', agents: 'sb_benchmark_agents'} as const;

const prompt = 'You are the voice of this home. You speak briefly and kindly, as to people who have their hands full.\n'.repeat(5);

/** Fills a new data folder, or an empty database, for the benchmark. */
export async function fillHome(location: string): Promise<void> {
	await fillDataFolder(location, installedCount);
	const store = await openStore(location);
	await store.accounts.fill('agents', {
		abilities: [],
		agents: Array.from({length: agentCount}, (_, index) => ({name: `Agent ${index + 1}`, description: prompt, image: null, abilities: []})),
	});
	await store.accounts.addKey('default', hashKey(keys.installed), () => 'benchmark');
	await store.accounts.addKey('agents', hashKey(keys.agents), () => 'benchmark');
	await store.close();
}
