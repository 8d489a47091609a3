import {type Accounts} from '../store/store.ts';
import {readSampleHome} from './read-sample-home.ts';

/**
Fills an account with the sample home.

@returns false, with nothing changed, if the account is not empty.
@throws SwitchboardError if the files of the sample home are missing or damaged.
*/
export const addSampleHome = async (accounts: Accounts, account: string): Promise<boolean> =>
	// Most starts find a filled account, and need not read the files.
	await accounts.isEmpty(account) && accounts.fill(account, await readSampleHome());
