import {isUtf8} from 'node:buffer';
import {type DatabaseSync} from 'node:sqlite';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {cleanText} from '../../../interface/clean-text.ts';
import {formatCount} from '../../../interface/format-count.ts';
import {type Finding, maximumDescribed, problem} from '../check-result.ts';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

type TextTable = {
	readonly name: string;
	readonly columns: readonly string[];
	/** An expression that names the row. */
	readonly rowId: string;
};

/** All tables that have texts. */
const findTextTables = (database: DatabaseSync): readonly TextTable[] => {
	const tables = database.prepare('select name, wr from pragma_table_list where schema = \'main\' and type = \'table\' and name not glob \'sqlite_*\'').all();
	const readColumns = database.prepare('select name, type, pk from pragma_table_xinfo(?) order by pk');
	return tables.map(({name, wr}) => {
		const columns = readColumns.all(name!);
		const key = columns.filter(({pk}) => Number(pk) > 0).map(column => quoted(String(column['name'])));
		return {
			name: String(name),
			columns: columns.filter(({type}) => String(type).toUpperCase() === 'TEXT').map(column => String(column['name'])),
			rowId: wr === 1 ? key.join(' || \', \' || ') : 'rowid',
		};
	}).filter(({columns}) => columns.length > 0);
};

/** So many rows are read before a signal has its turn. */
const rowsAtOnce = 1000;

/** The bytes of all texts of a row at once, with a character in between that completes nothing. */
const readTexts = ({name, columns, rowId}: TextTable): string =>
	`select cast(${rowId} as text) as id, cast(${columns.map(column => `coalesce(${quoted(column)}, '')`).join(' || char(31) || ')} as blob) as texts from ${quoted(name)}`;

const isDamaged = (value: unknown): boolean => value instanceof Uint8Array && !isUtf8(value);

const findDamagedColumns = (database: DatabaseSync, {name, columns, rowId}: TextTable, id: string): readonly string[] => {
	const row = database.prepare(`select ${columns.map((column, index) => `cast(${quoted(column)} as blob) as c${index}`).join(', ')} from ${quoted(name)} where cast(${rowId} as text) = ?`).get(id);
	return columns.filter((_, index) => isDamaged(row?.[`c${index}`]));
};

/** @yields the ids of the rows of a table that have damaged texts. */
async function * findDamagedRows(database: DatabaseSync, table: TextTable, signal: AbortSignal): AsyncGenerator<string> {
	let count = 0;
	for (const {id, texts} of database.prepare(readTexts(table)).iterate()) {
		count++;
		if (count % rowsAtOnce === 0) {
			await nextTurn();
			signal.throwIfAborted();
		}

		if (isDamaged(texts)) {
			yield String(id);
		}
	}
}

const describe = (database: DatabaseSync, table: TextTable, id: string): Finding => {
	const columns = findDamagedColumns(database, table, id).map(column => cleanText(column, 60)).join(' and ');
	return problem('damage', `In the table ${cleanText(table.name, 60)}, row ${cleanText(id, 60)}, the text of ${columns} is damaged: it is not UTF-8. Restore it from a backup.`);
};

/**
Finds texts that are not valid UTF-8, which SQLite itself stores and returns as they are. Reads row by row: a single one may be as large
as the largest text.
*/
export const checkTexts = async (database: DatabaseSync, signal: AbortSignal): Promise<readonly Finding[]> => {
	const findings: Finding[] = [];
	let count = 0;
	for (const table of findTextTables(database)) {
		for await (const id of findDamagedRows(database, table, signal)) {
			count++;
			if (count <= maximumDescribed) {
				findings.push(describe(database, table, id));
			}
		}
	}

	return count > maximumDescribed ? [...findings, problem('damage', `There are ${formatCount(count - maximumDescribed)} more of the same kind.`)] : findings;
};
