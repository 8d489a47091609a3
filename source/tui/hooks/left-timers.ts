import {stateWord} from '../../interface/installed-lookup.ts';
import type {InstalledAbility} from '../../interface/records.ts';
import {isSameTimer, overdueWords, type OverdueReason, type Timer} from '../../interface/timers.ts';
import {timerClock} from '../../words/timer-times.ts';
import type {MemoryKey, ServiceSession} from './service-session.ts';

const askingOf: MemoryKey<{isAsking: boolean}> = {create: () => ({isAsking: false})};

/** Asks, after the list was read, about each timer that was not done before the session. Nothing is switched without a Yes. */
export async function offerLeftTimers(session: ServiceSession, isReadOnly: boolean): Promise<void> {
	const asking = session.memory.get(askingOf);
	if (asking.isAsking) {
		return;
	}

	asking.isAsking = true;
	for (const record of session.changes.leftTimers()) {
		// The row shows it as overdue.
		const answer = isReadOnly ? 'left' : await ask(session, record);
		if (answer === undefined) {
			break;
		}

		session.changes.takeLeftTimer(record);
		if (answer !== 'left') {
			act(session, record, answer);
		}
	}

	asking.isAsking = false;
}

async function ask({changes, account: {timeZone}}: ServiceSession, {name, timer}: InstalledAbility): Promise<boolean | undefined> {
	const {enabled, at, by, note, overdue} = timer as Timer & {overdue: OverdueReason};
	const clock = timerClock(at, timeZone);
	const set = [by === 'you' ? '' : `by ${by}`, note].filter(Boolean).join(', ');
	return changes.confirm({
		question: `Switch ${name} ${stateWord(enabled)} now?`,
		details: [`It was to be switched ${stateWord(enabled)} at ${clock}, but ${overdueWords[overdue]}${set === '' ? '' : ` (${set})`}.`],
		yes: `switch ${stateWord(enabled)}`,
	});
}

/** Switches an ability whose timer is still overdue, or cancels the timer. */
function act({changes: {timers, switching}}: ServiceSession, {id, name, timer}: InstalledAbility, isWanted: boolean): void {
	const shown = timers.shown([id]).filter(each => each.name === name && isSameTimer(each.timer, timer));
	if (isWanted && shown.length > 0) {
		switching.setMany([id], timer!.enabled);
	} else if (shown.length > 0) {
		void timers.set(shown, null);
	}
}
