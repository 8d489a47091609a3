import {AsyncLocalStorage} from 'node:async_hooks';
import process from 'node:process';
import type {AgentChanges, Client} from '../client/client.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {seenElsewhere} from '../interface/history.ts';
import {rawName, type Agent, type DecodedRecord} from '../interface/records.ts';
import type {RecordChange} from './compare-lists.ts';
import {createKnowledge, effectsOn, type Effect, type Listed, type Lists, type Made, type Writes} from './effects.ts';
import {openHistory} from './history.ts';
import {skipKey, type Group, type NewChange} from './log-lines.ts';
import type {ChangeLog} from './log.ts';
import {encodeFormer, type Former} from './removals.ts';

/*
Every change that this program makes goes through this client: each prompt is kept before it is replaced, and each change is noted in the
log once it is known to be made. Changes by others are noted only for a service that keeps no history.
*/

/** Older changes are in the service's own history, if it keeps one. */
const maximumAgeMilliseconds = 30 * 24 * 60 * 60 * 1000;

/** Further writes without an answer are not remembered. */
const maximumPending = 1000;

/** An ability that was noted before it was removed, with the key of its removal. */
export type NotedFormer = Former & {readonly key?: string | undefined};

type Options = {
	/** The log of the account that the client belongs to: a different one once its profile is renamed. */
	readonly openLog: () => ChangeLog;
	readonly by?: string | undefined;
	/** The command or key that makes the changes, such as `agents edit`. */
	readonly via: string;
	readonly session: string;
	/** The key of the person over SSH, hashed. */
	readonly personId?: string | undefined;
	/** True if all changes belong to one group, as for a command. */
	readonly isOneGroup?: boolean | undefined;
	/** Called with a sentence if a text could not be kept and is lost. */
	readonly note: (text: string) => void;
	/** Called once, with a sentence, if changes cannot be noted. */
	readonly noteMissing: (text: string) => void;
	/** Called with each write that the lists may show; returns a function that takes its outcome. */
	readonly onWrite?: ((operation: Writes, listed: Listed) => (error?: SwitchboardError) => void) | undefined;
	/** How long after a change it is noted. With 0 no change ends before it is noted. */
	readonly delayMilliseconds: number;
};

type Sent = Effect & {readonly group: Group};

/** A write whose outcome is still to be read from a list. */
type Pending = {
	readonly effect: Sent;
	readonly since: number;
	/** When it was answered, on the clock of `performance`. */
	readonly endedAt: number;
	readonly isMade: boolean;
	/** Its changes while they are in the log: a list may deny them. */
	noted?: readonly NewChange[] | undefined;
	isDenied?: boolean;
};

/**
Returns a client that keeps the prompt of an agent before it sends a new one, and notes each change. A prompt that the service does not show
cannot be kept.
*/
export function recordChanges(client: Client, options: Options) {
	const {openLog, by = 'you', via, session, personId: person, isOneGroup = false, note, noteMissing, onWrite, delayMilliseconds} = options;
	const groups = new AsyncLocalStorage<Group>();
	let groupCount = 0;
	const newGroup = (...undoes: readonly string[]): Group => ({group: `${session}:${++groupCount}`, ...(undoes.length > 0 && {undoes})});
	const onlyGroup = isOneGroup ? newGroup() : undefined;
	const history = openHistory({client, openLog});
	const knowledge = createKnowledge();
	const effects = effectsOn(knowledge);
	let pending: readonly Pending[] = [];
	let waiting: NewChange[] = [];
	let timer: NodeJS.Timeout | undefined;
	let writing = Promise.resolve();
	let isForgotten = false;
	let isTold = false;

	/** Whether the service keeps a history itself. Only the bundled one does, and that names versions of its lists. */
	const isKeptElsewhere = async (): Promise<boolean> => {
		const lists = Object.values(knowledge.lists);
		// The log is not looked at if it turns out that the service keeps one.
		return (lists.length === 0 || lists.some(list => list?.version !== undefined)) && history.isKeptByService().catch(() => false);
	};

	const writeAll = async (): Promise<void> => {
		const noted = waiting;
		waiting = [];
		const isAnySeen = noted.some(change => change.origin === undefined);
		const changes = isAnySeen && !isLogOff() && (await isKeptElsewhere()) ? noted.filter(change => change.origin !== undefined) : noted;
		if (changes.length === 0 || isLogOff() || isForgotten) {
			return;
		}

		try {
			await openLog().note(changes, isBelieved() ? maximumAgeMilliseconds : undefined);
		} catch (error) {
			if (!isTold) {
				isTold = true;
				noteMissing(toSwitchboardError(error).message);
			}
		}
	};

	/** Notes all changes so far, in their order. Never rejects. */
	const write = async (): Promise<void> => {
		clearTimeout(timer);
		timer = undefined;
		writing = writing.then(writeAll);
		return writing;
	};

	/** @param group - left out if the changes were not made here. */
	const add = (changes: readonly Made[], since: number, group?: Group): readonly NewChange[] => {
		const at = Date.now();
		const added = changes.map(({changedAt, ...change}) => ({
			...change,
			by: group === undefined ? seenElsewhere : by,
			via,
			at,
			since,
			origin: group && {session, person, ...group, changedAt},
		}));
		waiting.push(...added);
		timer ??= setTimeout(() => {
			void write();
		}, delayMilliseconds).unref();
		return added;
	};

	const addOwn = async (changes: readonly Made[], since: number, group: Group): Promise<readonly NewChange[]> => {
		const added = add(changes, since, group);
		if (delayMilliseconds === 0) {
			await write();
		}

		return added;
	};

	/** Takes a write back out of the log. */
	const withdraw = async (denied: Pending): Promise<void> => {
		const {noted = []} = denied;
		denied.noted = undefined;
		denied.isDenied = true;
		waiting = waiting.filter(change => !noted.includes(change));
		writing = writing.then(async () => {
			try {
				await openLog().withdraw(noted);
			} catch {
				// Then it could not be noted in the first place, which was reported.
			}
		});
		await writing;
	};

	/** Notes what the list shows of the writes that wait for it, and takes back what it denies. */
	const handleList = async (lists: Lists, requestedAt: number): Promise<void> => {
		Object.assign(knowledge.lists, lists);
		const found = pending.map(each => ({each, changes: each.effect.shown(lists)}));
		pending = found.filter(({changes}) => changes === undefined).map(({each}) => each);
		const denied = pending.filter(
			({isMade, effect, endedAt, isDenied = false}) => isMade && !isDenied && endedAt <= requestedAt && effect.isDenied(lists),
		);
		await Promise.all([
			...found
				.filter(({each}) => each.noted === undefined)
				.map(async ({each, changes = []}) => addOwn(changes, each.since, each.effect.group)),
			...denied.map(async each => withdraw(each)),
		]);
	};

	/** A service that sends versions of its lists does what it says. */
	const isBelieved = (): boolean => Object.values(knowledge.lists).some(list => list?.version !== undefined);

	const isSamePlace = (one: NewChange, other: NewChange): boolean =>
		one.kind === other.kind && one.record === other.record && one.field === other.field;

	const send = async <Result>(operation: Writes, effect: Sent, work: () => Promise<Result>): Promise<Result> => {
		const since = Date.now();
		const end = effect.listed && onWrite?.(operation, effect.listed);
		const wait = (isMade: boolean, noted?: readonly NewChange[]): void => {
			// The list shows only the last change of a place.
			const left = pending.filter(each => !each.noted?.some(earlier => noted?.some(change => isSamePlace(earlier, change))));
			pending = [...left, {effect, since, endedAt: performance.now(), isMade, noted}].slice(-maximumPending);
		};

		try {
			const result = await work();
			end?.();
			const changes = effect.made(result as never);
			if (changes === undefined) {
				wait(true);
			} else {
				const noted = await addOwn(changes, since, effect.group);
				if (noted.length > 0 && !isBelieved()) {
					wait(true, noted);
				}
			}

			return result;
		} catch (error) {
			const {isOutcomeUnknown} = toSwitchboardError(error);
			end?.(toSwitchboardError(error));
			if (isOutcomeUnknown) {
				wait(false);
			}

			throw error;
		}
	};

	const keepPrompt = async ({id: agentId, name, raw: {description: text}}: Agent, {prompt, canLosePrompt}: AgentChanges): Promise<void> => {
		const isReplaced = prompt !== undefined && typeof text === 'string' && text !== prompt && text.trim() !== '';
		if (!isReplaced || isLogOff()) {
			return;
		}

		try {
			await openLog().keep({agentId, name, via, text});
		} catch (error_) {
			const error = toSwitchboardError(error_);
			if (!canLosePrompt) {
				throw new SwitchboardError(error.kind, `${error.message} It was not changed.`, {
					nextStep: 'Use --yes to change it anyway.',
					cause: error,
				});
			}

			isTold = true;
			note(error.message);
		}
	};

	/** The keys of removals that are noted, by kind and record. */
	const removals = new Map<string, string>();

	/** Takes a removal out of the log if the service refused it. */
	const unlessRefused = async (place: string, work: () => Promise<void>): Promise<void> => {
		try {
			await work();
		} catch (error) {
			const key = removals.get(place);
			if (key !== undefined && !toSwitchboardError(error).isOutcomeUnknown) {
				await openLog().skip([key]);
			}

			throw error;
		}
	};

	const groupNow = (): Group => groups.getStore() ?? onlyGroup ?? newGroup();

	const noted = Object.fromEntries(
		Object.entries(effects).map(([name, effectOf]) => {
			const operation = name as Writes;
			const work = client[operation] as (...given: unknown[]) => Promise<unknown>;
			return [
				operation,
				async (...given: unknown[]) => {
					const effect = (effectOf as (...all: unknown[]) => Effect)(...given);
					return send(operation, {...effect, group: groupNow()}, async () => work(...given));
				},
			];
		}),
	) as Pick<Client, Writes>;

	return {
		history,
		lists: (): Lists => ({...knowledge.lists}),
		/** Returns a group for the changes of a key, or for changes that take a group back. */
		newGroup,
		/** Runs work whose changes belong to a group. */
		within: async <Result>(group: Group, work: () => Promise<Result>): Promise<Result> => groups.run(group, work),
		/** `editAgent` throws SwitchboardError `not-kept`, and changes nothing, if the text cannot be kept and `canLosePrompt` is not set. */
		client: {
			...client,
			...noted,
			async list(resource, signal, before) {
				const requestedAt = performance.now();
				const list = await client.list(resource, signal, before);
				await handleList({[resource]: list}, requestedAt);
				return list;
			},
			readChanges: async (listener, signal) =>
				client.readChanges(
					{
						...listener,
						onChange(change) {
							if (change.history !== undefined) {
								history.handleNumber();
							}

							listener.onChange(change);
						},
					},
					signal,
				),
			async getInstalledByAbility(abilityId, signal) {
				const release = await client.getInstalledByAbility(abilityId, signal);
				if (release.releaseId !== undefined) {
					knowledge.releases.set(release.releaseId, {abilityId, version: release.version});
				}

				return release;
			},
			async editAgent(agent, changes, signal) {
				await keepPrompt(agent, changes);
				return noted.editAgent(agent, changes, signal);
			},
			deleteAbility: async (ability, signal) => unlessRefused(`ability ${ability.id}`, async () => noted.deleteAbility(ability, signal)),
			uninstallAbility: async (installed, signal) =>
				unlessRefused(`installed ${installed.id}`, async () => noted.uninstallAbility(installed, signal)),
		} satisfies Client as Client,
		/**
		Notes changes in the lists that this client did not make.
		@param since - when the last list without them was requested.
		*/
		noteSeen(changes: readonly RecordChange[], since: number): void {
			add(changes, since);
		},
		/** @throws SwitchboardError `not-kept` if changes cannot be noted. */
		checkLog(): void {
			refuseOff();
			openLog().check();
		},
		/**
		Notes an ability before it is removed, with its package, so that undo can bring it back.
		@returns the key of the removal for `skip`, and the ability as it was noted.
		@throws SwitchboardError `not-kept`.
		*/
		async noteRemoval(former: Former, record: Pick<DecodedRecord, 'id' | 'name' | 'raw'>, zip?: Uint8Array): Promise<NotedFormer> {
			refuseOff();
			const kind = former.ability === undefined ? 'installed' : 'ability';
			const origin = {session, person, ...groupNow()};
			const removal = {kind, record: record.id, name: rawName(record), via, by, origin} as const;
			const name = await openLog().noteRemoval({...removal, before: encodeFormer(former)}, zip);
			const key = skipKey({...removal, field: kind === 'ability' ? 'exists' : 'installed'});
			removals.set(`${kind} ${record.id}`, key);
			return {...former, source: name === undefined ? former.source : {zip: name}, key};
		},
		/** Notes all changes so far, without waiting for more. Never rejects. */
		flush: write,
		/** Notes nothing from now on: the account is signed out, and its log would come back. */
		forget(): void {
			isForgotten = true;
		},
		/** Resolves once everything is noted, as far as it can be. */
		async close(): Promise<void> {
			for (const {
				effect: {unshown = [], group},
				since,
				isMade,
				noted,
				isDenied = false,
			} of pending) {
				if (isMade && noted === undefined && !isDenied) {
					add(unshown, since, group);
				}
			}

			pending = [];
			await write();
		},
	};
}

/** Tells whether the person wants no log of changes. */
export function isLogOff(): boolean {
	return process.env['SWITCHBOARD_JOURNAL'] === 'off';
}

function refuseOff(): void {
	if (isLogOff()) {
		throw new SwitchboardError('not-kept', 'Changes are not noted with SWITCHBOARD_JOURNAL=off.');
	}
}

export type RecordedClient = ReturnType<typeof recordChanges>;
