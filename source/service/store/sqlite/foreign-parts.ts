import {type DatabaseSync} from 'node:sqlite';
import {cleanText} from '../../../interface/clean-text.ts';
import {SwitchboardError} from '../../../interface/errors.ts';
import {migrations} from './migrations.ts';

/** However SQLite writes the words before the name. */
const normalize = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim();

const ownTriggers = (): ReadonlySet<string> =>
	new Set(migrations.flatMap(step => step.match(/\bcreate trigger .+?\bend(?=;)/gs) ?? []).map(text => normalize(text)));

/**
A trigger or a view that somebody else put into the file would run with the next change, or stand in for a table.

@throws SwitchboardError `unexpected`
*/
export const refuseForeignParts = (database: DatabaseSync, file: string): void => {
	const own = ownTriggers();
	for (const {type, name, sql} of database.prepare('select type, name, sql from sqlite_schema where type in (\'trigger\', \'view\')').iterate()) {
		if (!own.has(normalize(String(sql)))) {
			throw new SwitchboardError('unexpected', `The database ${file} holds a ${String(type)} that Switchboard did not make, “${cleanText(String(name), 60)}”.`, {
				nextStep: 'Restore it from a backup of your own.',
			});
		}
	}
};
