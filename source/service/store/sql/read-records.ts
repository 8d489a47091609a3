import {setImmediate} from 'node:timers/promises';

/** What is read at once: about a millisecond's work. */
const recordsAtOnce = 500;

/**
The records of a query. They are read row by row: all rows at once would take more memory than the records. Between steps others
go on.
*/
export const readRecords = async <Row, Record_>(query: {stream(): AsyncIterable<Row>}, toRecord: (row: Row) => Record_): Promise<Record_[]> => {
	const records: Record_[] = [];
	for await (const row of query.stream()) {
		records.push(toRecord(row));
		if (records.length % recordsAtOnce === 0) {
			await setImmediate();
		}
	}

	return records;
};
