import {path, process} from '../helpers/node.ts';
import type {NewChange} from '../../source/changes/log-lines.ts';
import {openLog} from '../../source/changes/log.ts';
import {beginSession} from '../../source/platform/sessions.ts';
import {presetAccountOf} from '../../source/settings/account.ts';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {isFresh} from '../tui/helpers/shown.ts';
import {ratio, type Figure} from './figures.ts';
import {measureEffect, measureStart, medianOf, openSubject} from './measure.ts';
import type {RowsService} from './start-rows-service.ts';
import {switchboard, type Subject} from './subjects.ts';

/** What the log keeps at most. */
const fullCount = 10_000;

/** A session of this machine whose process has ended: no process has such a number. */
const endedSession = beginSession().replace(`-${process.pid}-`, '-99999999-');

/** What a full log costs at the start and where `u` has to read it, beside one with a single change. */
export async function logFigures(service: RowsService, firstName: string, rounds: number): Promise<readonly Figure[]> {
	const subjects = [await subjectWith(1, service, firstName), await subjectWith(fullCount, service, firstName)] as const;
	const times: Readonly<Record<'start' | 'undo', readonly [number[], number[]]>> = {start: [[], []], undo: [[], []]};
	for (let round = 0; round < rounds; round++) {
		for (const [index, subject] of subjects.entries()) {
			times.start[index]!.push(await measureStart(subject, isFresh));
			await using terminal = await openSubject({...subject, ready: isFresh});
			times.undo[index]!.push(await measureEffect(terminal, 'u', isAsked));
			await terminal.press('escape', 'ctrl+c').exited;
		}
	}

	return [
		ratio('start with a log at its limit ÷ with one change', medianOf(times.start[1]), medianOf(times.start[0]), 'one change', 1.1),
		ratio('u that asks about the newest of them ÷ of one change', medianOf(times.undo[1]), medianOf(times.undo[0]), 'one change', 1.5),
	];
}

/** A home whose log has so many changes, all of them of the last day. */
async function subjectWith(
	count: number,
	{env: {SWITCHBOARD_BASE_URL: baseAddress, SWITCHBOARD_API_KEY: apiKey}}: RowsService,
	firstName: string,
): Promise<Subject> {
	const home = createIsolatedHome();
	const account = presetAccountOf({kind: 'remote', baseAddress, apiKey} as Parameters<typeof presetAccountOf>[0]);
	const log = openLog(account, {stateFolder: path.join(home.env['XDG_STATE_HOME']!, 'switchboard')});
	await log.note(changesOf(count, firstName, Number(/\d+$/.exec(firstName)![0])));
	const subject = switchboard({...home.env, SWITCHBOARD_BASE_URL: baseAddress, SWITCHBOARD_API_KEY: apiKey}, firstName);
	// The first start compiles the program.
	await measureStart(subject, isFresh);
	return subject;
}

/** Changes of a session that has ended: each switched the first row of the service on. */
const changesOf = (count: number, name: string, record: number): readonly NewChange[] =>
	Array.from({length: count}, (_, index) => ({
		kind: 'installed',
		name,
		record,
		field: 'enabled',
		from: false,
		to: true,
		by: 'you',
		via: 'screen',
		at: Date.now() - (count - index) * 1000,
		since: Date.now() - (count - index) * 1000,
		origin: {session: endedSession, group: `ended:${index}`},
	}));

const isAsked = (lines: readonly string[]): boolean => lines.some(line => / again\?|Put back:/.test(line));
