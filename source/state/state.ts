import {type Category} from '../interface/categories.ts';

/** Where something stands in the state file, counted from 1. */
export type Place = {
	readonly line: number;
	readonly column: number;
};

/** What the state file says of one installed ability. What is `undefined` is left alone. */
export type InstalledEntry = {
	readonly name: string;
	readonly place: Place;
	readonly isEnabled: boolean | undefined;
	readonly triggerPhrases: readonly string[] | undefined;
};

/** What the state file says of one ability. Everything but the source counts only when the ability is created. */
export type AbilityEntry = {
	readonly name: string;
	readonly place: Place;
	/** Its folder or zip as the file names it. */
	readonly source: string;
	/** The same as an absolute path. */
	readonly sourcePath: string;
	readonly sourcePlace: Place;
	readonly category: Category | undefined;
	readonly description: string | undefined;
	readonly triggerPhrases: readonly string[] | undefined;
};

export type NamedPlace = {
	readonly name: string;
	readonly place: Place;
};

/** What the state file says of one agent. What is `undefined` is left alone. */
export type AgentEntry = {
	/** Its present name. */
	readonly key: string;
	readonly place: Place;
	/** Its name from now on. */
	readonly name: string | undefined;
	readonly prompt: string | undefined;
	/** The abilities that it has, by name. */
	readonly abilities: readonly NamedPlace[] | undefined;
};

/** A state file, checked on its own: whether its names exist is not known yet. */
export type State = {
	/** Names the file in messages. */
	readonly label: string;
	readonly installed: readonly InstalledEntry[];
	readonly abilities: readonly AbilityEntry[];
	readonly agents: readonly AgentEntry[];
};
