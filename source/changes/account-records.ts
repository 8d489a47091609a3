import type {AccountRecords} from '../settings/settings.ts';
import {openLog} from './log.ts';

/** Opens the records of accounts, for the settings: it follows their profiles. */
export function openAccountRecords(stateFolder?: string): AccountRecords {
	const open = (account: string) => openLog(account, {stateFolder});
	return {
		prompts: account => open(account).list(),
		async copyPrompts(account, other) {
			const prompts = open(account).list();
			if (prompts.length > 0) {
				await open(other).takeOver(prompts);
			}
		},
		remove: async account => open(account).remove(),
		rename: async (account, newAccount) => open(account).moveTo(newAccount),
	};
}
