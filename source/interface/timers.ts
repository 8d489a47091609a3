import {cleanText} from './clean-text.ts';
import {SwitchboardError} from './errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from './json.ts';

/*
Timers: a record is switched at a time. The bundled service keeps them (`GET /timers`, `PUT` and `DELETE /timers/{installed_cap_id}/`), and
shows each in its record as `timer`; for other services a program on this machine keeps them.
*/

const maximumSeconds = 366 * 24 * 60 * 60;

export const timerLimits = 'A timer takes at least 1 second and at most 366 days';

export const maximumNoteCharacters = 100;

/** Tells whether a note is too long: an emoji is one character. */
export function isNoteTooLong(note: string): boolean {
	return [...note.trim()].length > maximumNoteCharacters;
}

/** Why a timer was not done. Only a machine that keeps timers for a service tries several times. */
export const overdueWords = {late: 'nothing ran at its time', key: 'its key may no longer switch', failed: 'three tries failed'} as const;

export type OverdueReason = keyof typeof overdueWords;

const isOverdueReason = (value: JsonValue | undefined): value is OverdueReason =>
	typeof value === 'string' && Object.hasOwn(overdueWords, value);

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
				// A character may take two of the units that are counted here.
				note: cleanText(typeof note === 'string' ? note : '', 2 * maximumNoteCharacters),
				overdue: isOverdueReason(overdue) ? overdue : undefined,
			}
		: undefined;
}

/** Returns a timer as the history and the log have it: what it does, not who set it. */
export function timerValue(timer: Pick<Timer, 'enabled' | 'at' | 'note'> | undefined): JsonObject | null {
	return timer === undefined ? null : {enabled: timer.enabled, at: timer.at, note: timer.note};
}

/** The clock of the service counts the seconds of a new timer, and may differ from ours. */
const toleranceMilliseconds = 60_000;

type Compared = {
	readonly enabled?: JsonValue | undefined;
	readonly at?: JsonValue | undefined;
	readonly for?: JsonValue | undefined;
	readonly note?: JsonValue | undefined;
};

/** Tells whether two timers do the same: the state, the time and the note; one of them may still be counted in seconds. */
export function isSameTimer(first: Compared | undefined, second: Compared | undefined): boolean {
	if (first === undefined || second === undefined) {
		return first === second;
	}

	const [firstAt, secondAt] = [first, second].map(({at, for: seconds}) =>
		typeof at === 'string' ? Date.parse(at) : Date.now() + Number(seconds) * 1000,
	);
	const [firstNote, secondNote] = [first, second].map(({note}) => (typeof note === 'string' ? cleanText(note) : ''));
	return (
		first.enabled === second.enabled &&
		firstNote === secondNote &&
		(firstAt === secondAt || (first.at === undefined) !== (second.at === undefined)) &&
		Math.abs(firstAt! - secondAt!) < toleranceMilliseconds
	);
}

/** Tells whether a timer can be set that many seconds ahead. */
export function isTimerLength(seconds: number): boolean {
	return seconds >= 1 && seconds <= maximumSeconds;
}

/**
Returns the time of a timer by the clock of this machine, in ISO 8601.

@throws SwitchboardError `refused`
*/
export function timeOf(wish: TimerTime): string {
	const now = Date.now();
	const time = 'at' in wish ? Date.parse(wish.at) : now + wish.for * 1000;
	const seconds = (time - now) / 1000;
	// A time that was a second ahead when it was sent is less than that when it arrives.
	if (!isTimerLength('at' in wish && seconds > 0 ? Math.max(1, seconds) : seconds)) {
		throw new SwitchboardError('refused', `${timerLimits}; the clock that counts them says ${new Date(now).toISOString()}.`, {
			field: 'at' in wish ? 'at' : 'for',
		});
	}

	return new Date(time).toISOString();
}

/**
Decides about a timer for a record.

@param enabled - the state to come.
@param isSwitching - true if the record also gets the opposite state: where it has that already, a timer would take back no change, and only
an earlier one gets the new time.
@throws SwitchboardError `conflict` if the record has the state to come.
*/
export function decideTimer(
	{
		name,
		isEnabled,
		timer,
	}: {readonly name: string; readonly isEnabled: boolean | undefined; readonly timer: Pick<Timer, 'enabled'> | undefined},
	enabled: boolean,
	isSwitching: boolean,
): 'switch' | 'set' | 'nothing' {
	if (isSwitching) {
		return isEnabled !== !enabled ? 'switch' : timer?.enabled === enabled ? 'set' : 'nothing';
	}

	if (isEnabled === enabled) {
		throw new SwitchboardError('conflict', `${name} is ${enabled ? 'on' : 'off'} already.`);
	}

	return 'set';
}

/** Returns a timer whose time is still to come, to be set again. */
export function aheadOf(timer: Omit<Timer, 'by'> | undefined): TimerWish | undefined {
	return timer === undefined || timer.overdue !== undefined || Date.parse(timer.at) <= Date.now()
		? undefined
		: {enabled: timer.enabled, at: timer.at, note: timer.note};
}
