type Handlers<Record_, Change> = {
	readonly changed: (before: Record_, after: Record_) => readonly Change[];
	readonly added: (record: Record_) => readonly Change[];
	readonly gone: (record: Record_) => readonly Change[];
};

/**
What changed between two lists of records, in the order of the second; what is gone comes last. A record that is the same object in
both is unchanged, and not looked at: most are.
*/
export const compareRecords = <Record_ extends {readonly id: number}, Change>(
	before: Iterable<Record_>,
	after: Iterable<Record_>,
	{changed, added, gone}: Handlers<Record_, Change>,
): readonly Change[] => {
	const left = new Map<number, Record_>();
	for (const record of before) {
		left.set(record.id, record);
	}

	const changes: Change[] = [];
	for (const record of after) {
		const known = left.get(record.id);
		left.delete(record.id);
		if (known === undefined) {
			changes.push(...added(record));
		} else if (known !== record) {
			changes.push(...changed(known, record));
		}
	}

	return [...changes, ...[...left.values()].flatMap(record => gone(record))];
};
