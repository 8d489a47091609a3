import {type PackageFile} from '../../interface/ability-package/write-zip.ts';

/* What the verbs of the store are given to write. */

export type NewAbility = {
	readonly name: string;
	readonly category: string;
	readonly description: string;
	readonly triggerPhrases: readonly string[];
	/** Paths are relative to the ability's folder. */
	readonly files: readonly PackageFile[];
	/** Whether it is enabled; `undefined` leaves it not installed. */
	readonly installedAs: boolean | undefined;
	readonly changedAt: Date;
	readonly image?: {readonly name: string; readonly bytes: Uint8Array} | undefined;
};

export type NewAgent = {
	readonly name: string;
	/** Its prompt. */
	readonly description: string;
	/** A data URI. */
	readonly image: string | null;
	/** The names of the abilities that it is tied to. */
	readonly abilities: readonly string[];
};

/** What fills an empty account. */
export type Home = {
	readonly abilities: readonly NewAbility[];
	/** The first takes the place of the agent that came with the account. */
	readonly agents: readonly NewAgent[];
};

/** What may be changed of an agent; `undefined` leaves a field as it is. */
export type AgentChanges = {
	readonly name?: string | undefined;
	readonly description?: string | undefined;
	/** All abilities that the agent is tied to from now on. */
	readonly abilityIds?: readonly number[] | undefined;
};

/** What may be changed of an installed ability; `undefined` leaves a field as it is. */
export type InstalledChanges = {
	readonly enabled: boolean;
	readonly trigger_words?: readonly string[] | undefined;
	readonly system_capability?: boolean | undefined;
	readonly agent_capability?: boolean | undefined;
};

export type NewCode = {
	/** False for a draft, which the next code replaces. */
	readonly isCommitted: boolean;
	readonly commitMessage: string;
	readonly createdAt: Date;
	/** Paths are relative to the ability's folder. */
	readonly files: readonly PackageFile[];
};
