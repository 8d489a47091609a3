import {type ErrorKind} from '../../../interface/errors.ts';
import {pollMilliseconds} from '../../hooks/query-client.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {withMark} from '../../state/severity.ts';
import {type Tone} from '../../theme.ts';
import {clock} from '../../widgets/age.ts';

export type Status = {
	readonly text: string;
	readonly tone: Tone;
	/** True if the time of the list is in it. */
	readonly isTimed?: boolean;
};

const shortReasons: Readonly<Partial<Record<ErrorKind, string>>> = {
	'key-refused': 'key refused',
	forbidden: 'not allowed',
	'not-found': 'not found',
	'rate-limited': 'rate-limited',
	unreachable: 'unreachable',
	timeout: 'timed out',
	'no-room': 'disk full',
	'server-error': 'server error',
	unintelligible: 'unexpected answer',
};

/** How the screens learn of changes: the service tells them, is being asked whether it does, or is polled; or nothing is read until a key is pressed. */
export type Following = 'told' | 'asking' | 'polled' | 'paused';

const polled = `every ${pollMilliseconds / 1000} s`;

/** How up to date a list is, in a few words. */
export const statusOf = ({records, error, isFromEarlierRun, isReading, asOf, leftOutCount, isComplete}: ResourceState<unknown>, now: number, following: Following = 'told'): Status => {
	if (error !== undefined && !isReading) {
		const reason = error.field === 'proxy' ? 'proxy unreachable' : shortReasons[error.kind] ?? 'failed';
		const isTimed = records !== undefined;
		return {text: withMark('error', isTimed ? `${reason}, as of ${clock(asOf, now)}` : reason), tone: 'error', isTimed};
	}

	if (records === undefined) {
		return {text: 'reading…', tone: 'secondary'};
	}

	if (isFromEarlierRun) {
		return {text: `as of ${clock(asOf, now)}, reading…`, tone: 'warning', isTimed: true};
	}

	if (error !== undefined) {
		return {text: withMark('warning', `retrying, as of ${clock(asOf, now)}`), tone: 'warning', isTimed: true};
	}

	if (following === 'paused') {
		return {text: `paused, as of ${clock(asOf, now)}, press a key`, tone: 'secondary', isTimed: true};
	}

	if (following === 'asking') {
		return {text: 'reading…', tone: 'secondary'};
	}

	const word = following === 'told' ? 'live' : polled;
	const flaws = [
		...(leftOutCount === 0 ? [] : [`${leftOutCount} unreadable ignored`]),
		...(isComplete ? [] : ['incomplete list']),
	];
	return flaws.length === 0 ? {text: word, tone: 'on'} : {text: `${word}, ${flaws.join(', ')}`, tone: 'warning'};
};

/** How up to date a list is when a run starts that has it from this one. */
export const statusAtStart = (resource: ResourceState<unknown>, now: number): Status => statusOf({...resource, error: undefined, isFromEarlierRun: true}, now);
