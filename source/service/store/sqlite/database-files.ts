import {statSync} from 'node:fs';
import {moved} from '../store-errors.ts';

/** Names the file itself rather than its path; `undefined` if there is none. */
const identityOf = (file: string): string | undefined => {
	const found = statSync(file, {throwIfNoEntry: false});
	return found === undefined ? undefined : `${found.dev} ${found.ino}`;
};

/** A database file and the two beside it that SQLite keeps while it is open in WAL mode. */
export const databaseFiles = (file: string): readonly [string, ...string[]] => [file, `${file}-wal`, `${file}-shm`];

/**
Remembers the files of an open database. SQLite would go on with a file that has no name any more: what it stores there is
gone when the process ends.

@returns a function that throws a `StoreFailure` if one of them was deleted or replaced since.
*/
export const guardDatabaseFiles = (file: string): () => void => {
	const opened = databaseFiles(file).map(each => ({each, identity: identityOf(each)})).filter(({identity}) => identity !== undefined);
	return () => {
		for (const {each, identity} of opened) {
			if (identityOf(each) !== identity) {
				throw moved(each);
			}
		}
	};
};
