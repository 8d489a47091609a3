import {type TUnsafe, Type} from 'typebox';

type Annotations = {readonly description?: string};

/**
A type or null, written as a list of types: the serializer then tries no alternatives one by one, and a wrong value is one
error, not two.
*/
const nullable = <Value>(type: string, keywords: object): TUnsafe<Value | null> =>
	Type.Unsafe<Value | null>({...keywords, type: [type, 'null']});

export const nullableString = (annotations: Annotations = {}): TUnsafe<string | null> => nullable('string', annotations);

export const nullableBoolean = (annotations: Annotations = {}): TUnsafe<boolean | null> => nullable('boolean', annotations);

export const nullableStrings = (maxItems: number, annotations: Annotations = {}): TUnsafe<string[] | null> =>
	nullable('array', {...annotations, items: {type: 'string'}, maxItems});

/** Every error (`LIVE-SERVICE.md`, Errors). It has a code if a client should tell it from others of its status. */
export const errorBody = Type.Object({detail: Type.String(), code: Type.Optional(Type.String())}, {title: 'Error'});

/** The answer of an operation that returns no record. */
export const doneAnswer = Type.Object({detail: Type.String()}, {title: 'Done'});

/** An identifier in a body: a number, or its digits as a string (`LIVE-SERVICE.md`, Records). */
export const identifierText = (annotations: Annotations = {}): TUnsafe<number | string> =>
	Type.Unsafe<number | string>({...annotations, type: ['integer', 'string'], pattern: String.raw`^\d+$`});

/** The bytes of a file in a form or an answer. */
export const binaryText = (annotations: Annotations = {}): TUnsafe<string> =>
	Type.Unsafe<string>({...annotations, type: 'string', format: 'binary'});
