import {reasonOf} from '../../interface/errors.ts';
import type {InstalledAbility} from '../../interface/records.ts';
import {fileProblem} from '../../platform/kept-file.ts';
import type {Tried} from '../../changes/log-lines.ts';
import {createObservable, when} from '../observable.ts';
import {clock} from '../../words/age.ts';
import type {MemoryKey, ServiceSession} from './service-session.ts';
import {wantedState} from './switching.ts';
import {runWrite} from './writes.ts';

/*
An ability that is off may be switched on for a conversation only. It is switched as with a key of a list, so that undo, the history and the
log have it. It is switched off again only if nobody has switched it meanwhile, with a key here or elsewhere.
*/

type Trial = Pick<Tried, 'id' | 'name' | 'at'> & {
	/** The key of its line in the log, once it is noted. */
	key: string | undefined;
	phase: 'starting' | 'on' | 'ending';
	/** True once a list has shown it on. */
	isConfirmed: boolean;
	/** True once a person has switched it. */
	isDecided: boolean;
	/** The service's time of its last change, if it shows that: when it was switched on. */
	changedAt: number | undefined;
	/** Resolves when the service has answered, or when the try could not be noted. */
	started: Promise<void>;
};

type Trials = {
	isFollowed: boolean;
	/** By the id of the installed record. */
	readonly all: Map<number, Trial>;
	readonly shown: ReturnType<typeof createObservable<ReadonlySet<number>>>;
	isAsking: boolean;
};

const trialsOf: MemoryKey<Trials> = {
	create: () => ({isFollowed: false, all: new Map(), shown: createObservable<ReadonlySet<number>>(new Set()), isAsking: false}),
};

/**
Switches an ability on for a conversation, if it is still off. It is noted first.

@returns a sentence with the reason if it was not requested; `undefined` if it was: its outcome is reported as for any switch.
*/
export async function startTry(session: ServiceSession, {id, name}: Pick<InstalledAbility, 'id' | 'name'>): Promise<string | undefined> {
	const trials = session.memory.get(trialsOf);
	if (trials.all.has(id)) {
		return undefined;
	}

	const trial: Trial = {
		id,
		name,
		at: Date.now(),
		key: undefined,
		phase: 'starting',
		isConfirmed: false,
		isDecided: false,
		changedAt: undefined,
		started: Promise.resolve(),
	};
	const drop = (reason: string): string => {
		trials.all.delete(id);
		return reason;
	};

	const notNoted = (error: unknown): string =>
		drop(
			`${name} stays off: it could not be noted for the next start (${fileProblem(error, {arePathsShown: !session.account.isOverSsh}).reason}).`,
		);

	const begin = async (): Promise<string | undefined> => {
		followAll(session);
		try {
			await session.records.readAgain('installed');
		} catch (error) {
			return drop(`${name} stays off: ${reasonOf(error)}`);
		}

		// An ability that somebody else has switched on must not be switched off here.
		if (findRecord(session, trial)?.isEnabled !== false || session.changes.queue.intents('installed', 'enabled').has(id)) {
			return drop(`${name} is not off any more.`);
		}

		try {
			trial.key = await session.changes.log.noteTry({id, name, at: trial.at});
		} catch (error) {
			return notNoted(error);
		}

		session.changes.switching.setMany([id], true);
		return undefined;
	};

	// A person who leaves the conversation at once ends the try too.
	trials.all.set(id, trial);
	const beginning = begin();
	trial.started = (async () => {
		if ((await beginning) === undefined) {
			await whenStarted(session, trial);
		}
	})();
	return beginning;
}

function followAll(session: ServiceSession): void {
	const trials = session.memory.get(trialsOf);
	if (trials.isFollowed) {
		return;
	}

	trials.isFollowed = true;
	session.changes.queue.subscribe(() => {
		for (const trial of trials.all.values()) {
			follow(session, trial);
		}
	});
	session.leaving.subscribe(() => endTries(session));
}

/** Called at each change of the switches. */
function follow(session: ServiceSession, trial: Trial): void {
	const intent = session.changes.queue.intents('installed', 'enabled').get(trial.id);
	if (intent !== undefined) {
		trial.isDecided ||= trial.phase === 'on' || wantedState(intent) !== (trial.phase === 'starting');
		publish(session.memory.get(trialsOf));
	} else if (trial.isDecided || trial.phase === 'ending') {
		conclude(session, trial, trial.isDecided || findRecord(session, trial)?.isEnabled !== true);
	}
}

const publish = ({all, shown}: Trials): void =>
	shown.set(
		new Set([...all.values()].filter(({phase, isConfirmed, isDecided}) => phase === 'on' && isConfirmed && !isDecided).map(({id}) => id)),
	);

/** Ends a try. Its note goes once nothing is left to take back. */
function conclude(session: ServiceSession, {id, key}: Pick<Trial, 'id' | 'key'>, isKnown: boolean): void {
	const trials = session.memory.get(trialsOf);
	trials.all.delete(id);
	if (isKnown && key !== undefined) {
		session.changes.log.skip([key]);
	}

	publish(trials);
}

const findRecord = (session: ServiceSession, {id, name}: Pick<Tried, 'id' | 'name'>): InstalledAbility | undefined =>
	session.records.seen('installed')?.find(record => record.id === id && record.name === name);

/** Resolves when the service has answered: the ability is on, or the try is over. */
async function whenStarted(session: ServiceSession, trial: Trial): Promise<void> {
	await when(() => !session.changes.queue.intents('installed', 'enabled').has(trial.id), session.changes.queue.subscribe);
	if (findRecord(session, trial)?.isEnabled !== true && !isUnanswered(session, trial)) {
		conclude(session, trial, true);
		return;
	}

	trial.phase = 'on';
	try {
		await session.records.readAgain('installed');
		trial.changedAt = findRecord(session, trial)?.changedAt;
	} catch {
		// The screens show the reason. Later changes are just harder to attribute.
	}

	trial.isConfirmed = true;
	publish(session.memory.get(trialsOf));
}

const isUnanswered = ({changes: {switching}}: ServiceSession, {id}: Pick<Trial, 'id'>): boolean =>
	switching.getFailures().get(id)?.error.isOutcomeUnknown === true;

/** Ends all tries. */
export function endTries(session: ServiceSession): void {
	for (const id of session.memory.get(trialsOf).all.keys()) {
		endTry(session, id);
	}
}

/** Switches an ability off that was on for a conversation, unless somebody has switched it since. Leaving waits for it. */
function endTry(session: ServiceSession, id: number): void {
	const {all} = session.memory.get(trialsOf);
	const trial = all.get(id);
	if (trial === undefined) {
		return;
	}

	void runWrite(session, {key: ['end-try', id], unknown: `${trial.name} is on since a conversation. The next start asks.`}, async () => {
		await trial.started;
		if (all.get(id) === trial && trial.phase !== 'ending') {
			await takeBack(session, trial);
		}
	});
}

/** Reads the list, and requests the switch if the ability is on and nobody has switched it since. */
async function takeBack(session: ServiceSession, trial: Trial): Promise<void> {
	const {name, changedAt} = trial;
	try {
		await session.records.readAgain('installed');
	} catch (error) {
		conclude(session, trial, false);
		say(session, 'warning', `${name} may be on since the conversation: ${reasonOf(error)} The next start asks.`);
		return;
	}

	const record = findRecord(session, trial);
	if (trial.isDecided || record?.isEnabled !== true) {
		// A change without an answer may still arrive: the next start checks.
		conclude(session, trial, !isUnanswered(session, trial));
	} else if (changedAt !== undefined && record.changedAt !== changedAt) {
		conclude(session, trial, true);
		say(session, 'info', `${name} was changed during the conversation, and stays on.`);
	} else {
		switchOff(session, trial);
	}
}

const say = ({changes: {undoHistory}}: ServiceSession, level: 'info' | 'warning', text: string): void => undoHistory.say(level, text);

/** Requests the switch to off. The note goes with the answer. */
function switchOff(session: ServiceSession, trial: Trial): void {
	trial.phase = 'ending';
	session.memory.get(trialsOf).all.set(trial.id, trial);
	session.changes.switching.setMany([trial.id], false);
	follow(session, trial);
}

/** Returns the installed records that are on for a conversation only. */
export function triedIds(session: ServiceSession) {
	return session.memory.get(trialsOf).shown;
}

/** Asks, after the list was read, about each ability that an earlier session left on. Nothing is switched without a Yes. */
export async function offerLeftTries(session: ServiceSession, isReadOnly: boolean): Promise<void> {
	const trials = session.memory.get(trialsOf);
	if (trials.isAsking) {
		return;
	}

	trials.isAsking = true;
	followAll(session);
	for (const tried of session.changes.log.leftTries()) {
		const isOn = findRecord(session, tried)?.isEnabled === true;
		if (isOn && isReadOnly) {
			session.changes.log.take([tried.key]);
			say(
				session,
				'warning',
				`${tried.name} is on since a conversation (${clock(tried.at, Date.now(), session.account.timeZone.zone)}) that did not end as usual.`,
			);
		} else if (!isOn) {
			session.changes.log.skip([tried.key]);
		} else if (!(await askAbout(session, tried))) {
			break;
		}
	}

	trials.isAsking = false;
}

/** Asks about an ability that a killed session left on. The answer counts only for a record that is still on. */
async function askAbout(session: ServiceSession, tried: Tried): Promise<boolean> {
	const {key, name, at} = tried;
	const answer = await session.changes.confirm({
		question: `Switch ${name} off again?`,
		details: [`It is on since a conversation (${clock(at, Date.now(), session.account.timeZone.zone)}) that did not end as usual.`],
		yes: 'switch off',
	});
	if (answer === undefined) {
		return false;
	}

	if (answer && findRecord(session, tried)?.isEnabled === true) {
		switchOff(session, {...tried, phase: 'ending', isConfirmed: true, isDecided: false, changedAt: undefined, started: Promise.resolve()});
	} else {
		session.changes.log.skip([key]);
	}

	return true;
}
