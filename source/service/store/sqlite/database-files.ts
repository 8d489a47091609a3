import {statSync} from 'node:fs';
import {databaseFiles} from '../../data-folder.ts';
import {damaged, moved} from '../store-errors.ts';

const isEmptied = (file: string): boolean => statSync(file, {throwIfNoEntry: false})?.size === 0;

/** Names the file itself rather than its path; `undefined` if there is none. */
const identityOf = (file: string): string | undefined => {
	const found = statSync(file, {throwIfNoEntry: false});
	return found === undefined ? undefined : `${found.dev} ${found.ino}`;
};

/**
Remembers the files of an open database. SQLite would go on with a file that has no name any more: what it stores there is
gone when the process ends, and what it stores beside an emptied database belongs to none.

@returns a function that throws a `StoreFailure` if one of them was deleted or replaced since, or the database emptied.
*/
export const guardDatabaseFiles = (file: string): () => void => {
	const opened = databaseFiles(file).map(each => ({each, identity: identityOf(each)})).filter(({identity}) => identity !== undefined);
	return () => {
		for (const {each, identity} of opened) {
			if (identityOf(each) !== identity) {
				throw moved(each);
			}
		}

		if (isEmptied(file)) {
			throw damaged(file, new Error('it was emptied while it was in use'));
		}
	};
};
