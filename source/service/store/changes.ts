import {type PackageFile} from '../../interface/ability-package/write-zip.ts';

/* What the verbs of the store can write. */

export type NewAbility = {
	readonly name: string;
	readonly category: string;
	readonly description: string;
	readonly triggerPhrases: readonly string[];
	/** Paths are relative to the ability's folder. */
	readonly files: readonly PackageFile[];
	/** Whether it is enabled; `undefined` if it is not to be installed. */
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
	/** The names of the abilities tied to it. */
	readonly abilities: readonly string[];
};

/** The content for an empty account. */
export type AccountContent = {
	readonly abilities: readonly NewAbility[];
	/** The first replaces the agent that came with the account. */
	readonly agents: readonly NewAgent[];
};

/** A change of an agent; `undefined` leaves a field as it is. */
export type AgentChanges = {
	readonly name?: string | undefined;
	readonly description?: string | undefined;
	/** All abilities to tie to the agent, instead of those tied to it now. */
	readonly abilityIds?: readonly number[] | undefined;
};

/** A change of an installed ability; `undefined` leaves a field as it is. */
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
