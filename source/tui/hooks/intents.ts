import {type SwitchboardError} from '../../interface/errors.ts';
import {type InstalledAbility} from '../../interface/records.ts';

export type SwitchTarget = {readonly id: number; readonly isEnabled: boolean};

/** A state that a person requested for an installed ability, and the service has not confirmed yet. */
export type Intent = {
	/** The record as it was known when the change was requested. */
	readonly installed: InstalledAbility;
	readonly isWantedEnabled: boolean;
	/** False while it waits for the first list of this run or for a free request slot. */
	readonly isSent: boolean;
};

/** By the id of the record. */
export type Intents = ReadonlyMap<number, Intent>;

/** A change that failed, or whose outcome is unknown: the row shows what the service said last. */
export type ToggleFailure = {
	readonly installed: InstalledAbility;
	readonly isWantedEnabled: boolean;
	/** Its own `isOutcomeUnknown` is true if no answer came: then the change may still arrive, whatever the list shows. */
	readonly error: SwitchboardError;
	/** True if not even the list could tell whether the change was made. */
	readonly isOutcomeUnknown: boolean;
	/** True if the list shows that it is no longer installed. */
	readonly isGone?: boolean;
};

/** How an intent ended. */
export type ToggleOutcome = {
	/** The record as the service has it now. */
	readonly installed: InstalledAbility;
	readonly failure?: ToggleFailure;
};

/** The state that the screen shows: the one requested last, or the service's last one; `undefined` if the service doesn't show it. */
export const isShownEnabled = (installed: InstalledAbility, intents: Intents): boolean | undefined =>
	intents.get(installed.id)?.isWantedEnabled ?? installed.isEnabled;
