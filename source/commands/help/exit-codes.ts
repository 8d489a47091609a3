import {exitCodes as codesByKind, type ErrorKind} from '../../interface/errors.ts';
import type {HelpItem, HelpTopic} from './topic.ts';

const meanings: Readonly<Record<typeof codesByKind[ErrorKind], string>> = {
	1: 'an unexpected error',
	2: 'wrong usage, or the service or switchboard refused the input',
	3: 'no API key, or one that the service does not accept',
	4: 'not found',
	5: 'the service is unreachable, failed or answered too late, or a disk is full',
	6: 'some of several items failed',
	129: 'SIGHUP: the terminal hung up',
	130: 'SIGINT: interrupted',
	143: 'SIGTERM: terminated',
};

const kindsOf = (code: string): string =>
	Object.entries(codesByKind).filter(([, ownCode]) => String(ownCode) === code).map(([kind]) => kind).join(', ');

const items: readonly HelpItem[] = [
	['0', 'success'],
	['10', 'success, and there is a difference (abilities diff, plan --exit-code)'],
	...Object.entries(meanings).map(([code, meaning]): HelpItem => [code, `${meaning} (${kindsOf(code)})`]),
];

export const exitCodes: HelpTopic = [
	{items: items.toSorted(([first], [second]) => Number(first) - Number(second))},
	'The kinds of errors are in parentheses. With --json, a command that fails prints the kind and a message as the last line of standard error:',
	{lines: ['{"error": {"kind": "not-found", "message": "…"}}']},
	{
		heading: 'Every command ends (timeout):',
		items: [
			['an answer', '15 s; a request is tried at most three times'],
			['a list', '2 minutes, 500 pages, 100,000 records and 64 MiB'],
			['an upload', 'as long as it needs, but no minute without progress'],
			['--timeout SECONDS', 'limits all requests of a command together, and how long an upload makes no progress; in the terminal UI and in watch each answer'],
		],
	},
	'The last quarter of --timeout, at most 5 s, is kept for looking up changes that got no answer.',
];
