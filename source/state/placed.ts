import {type Place} from './state.ts';

export type PlacedEntry = {
	readonly key: string;
	readonly keyPlace: Place;
	readonly value: PlacedValue;
};

/** A mapping whose entries stand as they were written: a key may be there twice. */
export type PlacedMapping = {
	readonly kind: 'mapping';
	readonly place: Place;
	readonly entries: readonly PlacedEntry[];
};

export type PlacedList = {
	readonly kind: 'list';
	readonly place: Place;
	readonly items: readonly PlacedValue[];
};

type PlacedScalar = {
	readonly kind: 'scalar';
	readonly place: Place;
	readonly value: string | number | boolean | null;
};

/** A value that is a problem of its own, and that nothing else is to be said of. */
type UnreadValue = {
	readonly kind: 'unread';
	readonly place: Place;
};

/** A value of a state file that knows where it stands. */
export type PlacedValue = PlacedMapping | PlacedList | PlacedScalar | UnreadValue;
