import {type ErrorKind} from '../../../interface/errors.ts';
import {type ResourceState} from '../../hooks/use-resource.ts';
import {withMark} from '../../state/severity.ts';
import {type Tone} from '../../theme.ts';
import {clock} from '../../widgets/age.ts';

export type Status = {readonly text: string; readonly tone: Tone};

const shortReasons: Readonly<Partial<Record<ErrorKind, string>>> = {
	'key-refused': 'key refused',
	forbidden: 'not allowed',
	'not-found': 'no such path',
	'rate-limited': 'asked to wait',
	unreachable: 'not reached',
	timeout: 'no answer',
	'server-error': 'service failed',
	unintelligible: 'odd answer',
};

/** How fresh a list is, in a few words. */
export const statusOf = ({records, error, isFromEarlierRun, isReading, asOf, leftOutCount, isComplete}: ResourceState<unknown>, now: number): Status => {
	if (error !== undefined && !isReading) {
		const reason = error.field === 'proxy' ? 'proxy not reached' : shortReasons[error.kind] ?? 'failed';
		return {text: withMark('error', records === undefined ? reason : `${reason}, as of ${clock(asOf, now)}`), tone: 'error'};
	}

	if (records === undefined) {
		return {text: 'reading…', tone: 'secondary'};
	}

	if (isFromEarlierRun) {
		return {text: `as of ${clock(asOf, now)}, reading…`, tone: 'warning'};
	}

	if (error !== undefined) {
		return {text: withMark('warning', `trying again, as of ${clock(asOf, now)}`), tone: 'warning'};
	}

	const flaws = [
		...(leftOutCount === 0 ? [] : [`${leftOutCount} unreadable left out`]),
		...(isComplete ? [] : ['list cut short']),
	];
	return flaws.length === 0 ? {text: 'live', tone: 'on'} : {text: `live, ${flaws.join(', ')}`, tone: 'warning'};
};
