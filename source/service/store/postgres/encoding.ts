import type {ClientBase} from 'pg';
import {SwitchboardError} from '../../../interface/errors.ts';
import {type Finding, note, problem} from '../sql/check-records.ts';

/*
The encoding of a database. Only UTF8 has all characters that people write: in any other one a prompt with „ fails when it is stored. SQL_ASCII
stores bytes as they come and checks none of them, which holds as long as nobody else writes there.
*/

const newDatabase = 'createdb -T template0 -E UTF8 -l C NAME';

const bytesOnly = 'SQL_ASCII';

const describe = (encoding: string): string =>
	`has the encoding ${encoding}, ${encoding === bytesOnly ? 'which checks no text' : 'which does not have all characters'}`;

const copyIt = `Copy it to a new one in UTF8, with their URLs, then use that one: ${newDatabase}; switchboard copy --from URL --to URL`;

/** Returns the encoding where it is not UTF8. */
export async function findOddEncoding(client: ClientBase): Promise<string | undefined> {
	const {rows} = await client.query<{readonly encoding: string}>(
		'select pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()',
	);
	const encoding = rows[0]?.encoding;
	return encoding === 'UTF8' ? undefined : encoding;
}

/**
Refuses to create tables anywhere but in UTF8.

@throws SwitchboardError `refused`
*/
export async function refuseNewIn(client: ClientBase, shown: string): Promise<void> {
	const encoding = await findOddEncoding(client);
	if (encoding !== undefined) {
		throw new SwitchboardError('refused', `The database ${shown} ${describe(encoding)}, so no tables are made in it.`, {
			nextStep: `Make one in UTF8: ${newDatabase}`,
		});
	}
}

/**
Refuses to change a database of ours that cannot hold every text.

@param isCurrent - false for a database of another version, which cannot be copied.
@throws SwitchboardError `refused`
*/
export async function refuseChangesIn(client: ClientBase, shown: string, isCurrent: boolean): Promise<void> {
	const encoding = await findOddEncoding(client);
	if (encoding !== undefined && encoding !== bytesOnly) {
		throw new SwitchboardError('refused', `The database ${shown} ${describe(encoding)}. It is only read.`, {
			nextStep: isCurrent
				? copyIt
				: `Move it to a new one in UTF8, with their URLs, then bring that one up to date: ${newDatabase}; pg_dump URL | psql URL`,
		});
	}
}

/**
Tells the operator of an encoding.

@param subject - of the sentence.
*/
export function describeOddEncoding(subject: string, encoding: string): string {
	return `${subject} ${describe(encoding)}. ${copyIt}`;
}

export function checkEncoding(encoding: string | undefined): readonly Finding[] {
	return encoding === undefined ? [] : [(encoding === bytesOnly ? note : problem)('encoding', describeOddEncoding('It', encoding))];
}
