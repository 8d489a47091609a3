import {useMemo, type ReactElement} from 'react';
import {useAppState} from '../app-context.ts';
import {type LoggedRequest} from '../hooks/request-log.ts';
import {exactClock} from '../widgets/age.ts';
import {fieldLines, labelColumnsOf, type ListedField} from '../widgets/field-list-lines.ts';
import {type ScrollLine} from '../widgets/scroll-text.tsx';
import {LogScreen} from './log-screen.tsx';

const fieldsOf = ({method, origin, path, status, reason, startedAt, durationMilliseconds, attemptNumber}: LoggedRequest): readonly ListedField[] => [
	{label: 'Method', text: method},
	{label: 'Host', text: origin},
	{label: 'Path', text: path},
	status === undefined
		? {label: 'Answer', text: `none: ${reason ?? 'unknown reason'}`, tone: 'error'}
		: {label: 'Answer', text: `HTTP ${status}`, tone: status >= 400 ? 'error' : 'plain'},
	{label: 'Started', text: exactClock(startedAt, startedAt)},
	{label: 'Took', text: `${Math.round(durationMilliseconds)} ms`},
	...(attemptNumber === 1 ? [] : [{label: 'Attempt', text: `${attemptNumber}, after one that failed`}]),
];

const linesOf = (entry: LoggedRequest, width: number): readonly ScrollLine[] => {
	const fields = fieldsOf(entry);
	const labelColumns = labelColumnsOf(fields, width);
	return fieldLines(fields, width).map(({label, text, tone}) => ({text: label.padEnd(labelColumns) + text, tone}));
};

/** The details of one request; the log keeps no keys and no bodies. */
export const RequestScreen = ({entry}: {readonly entry: LoggedRequest}): ReactElement => {
	const {columns} = useAppState().size;
	const lines = useMemo(() => linesOf(entry, columns - 2), [entry, columns]);
	return <LogScreen title='Request' empty='' lines={lines} action='open'/>;
};
