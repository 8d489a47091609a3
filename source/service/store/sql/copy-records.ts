import {createHash} from 'node:crypto';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {SwitchboardError} from '../../../interface/errors.ts';
import {type Home} from './home.ts';
import {
	copiedTables,
	type CopiedTable,
	insertRows,
	readRows,
	type Row,
} from './copied-tables.ts';
import {type Database} from './tables.ts';

/** The rows of each table. */
export type CopyCounts = Readonly<Record<string, number>>;

export type CopyOptions = {
	/** Ends it, and undoes what is done. */
	readonly signal: AbortSignal;
	/** Told what is done with a table, and how many of its rows are done. */
	readonly onProgress: (doing: 'copying' | 'comparing', table: string, count: number) => void;
};

type TableSum = {readonly count: number; readonly checksum: string};

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Counts rows and adds up what is in them, in their order. */
const createSum = ({columns}: CopiedTable) => {
	const hash = createHash('sha256');
	let count = 0;
	return {
		add(rows: readonly Row[]) {
			for (const row of rows) {
				const values = columns.map(column => {
					const value = row[column];
					return value instanceof Uint8Array ? {hash: hashOf(value)} : value;
				});
				hash.update(`${JSON.stringify(values)}\n`);
			}

			count += rows.length;
			return count;
		},
		end: (): TableSum => ({count, checksum: hash.digest('hex')}),
	};
};

type Sums = ReadonlyMap<string, TableSum>;

/** Goes through all rows of all tables, and does something with them. */
const goThrough = async (
	database: Database,
	doing: Parameters<CopyOptions['onProgress']>[0],
	{signal, onProgress}: CopyOptions,
	work: (table: CopiedTable, rows: readonly Row[]) => Promise<void> = async () => undefined,
): Promise<Sums> => {
	const sums = new Map<string, TableSum>();
	for (const table of copiedTables) {
		const sum = createSum(table);
		for await (const rows of readRows(database, table)) {
			signal.throwIfAborted();
			await work(table, rows);
			onProgress(doing, table.name, sum.add(rows));
			// A signal has its turn.
			await nextTurn();
		}

		sums.set(table.name, sum.end());
	}

	return sums;
};

const refuseFilled = async (database: Database): Promise<void> => {
	for (const table of copiedTables) {
		const first = await readRows(database, table).next();
		if (first.done !== true) {
			throw new SwitchboardError('conflict', 'The target is not empty. Nothing was copied.', {nextStep: 'Name a new folder, or a new database.'});
		}
	}
};

const refuseDifference = (source: Sums, target: Sums): void => {
	for (const [name, {count, checksum}] of source) {
		const copied = target.get(name);
		if (copied?.count !== count || copied.checksum !== checksum) {
			throw new SwitchboardError('unexpected', `The copy of the table ${name} differs from the original, so nothing was kept of the copy.`, {
				nextStep: 'Check both: switchboard check',
			});
		}
	}
};

const countsOf = (sums: Sums): CopyCounts => Object.fromEntries([...sums].map(([name, {count}]) => [name, count]));

/** The rows that a copy would copy. */
export const countRecords = async (source: Home, options: CopyOptions): Promise<CopyCounts> =>
	countsOf(await source.read(async database => goThrough(database, 'copying', options)));

/** @throws SwitchboardError `conflict` if there is anything in it. */
export const refuseFilledHome = async (home: Home): Promise<void> => home.read(refuseFilled);

const copyInto = async (source: Database, target: Database, options: CopyOptions): Promise<Sums> => {
	await refuseFilled(target);
	const sums = await goThrough(source, 'copying', options, async (table, rows) => insertRows(target, table, rows));
	refuseDifference(sums, await goThrough(target, 'comparing', options));
	return sums;
};

/**
Copies one state of the source into the target, where triggers count and give versions anew, as one atomic unit; then reads it back
and compares it.

@throws SwitchboardError `conflict` if the target is not empty, `unexpected` if the copy differs; then nothing is kept of it.
*/
export const copyRecords = async (source: Home, target: Home, options: CopyOptions): Promise<CopyCounts> => {
	let copied: Sums | undefined;
	return source.read(async from => {
		// If the source is lost after the last row, it is not needed any more.
		copied ??= await target.write(async to => {
			const sums = await copyInto(from, to, options);
			await target.raiseLastIds(to, await source.readLastIds(from));
			return sums;
		});
		return countsOf(copied);
	});
};
