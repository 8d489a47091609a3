import {
	formerOfDeletion,
	formerOfUninstallation,
	lateSource,
	patienceMilliseconds,
	readSources,
	type Former,
	type RemovedSource,
} from '../../changes/removals.ts';
import type {NotedFormer} from '../../changes/recorded-client.ts';
import {toSwitchboardError} from '../../interface/errors.ts';
import type {Ability, Agent} from '../../interface/records.ts';
import type {ServiceSession} from './service-session.ts';
import type {BatchItem} from './writes.ts';

/* Reads the state of abilities before they are uninstalled or deleted, while the person is asked. */

type GatherOptions = {
	/** The abilities of a deletion, whose sources are read; empty for an uninstallation. */
	readonly deleted: readonly Ability[];
	/** Called when more is known. */
	readonly onChange: () => void;
};

/** Reads the data for an undo while the person is asked: the lists and, before a deletion, the sources. */
export function gatherForUndo(session: ServiceSession, {deleted, onChange}: GatherOptions) {
	const stopping = new AbortController();
	const {signal} = stopping;
	const stopped = new Promise<void>(resolve => {
		signal.addEventListener('abort', () => resolve());
	});
	const sources = new Map<number, RemovedSource>();
	const sourcesRead = readSources(session.records.client, deleted, {
		signal,
		check: session.changes.log.check,
		onRead(id, source) {
			sources.set(id, source);
			onChange();
		},
	});
	let agents: readonly Agent[] | 'reading' | 'unreadable' = 'reading';
	const readLists = async (): Promise<void> => {
		const read = await Promise.allSettled([
			session.records.readAgain('agents'),
			...(session.records.seen('abilities') === undefined ? [session.records.readAgain('abilities')] : []),
		]);
		agents = (read[0].status === 'fulfilled' ? session.records.seen('agents') : undefined) ?? 'unreadable';
		onChange();
	};

	const gathered = Promise.race([stopped, Promise.all([sourcesRead, readLists()])]);
	let isOver = false;
	void gathered.then(() => {
		isOver = true;
	});
	return {
		/** `undefined` while it is being read. */
		sourceOf: (id: number): RemovedSource | undefined => sources.get(id),
		/** The newest agents, once they are read. */
		agents: (): typeof agents => (typeof agents === 'string' ? agents : (session.records.seen('agents') ?? agents)),
		isOver: () => isOver,
		/** Stops reading. */
		stop: (): void => stopping.abort(),
		/** Resolves once everything readable is read, or when reading takes too long. */
		async whenOver(): Promise<void> {
			const timer = setTimeout(() => stopping.abort(), patienceMilliseconds);
			await gathered;
			clearTimeout(timer);
		},
		/** Notes the present state of a record before it is removed; returns `undefined` if no list has it. */
		async note({id}: BatchItem): Promise<NotedFormer | undefined> {
			const {seen} = session.records;
			const [abilities, installed] = [seen('abilities'), seen('installed')];
			const lists = {abilities, installed, agents: seen('agents')};
			const isDeletion = deleted.length > 0;
			const source = sources.get(id) ?? lateSource;
			const [ability, record] = [abilities?.find(each => each.id === id), installed?.find(each => each.id === id)];
			if (isDeletion) {
				return ability && noteFormer(session, formerOfDeletion(ability, source, lists), ability, 'zip' in source ? source.zip : undefined);
			}

			return record && noteFormer(session, formerOfUninstallation(record, lists), record);
		},
	};
}

async function noteFormer(
	session: ServiceSession,
	former: Former,
	record: Parameters<ServiceSession['changes']['log']['noteRemoval']>[1],
	zip?: Uint8Array,
): Promise<NotedFormer> {
	try {
		return await session.changes.log.noteRemoval(former, record, zip);
	} catch (error) {
		return former.ability === undefined ? former : {...former, source: {reason: toSwitchboardError(error).message}};
	}
}

export type Gathered = ReturnType<typeof gatherForUndo>;
