import {openLog} from '../../changes/log.ts';
import {isLogOff} from '../../changes/recorded-client.ts';
import {createTimerKeeper} from '../../changes/timer-keeper.ts';
import {withoutFailing} from '../../interface/errors.ts';
import {presetAccountOf} from '../../settings/account.ts';
import {describeProfile, resolveSessionTarget} from '../../settings/remote-session.ts';
import {peekSettings} from '../../settings/settings.ts';
import type {Context} from '../context.ts';
import {openClient} from '../with-service.ts';

type Keeper = {readonly rights: string; readonly ending: AbortController; readonly ended: Promise<void>};

/** Keeps the timers of the profiles that people use over SSH, for services that keep none. */
export function createProfileKeepers(context: Context) {
	const keepers = new Map<string, Keeper>();

	const keep = async (profileName: string, signal: AbortSignal): Promise<void> => {
		const target = resolveSessionTarget({profileName}, peekSettings);
		const log = openLog(presetAccountOf(target));
		const client = await openClient(context, target);
		await createTimerKeeper({client, openLog: () => log, note: text => context.note(`${profileName}: ${text}`)}).run(signal);
	};

	const end = (profileName: string): void => {
		keepers.get(profileName)?.ending.abort();
		keepers.delete(profileName);
	};

	return {
		/** Begins or ends to keep the timers of profiles, after the list of keys or the settings have changed. */
		follow(profileNames: Iterable<string>): void {
			const names = new Set(context.options.isReadOnly || isLogOff() ? [] : profileNames);
			for (const name of new Set([...names, ...keepers.keys()])) {
				// Settings that cannot be read now change nothing.
				const rights = names.has(name) ? withoutFailing(() => describeProfile(name, peekSettings) ?? '') : '';
				if (rights === undefined || keepers.get(name)?.rights === rights) {
					continue;
				}

				end(name);
				if (rights !== '') {
					const ending = new AbortController();
					// A profile that cannot be used is reported at the start.
					keepers.set(name, {rights, ending, ended: keep(name, ending.signal).catch(() => undefined)});
				}
			}
		},
		/** Resolves once no timers are kept any more. */
		async end(): Promise<void> {
			const all = [...keepers.values()];
			for (const name of keepers.keys()) {
				end(name);
			}

			await Promise.all(all.map(async ({ended}) => ended));
		},
	};
}
