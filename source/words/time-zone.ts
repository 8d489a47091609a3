import {withoutFailing} from '../interface/errors.ts';

/** The zone in which a person reads and types times. */
export type TimeZone = {
	/** An IANA name; `undefined` for the zone of this process. */
	readonly zone: string | undefined;
	/** False for a person over SSH whose zone is unknown: their times then name the zone. */
	readonly isOwn: boolean;
};

export const ownTimeZone: TimeZone = {zone: undefined, isOwn: true};

/** Returns the zone of a person over SSH: that of their key, or the first valid one that their client sent. */
export function remoteTimeZone(ofKey: string | undefined, env: Readonly<Record<string, string | undefined>>): TimeZone {
	// A POSIX `TZ` may have a colon before the name.
	const sent = [env['SWITCHBOARD_TIMEZONE'], env['TZ']].map(text => text?.replace(/^:/, ''));
	const zone = ofKey ?? sent.find(text => text !== undefined && isTimeZone(text));
	return {zone, isOwn: zone !== undefined};
}

/** Tells whether a text is the name of a zone, such as `Europe/Berlin`. */
export function isTimeZone(text: string): boolean {
	// `Intl` takes offsets too, which have no daylight saving time.
	return /^[a-z][\w+\-/]{0,60}$/i.test(text) && withoutFailing(() => zoneNames(text, 'longOffset')) !== undefined;
}

/** Returns a time with the clock of the zone in its fields of UTC. */
export function toWallClock(time: number, zone: string | undefined): Date {
	const wall = new Date(time + offsetAt(time, zone));
	// The clocks of a zone end later than the range of dates.
	return Number.isNaN(wall.getTime()) ? new Date(time) : wall;
}

/**
Returns the times at which a clock of the zone shows this, the earlier one first: two where it is put back. Where it is put forward over
them, the first minute after the gap.

@param wall - the fields of the clock, as those of UTC.
*/
export function fromWallClock(wall: number, zone: string | undefined): readonly number[] {
	const day = 24 * 60 * 60 * 1000;
	const [before, after] = [wall - day, wall + day].map(time => offsetAt(time, zone)) as [number, number];
	const times = [...new Set([wall - before, wall - after])].filter(time => time + offsetAt(time, zone) === wall);
	if (times.length > 0) {
		return times.toSorted((first, second) => first - second);
	}

	let time = Math.floor((wall - after) / 60_000) * 60_000;
	while (offsetAt(time, zone) === before) {
		time += 60_000;
	}

	return [time];
}

/** Returns the name of the zone at a time, in a few letters: `CET`, `EST`, `GMT+5:45`. */
export function shortZoneName(time: number, zone: string | undefined): string {
	// A locale has short names only for the zones near it.
	const names = ['en-GB', 'en-US', 'en-AU'].map(locale => namePart(zoneNames(zone, 'short', locale), time));
	return names.find(name => !/^GMT[+-]/.test(name)) ?? names[0]!;
}

function offsetAt(time: number, zone: string | undefined): number {
	// Does not load the rules of languages.
	if (zone === undefined) {
		return -new Date(time).getTimezoneOffset() * 60_000;
	}

	const {
		sign,
		hours = 0,
		minutes = 0,
	} = /(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d)/.exec(namePart(zoneNames(zone, 'longOffset'), time))?.groups ?? {};
	return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function zoneNames(zone: string | undefined, timeZoneName: 'longOffset' | 'short', locale = 'en-GB'): Intl.DateTimeFormat {
	const key = `${zone} ${timeZoneName} ${locale}`;
	const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, {timeZone: zone, timeZoneName});
	formats.set(key, format);
	return format;
}

const namePart = (format: Intl.DateTimeFormat, time: number): string =>
	format.formatToParts(time).find(({type}) => type === 'timeZoneName')!.value;
