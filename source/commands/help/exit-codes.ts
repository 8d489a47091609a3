import {exitCodes as codesByKind, type ErrorKind} from '../../interface/errors.ts';
import type {HelpItem, HelpTopic} from './topic.ts';

const meanings: Readonly<Record<typeof codesByKind[ErrorKind], string>> = {
	1: 'an unexpected error',
	2: 'wrong usage, a question answered with no, or input that the service or switchboard refused',
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
	['10', 'success, and there is a difference (abilities diff; plan and presets diff with --exit-code)'],
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
	'The exit code of a pipe is that of its last command. After set -o pipefail (bash, zsh) it is not 0 if any of its commands failed. A command that takes names from standard input (“-”) succeeds if none come, or with --require-names fails, exit 2:',
	{
		lines: [
			'set -o pipefail',
			'grep -v porch names.txt | switchboard disable - --require-names',
		],
	},
	'Output to a pipe that its reader has closed (| head -1) is no failure. A full disk is one, and so is a standard output that is closed from the beginning (>&-).',
];
