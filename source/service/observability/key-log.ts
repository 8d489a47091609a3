import {cleanText} from '../../interface/clean-text.ts';
import {type Report} from '../http/error-log.ts';
import {type Accounts, type StoredKey} from '../store/store.ts';

const intervalMilliseconds = 2000;

const byId = (keys: readonly StoredKey[]): ReadonlyMap<number, StoredKey> => new Map(keys.map(key => [key.id, key]));

const describe = ({id, name, account}: StoredKey, verb: string): string =>
	`Key ${id} was ${verb}: ${JSON.stringify(cleanText(name))} of the account ${JSON.stringify(cleanText(account))}.`;

/**
Tells of each key that is created or revoked from now on. Other processes do that, which share nothing with this one but the database; a
key that is revoked within two seconds is told of by nobody.

@param known - the keys that are there already.
@returns the timer, to be cleared at the end.
*/
export const logKeyChanges = ({listKeys}: Pick<Accounts, 'listKeys'>, known: readonly StoredKey[], tell: Report): NodeJS.Timeout => {
	let before = byId(known);
	let isLooking = false;
	const look = async (): Promise<void> => {
		if (isLooking) {
			return;
		}

		isLooking = true;
		try {
			const now = byId(await listKeys());
			const changes = [
				...[...now.values()].filter(({id}) => !before.has(id)).map(key => describe(key, 'created')),
				...[...before.values()].filter(({id}) => !now.has(id)).map(key => describe(key, 'revoked')),
			];
			before = now;
			for (const change of changes) {
				tell(change);
			}
		} catch {
			// While the database is away, nothing changes. It is looked at again.
		} finally {
			isLooking = false;
		}
	};

	return setInterval(() => {
		void look();
	}, intervalMilliseconds).unref();
};
