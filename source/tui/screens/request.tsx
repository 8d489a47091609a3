import {useMemo, type ReactElement} from 'react';
import {useAppState} from '../app-context.ts';
import {type LoggedRequest} from '../hooks/request-log.ts';
import {exactClock} from '../widgets/age.ts';
import {detailLines, labelColumnsOf, type DetailField} from '../widgets/detail-lines.ts';
import {LogScreen} from './log-screen.tsx';

const fieldsOf = ({method, origin, path, status, reason, startedAt, durationMilliseconds, attemptNumber}: LoggedRequest): readonly DetailField[] => [
	{label: 'Method', text: method},
	{label: 'Host', text: origin},
	{label: 'Path', text: path},
	status === undefined
		? {label: 'Answer', text: `none: ${reason ?? 'unknown reason'}`, tone: 'error'}
		: {label: 'Answer', text: `HTTP ${status}`, tone: status >= 400 ? 'error' : 'plain'},
	{label: 'Sent', text: exactClock(startedAt, startedAt)},
	{label: 'Took', text: `${Math.round(durationMilliseconds)} ms`},
	...(attemptNumber === 1 ? [] : [{label: 'Attempt', text: `${attemptNumber}, a retry`}]),
];

/** The details of one request; the log keeps no keys and no bodies. */
export const RequestScreen = ({entry}: {readonly entry: LoggedRequest}): ReactElement => {
	const {columns} = useAppState().size;
	const width = columns - 2;
	const fields = useMemo(() => fieldsOf(entry), [entry]);
	const lines = useMemo(() => detailLines(fields, width), [fields, width]);
	return <LogScreen title='Request' empty='' lines={lines} labelColumns={labelColumnsOf(fields, width)} action='open'/>;
};
