import type {FastifyInstance} from 'fastify';
import * as Type from 'typebox';
import {timersPath} from '../../interface/endpoints.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {shownMinute} from '../../interface/key-rights.ts';
import {decideTimer, isNoteTooLong, maximumNoteCharacters, timeOf} from '../../interface/timers.ts';
import type {Caller} from '../callers.ts';
import {callerOf} from '../http/authorize.ts';
import {addVersions, ownSchema} from '../http/operation-routes.ts';
import {checkField, type InstalledRecord, installedRecord, timerRecords} from '../records.ts';
import type {InstalledChanges, NewTimer} from '../store/changes.ts';
import type {Store} from '../store/store.ts';

const setTimer = Type.Object(
	{
		enabled: Type.Boolean({description: 'The state to come'}),
		at: Type.Optional(Type.String({description: 'When, with a time zone, as in `2026-01-31T18:00:00Z`'})),
		for: Type.Optional(Type.Number({description: 'In so many seconds from now; in place of `at`'})),
		note: Type.Optional(Type.String({description: `At most ${maximumNoteCharacters} characters`})),
		switch: Type.Optional(
			Type.Boolean({
				description: 'True to give the record the other state now. Where it has that, only a timer to the same state is changed',
			}),
		),
	},
	{title: 'SetTimer'},
);

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;

type TimerParts = Pick<Store, 'installed' | 'timers'> & {
	/** Called with the time of each timer that is set. */
	readonly onTimer: (at: string) => void;
};

/** Serves the timers of the caller's account. */
export function addTimers(app: FastifyInstance, {installed, timers, onTimer}: TimerParts): void {
	const params = Type.Object({installed_cap_id: Type.Integer({minimum: 1})});
	// The rights are those of a switch.
	const config = {isWrite: true, operation: 'editInstalled'} as const;
	const url = `${timersPath}/:installed_cap_id/`;
	app.route({
		method: 'GET',
		url: timersPath,
		schema: ownSchema('listTimers', 'List timers', timerRecords),
		handler: async request => ({timers: await timers.list(callerOf(request).accountId)}),
	});
	const setting = ownSchema('setTimer', 'Set a timer', installedRecord, {params, body: setTimer});
	app.put(url, {config, schema: setting}, async (request, reply) => {
		const [caller, body] = [callerOf(request), request.body as Wish];
		const timer = readTimer(caller, body);
		await timers.refuseClockBehind(caller.accountId);
		const answer = await installed.change(caller, idOf(request), before => decide(before, timer, body.switch === true));
		onTimer(timer.at);
		return addVersions(reply, answer);
	});
	const cancelling = ownSchema('cancelTimer', 'Cancel a timer', installedRecord, {params});
	app.delete(url, {config, schema: cancelling}, async (request, reply) =>
		addVersions(reply, await installed.change(callerOf(request), idOf(request), () => ({timer: null}))),
	);
}

type Wish = Type.Static<typeof setTimer>;

const idOf = ({params}: {readonly params: unknown}): number => (params as {readonly installed_cap_id: number}).installed_cap_id;

function readTimer({author, keyId, expiresAt}: Caller, {enabled, at, for: seconds, note = ''}: Wish): NewTimer {
	if ((at === undefined) === (seconds === undefined)) {
		throw new SwitchboardError('refused', 'The body must have one of the fields at and for, and not both.', {field: 'at'});
	}

	checkField('at', at === undefined || isTime(at) ? undefined : 'must be a time with a zone, such as 2026-01-31T18:00:00Z');
	const time = timeOf(at === undefined ? {for: seconds!} : {at});
	if (expiresAt !== undefined && time >= expiresAt) {
		const message = `The key “${author.name}” expires on ${shownMinute(expiresAt)}, so it cannot set a timer for ${shownMinute(time)}.`;
		throw new SwitchboardError('refused', message, {nextStep: 'Set it for an earlier time.', field: at === undefined ? 'for' : 'at'});
	}

	const text = note.trim();
	checkField('note', isNoteTooLong(text) ? `may be at most ${maximumNoteCharacters} characters long` : undefined);
	return {enabled, at: time, by: author.person || author.name, note: text, overdue: null, person: author.person, keyId};
}

const isTime = (at: string): boolean => timePattern.test(at) && !Number.isNaN(Date.parse(at));

function decide({enabled: isEnabled, name, timer: before}: InstalledRecord, timer: NewTimer, isSwitching: boolean): InstalledChanges {
	const decision = decideTimer({name, isEnabled, timer: before}, timer.enabled, isSwitching);
	return decision === 'nothing' ? {} : {timer, ...(decision === 'switch' && {enabled: !timer.enabled})};
}
