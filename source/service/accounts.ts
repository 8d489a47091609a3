import {SwitchboardError} from '../interface/errors.ts';
import {foldName} from '../interface/fold-name.ts';
import {didYouMean, nearestNames} from '../interface/nearest-word.ts';
import {openStore} from './store/open-store.ts';
import {type StoredAccount} from './store/store.ts';

const findAccount = (accounts: readonly StoredAccount[], name: string): StoredAccount => {
	const exact = accounts.find(account => account.name === name);
	const inAnyCase = accounts.filter(account => foldName(account.name) === foldName(name));
	const [found] = exact === undefined ? inAnyCase : [exact];
	if (found === undefined) {
		throw new SwitchboardError('not-found', `There is no account “${name}”.`, {
			nextStep: didYouMean(nearestNames(name, accounts.map(account => account.name))) ?? 'To see the accounts, run: switchboard accounts',
		});
	}

	if (exact === undefined && inAnyCase.length > 1) {
		throw new SwitchboardError('ambiguous', `Several accounts have that name in other cases: ${inAnyCase.map(account => account.name).join(', ')}.`, {
			nextStep: 'Write it as one of them.',
		});
	}

	return found;
};

/** What the command `accounts` can do with the accounts of a service. */
export type AccountAdministration = Awaited<ReturnType<typeof openAccounts>>;

/**
The accounts in a data folder or a PostgreSQL database, on which a service may be running.

@throws SwitchboardError if the folder or the database cannot be used.
*/
export const openAccounts = async (location: string) => {
	const {accounts, erase, close} = await openStore(location);

	return {
		/** Oldest first. */
		list: async () => accounts.list(),
		/**
		Finds an account by its name, in any case if only one has it.

		@throws SwitchboardError `not-found` or `ambiguous`.
		*/
		find: async (name: string) => findAccount(await accounts.list(), name),
		/** Removes an account with all that it holds; its keys stop working at once. */
		remove: async (id: number) => accounts.remove(id),
		/** Removes what is left of removed records in the files of the database, where the database is a file. */
		erase: async () => erase?.(),
		close,
	};
};
