import {cleanText} from './clean-text.ts';
import {isJsonObject, type JsonObject, type JsonValue} from './json.ts';

/*
Timers: a record is switched at a time. The bundled service keeps them (`GET /timers`, `PUT` and `DELETE /timers/{installed_cap_id}/`), and
shows each in its record as `timer`; for other services a program on this machine keeps them.
*/

export const minimumTimerSeconds = 1;

export const maximumTimerSeconds = 366 * 24 * 60 * 60;

export const maximumNoteCharacters = 100;

/** Why a timer was not done: it was `late`, its `key` may no longer switch, or the machine that keeps it `failed` to. */
const overdueReasons = ['late', 'key', 'failed'] as const;

export type OverdueReason = (typeof overdueReasons)[number];

/** Why a timer was not done, in words. */
export const overdueWords: Readonly<Record<OverdueReason, string>> = {
	late: 'nothing ran at its time',
	key: 'its key may no longer switch',
	failed: 'the service could not be reached',
};

export type Timer = {
	/** The state to come. */
	readonly enabled: boolean;
	/** ISO 8601, in UTC. */
	readonly at: string;
	/** The person, or the name of the key, that set it. */
	readonly by: string;
	/** Empty where there is none. */
	readonly note: string;
	/** `undefined` while it is still to come. */
	readonly overdue: OverdueReason | undefined;
};

/** A time in ISO 8601, or a number of seconds after the service has the request. */
export type TimerTime = {readonly at: string} | {readonly for: number};

/** A timer to set. */
export type TimerWish = {readonly enabled: boolean; readonly note: string} & TimerTime;

/** Returns a timer from a record, cleaned for the screen; `undefined` if there is none. */
export function decodeTimer(value: JsonValue | undefined): Timer | undefined {
	if (!isJsonObject(value)) {
		return undefined;
	}

	const {enabled, at, by, note, overdue} = value;
	return typeof enabled === 'boolean' && typeof at === 'string' && !Number.isNaN(Date.parse(at))
		? {
				enabled,
				at: new Date(at).toISOString(),
				by: cleanText(typeof by === 'string' ? by : '', 60),
				note: cleanText(typeof note === 'string' ? note : '', maximumNoteCharacters),
				overdue: overdueReasons.find(reason => reason === overdue),
			}
		: undefined;
}

/** Returns a timer as the history and the log have it: what it does, not who set it. */
export function timerValue(timer: Pick<Timer, 'enabled' | 'at' | 'note'> | undefined): JsonObject | null {
	return timer === undefined ? null : {enabled: timer.enabled, at: timer.at, note: timer.note};
}

/** Returns a timer whose time is still to come, to be set again. */
export function aheadOf(timer: Omit<Timer, 'by'> | undefined): TimerWish | undefined {
	return timer === undefined || timer.overdue !== undefined || Date.parse(timer.at) <= Date.now()
		? undefined
		: {enabled: timer.enabled, at: timer.at, note: timer.note};
}
