import {type TObject, Type} from 'typebox';
import {foldName} from '../../interface/fold-name.ts';
import {commonOutput} from './results.ts';

const [defaultLimit, maximumLimit] = [50, 200];

/** A page ends before it grows beyond this, whatever its limit: a record may have a thousand trigger phrases. */
const maximumCharacters = 50_000;

export const pageInput = {
	limit: Type.Optional(Type.Integer({
		minimum: 1, maximum: maximumLimit, default: defaultLimit, description: 'The maximum number of records to return; a page of long records has fewer.',
	})),
	offset: Type.Optional(Type.Integer({minimum: 0, default: 0, description: 'How many records to skip: the next_offset of the previous page.'})),
};

/** The output of a list. */
export const pageOf = <Row extends TObject>(row: Row) => Type.Object({
	total: Type.Integer({description: 'How many records match the filters, on all pages together.'}),
	next_offset: Type.Unsafe<number | null>({type: ['integer', 'null'], description: 'The offset of the next page; null on the last page.'}),
	records: Type.Array(row),
	...commonOutput,
});

/** Cuts a page from the records. */
export const cutPage = <Record_, Row>(records: readonly Record_[], {limit = defaultLimit, offset = 0}: {readonly limit?: number; readonly offset?: number}, toRow: (record: Record_) => Row) => {
	const rows: Row[] = [];
	let length = 0;
	for (const record of records.slice(offset, offset + limit)) {
		const row = toRow(record);
		length += JSON.stringify(row).length;
		if (length > maximumCharacters && rows.length > 0) {
			break;
		}

		rows.push(row);
	}

	const end = offset + rows.length;
	return {total: records.length, next_offset: end < records.length ? end : null, records: rows};
};

export const searchInput = Type.Optional(Type.String({maxLength: 200, description: 'Only records whose name or a trigger phrase contains this, in any case.'}));

/** True if the record has the text in its name or a trigger phrase. */
export const isFound = ({name, triggerPhrases = []}: {readonly name: string; readonly triggerPhrases?: readonly string[]}, text: string | undefined): boolean =>
	text === undefined || [name, ...triggerPhrases].some(each => foldName(each).includes(foldName(text)));
