import {type TUnsafe, Type} from 'typebox';

/*
A type or null, written as a list of types: the serializer knows it without trying alternatives one by one, and a
complaint about it is one complaint.
*/

type Annotations = {readonly description?: string};

export const nullableString = (annotations: Annotations = {}): TUnsafe<string | null> =>
	Type.Unsafe<string | null>({...annotations, type: ['string', 'null']});

export const nullableBoolean = (annotations: Annotations = {}): TUnsafe<boolean | null> =>
	Type.Unsafe<boolean | null>({...annotations, type: ['boolean', 'null']});

export const nullableStrings = (maxItems: number, annotations: Annotations = {}): TUnsafe<string[] | null> =>
	Type.Unsafe<string[] | null>({
		...annotations,
		type: ['array', 'null'],
		items: {type: 'string'},
		maxItems,
	});

/** What every refusal looks like (`LIVE-SERVICE.md`, Errors). */
/** The code is there where a client should tell one refusal from others of its status. */
export const errorBody = Type.Object({detail: Type.String(), code: Type.Optional(Type.String())}, {title: 'Error'});

/** What an operation that returns no record is answered with. */
export const doneAnswer = Type.Object({detail: Type.String()}, {title: 'Done'});

/** An identifier in a body: a number, or the same as digits (`LIVE-SERVICE.md`, Records). */
export const identifierText = (annotations: Annotations = {}): TUnsafe<number | string> =>
	Type.Unsafe<number | string>({...annotations, type: ['integer', 'string'], pattern: String.raw`^\d+$`});

/** The bytes of a file in a form or an answer. */
export const binaryText = (annotations: Annotations = {}): TUnsafe<string> =>
	Type.Unsafe<string>({...annotations, type: 'string', format: 'binary'});
