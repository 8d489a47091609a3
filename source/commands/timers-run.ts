import {isDeepStrictEqual} from 'node:util';
import {noneWithoutLog, type KeptTimer} from '../changes/kept-timers.ts';
import {isLogOff} from '../changes/recorded-client.ts';
import {toSwitchboardError, withoutFailing} from '../interface/errors.ts';
import {stateWord} from '../interface/installed-lookup.ts';
import {stringifyJson} from '../interface/json.ts';
import {localProfileName} from '../settings/profile.ts';
import {peekSettings, watchSettings} from '../settings/settings.ts';
import {inspectTarget, type Target} from '../settings/target.ts';
import {endServing, type DefineCommand} from './command.ts';
import {isForPerson, refuseReadOnly, type Context} from './context.ts';
import {chooseTarget, targetOptions, withTarget, type Service} from './with-service.ts';

export const defineTimersRun: DefineCommand = (parent, run) =>
	parent
		.command('run')
		.description('keep the timers of a service that keeps none, until Ctrl+C')
		.notes(`
A service that keeps timers does not need it. For any other the timers are on
this machine, and a running program has to do them: this one, the screens, or
ssh-serve. One at a time does so; the others wait for their turn. The profile
“local” needs it too: its service runs only while a screen or a command does.
One line is printed for each timer that was done.`)
		.examples(
			['switchboard timers run', 'until Ctrl+C'],
			['switchboard timers run --profile work', 'for another profile'],
			['systemctl --user enable --now switchboard-timers', 'at each start, where the Debian package is installed'],
		)
		.action(run(keepUntilStopped, {isEndedBySignal: true}));

/** Keeps the timers of the profile chosen at the start, also once another one is in use. Begins again once its key was changed. */
async function keepUntilStopped(context: Context): Promise<void> {
	refuseReadOnly(context);
	let target = await chooseTarget(context);
	const profile = target.kind === 'local' ? localProfileName : target.profileName;
	const pinned = profile === undefined ? context : {...context, options: {...context.options, profile}};
	while (await keepUntilChanged(pinned, target)) {
		target = await chooseTarget(pinned);
	}

	endServing(context.signal);
}

/** Returns true if the address or the key is another one now. */
async function keepUntilChanged(context: Context, target: Target): Promise<boolean> {
	const changed = new AbortController();
	const stopWatching = watchSettings(() => {
		// Settings that cannot be read now change nothing.
		const outcome = withoutFailing(() => inspectTarget(targetOptions(context, peekSettings())).outcome) ?? target;
		if (!isDeepStrictEqual(outcome, target)) {
			changed.abort();
		}
	});
	try {
		await keepFor(context, target, AbortSignal.any([context.signal, changed.signal]));
	} finally {
		stopWatching();
	}

	return changed.signal.aborted && !context.signal.aborted;
}

/** Keeps the timers until the signal comes; returns at once if the service keeps them itself. */
const keepFor = async (context: Context, target: Target, signal: AbortSignal): Promise<void> =>
	withTarget(context, target, async service => {
		if (target.kind === 'remote' && isLogOff()) {
			throw noneWithoutLog();
		}

		const {address} = service;
		if (await isKeptByService(context, service, signal)) {
			context.note(`${address} keeps timers itself.`);
			return;
		}

		const keeper = service.createTimerKeeper({
			onTurn() {
				context.note(`Keeping the timers for ${address}.`);
			},
			onDone(timer) {
				printDone(context, timer);
			},
			note: context.note,
		});
		const running = keeper.run(signal, true);
		if (!keeper.isKeeping()) {
			context.note(`Another program keeps the timers for ${address}. This one takes over when it ends.`);
		}

		await running;
	});

/** A service that is away may be back in time. */
async function isKeptByService(context: Context, service: Service, signal: AbortSignal): Promise<boolean> {
	try {
		await service.client.list('installed', signal);
		return (await service.timersKeptBy()) === 'service';
	} catch (error) {
		const {exitCode, message} = toSwitchboardError(error);
		if (exitCode !== 5 && !signal.aborted) {
			throw error;
		}

		context.note(message);
		return false;
	}
}

function printDone(context: Context, {record, name, enabled, at, by, note}: KeptTimer): void {
	const now = new Date();
	if (context.options.isJson) {
		context.printData(
			`${stringifyJson({at: now.toISOString(), installed_cap_id: record, name, enabled, timer: {enabled, at, by, note}}, 0)}\n`,
		);
		return;
	}

	const time = isForPerson(context) ? `${now.toTimeString().slice(0, 8)}  ` : `${now.toISOString()}\t`;
	context.print(`${time}${name} was switched ${stateWord(enabled)}: a timer by ${by}${note === '' ? '' : `: ${note}`}`);
}
