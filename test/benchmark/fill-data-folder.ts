import {Buffer} from 'node:buffer';
import {defaultAccount} from '../../source/service/callers.ts';
import {openStore} from '../../source/service/store/open-store.ts';

/** Gives the bundled service so many installed abilities. */
export async function fillDataFolder(folder: string, count: number): Promise<void> {
	const store = await openStore(folder);
	await store.accounts.fill(defaultAccount, {
		abilities: Array.from({length: count}, (_, index) => ({
			name: `ability${String(index + 1).padStart(6, '0')}`,
			category: 'skill',
			description: 'One of many.',
			triggerPhrases: [`number ${index + 1}`],
			files: [{path: 'main.py', bytes: Buffer.from('# one of many\n')}],
			installedAs: index % 3 === 0,
			changedAt: new Date('2026-01-02T03:04:05Z'),
		})),
		agents: [],
	});
	await store.close();
}
