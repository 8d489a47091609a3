import {formatDuration} from '../interface/duration.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import {isJsonObject, type JsonValue} from '../interface/json.ts';
import {decodeTimer, overdueWords, type Timer} from '../interface/timers.ts';
import {ownTimeZone, type TimeZone} from './time-zone.ts';
import {atClock, timerClock} from './timer-times.ts';

/**
Returns a timer in words, such as “on at 07:00”, or a timer to set, such as “on in 2h”.

@param detail - `author`: “on at 07:00 by anna”; `all`: also why it is overdue, and its note.
*/
export function timerText(
	value: JsonValue | Timer | undefined,
	timeZone = ownTimeZone,
	detail: 'time' | 'author' | 'all' = 'time',
): string {
	const timer = decodeTimer(value as JsonValue | undefined);
	if (timer === undefined) {
		return isJsonObject(value) && typeof value['for'] === 'number'
			? `${stateWord(value['enabled'] === true)} in ${formatDuration(value['for'])}`
			: 'timer cancelled';
	}

	const {enabled, at, by, note, overdue} = timer;
	const isWhole = detail === 'all';
	return [
		`${stateWord(enabled)} ${atClock(at, timeZone)}`,
		detail === 'time' || by === '' ? '' : ` by ${by}`,
		overdue === undefined ? '' : `, overdue${isWhole ? ` (${overdueWords[overdue]})` : ''}`,
		isWhole && note !== '' ? `: ${note}` : '',
	].join('');
}

/** Returns the words for the end of a state, after the state: “ until 07:00”; for an earlier timer “, until 07:00 (anna)”. */
export function endText(timer: Timer | undefined, timeZone: TimeZone, isNew: boolean): string {
	if (timer === undefined) {
		return '';
	}

	const {at, by, overdue} = timer;
	const clock = timerClock(at, timeZone);
	const author = by === '' ? '' : ` (${by})`;
	return overdue !== undefined ? `, overdue since ${clock}${author}` : isNew ? ` until ${clock}` : `, until ${clock}${author}`;
}
