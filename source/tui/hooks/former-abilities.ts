import {sendChanges} from '../../changes/send-changes.ts';
import {formatBytes} from '../../interface/ability-package/limits.ts';
import type {PackageFile} from '../../interface/ability-package/write-zip.ts';
import {toSwitchboardError} from '../../interface/errors.ts';
import {abilityLookup, absenceCheck, installedLookup} from '../../interface/installed-lookup.ts';
import type {Ability, Agent, InstalledAbility} from '../../interface/records.ts';
import type {MemoryKey, ServiceSession} from './service-session.ts';
import type {BatchItem} from './writes.ts';

/*
How an ability is, noted before it is uninstalled or deleted. The source of a deleted ability is kept in memory alone, for as long as
the session lives.
*/

/** The sources of all deleted abilities that one session keeps. The oldest make room for new ones. */
const maximumBytes = 32 * 1024 * 1024;

/** The longest wait, after the person agreed, for what undo needs. */
const patienceMilliseconds = 10_000;

type Source = {
	/** With its description, which a list may lack. */
	readonly ability: Ability;
	readonly files: readonly PackageFile[];
	readonly sizeBytes: number;
};

/** The source of an ability, or a sentence that says why it cannot be kept. */
export type KeptSource = Source | {readonly reason: string};

/** An ability as it was before it was uninstalled or deleted. */
export type Former = {
	readonly name: string;
	/** `undefined` if no list shows which ability an installed record is of. */
	readonly ability: (Pick<Ability, 'id'> & Partial<Ability>) | undefined;
	readonly installed: InstalledAbility | undefined;
	/** True if it was surely not installed. */
	readonly isAbsent: boolean;
	/** The agents that used it; `undefined` if the service does not show them. */
	readonly agents: readonly Agent[] | undefined;
	/** Of a deleted ability; it may be dropped to make room. */
	source?: KeptSource | undefined;
	/** How far it has been brought back. What an undo that failed has done is not done again. */
	isBack?: boolean;
	isInstallationSent?: boolean;
	isUploadUncertain?: boolean;
	newId?: number | undefined;
};

type KeptDeletion = {readonly formers: readonly Former[]; readonly sizeBytes: number; drop(): void};

/** The deletions whose sources a session keeps, the oldest first. */
export const keptDeletions: MemoryKey<Set<KeptDeletion>> = {create: () => new Set()};

/** True for a source that was read and is still kept. */
export const isKept = (source: KeptSource | undefined): source is Source => source !== undefined && 'files' in source;

/** Keeps the sources of deleted abilities until they are brought back, or until newer ones need the room: then `onDropped` gets the reason. */
export const keepSources = (session: ServiceSession, formers: readonly Former[], onDropped: (reason: string) => void): void => {
	const kept = session.memory.get(keptDeletions);
	const deletion: KeptDeletion = {
		formers,
		sizeBytes: formers.reduce((total, {source}) => total + (isKept(source) ? source.sizeBytes : 0), 0),
		drop() {
			const reason = `Newer deletions needed the room: at most ${formatBytes(maximumBytes)} of sources are kept.`;
			kept.delete(deletion);
			for (const former of formers) {
				former.source = {reason};
			}

			onDropped(reason);
		},
	};
	kept.add(deletion);
	let sizeBytes = 0;
	for (const each of [...kept].toReversed()) {
		sizeBytes += each.sizeBytes;
		if (sizeBytes > maximumBytes) {
			each.drop();
		}
	}
};

const readSource = async ({records: {client}}: ServiceSession, listed: Ability, signal: AbortSignal): Promise<Source> => {
	// Loaded only now: most people delete nothing.
	const {readServiceSource} = await import('../../client/release-source.ts');
	const ability = Object.hasOwn(listed.raw, 'description') ? listed : await client.getAbility(listed.id, signal);
	const files = await readServiceSource(client, ability, {signal});
	return {ability, files, sizeBytes: files.reduce((total, {bytes}) => total + bytes.byteLength, 0)};
};

/** @param source - of an ability that is deleted; `undefined` for an installed record. */
const formerOf = (session: ServiceSession, {id, name}: BatchItem, source: KeptSource | undefined): Former => {
	const abilities = session.records.seen('abilities') ?? [];
	const installed = session.records.seen('installed');
	const agents = session.records.seen('agents');
	const record = source === undefined ? installed?.find(each => each.id === id) : undefined;
	const ability =
		source === undefined
			? record && (abilityLookup(abilities)(record) ?? (record.abilityId === undefined ? undefined : {id: record.abilityId}))
			: abilities.find(each => each.id === id);
	const isListed = ability !== undefined && 'raw' in ability;
	const found = record ?? (isListed ? installedLookup(installed ?? [])(ability) : undefined);
	const isTiedTo = ({abilityIds}: Agent): boolean => abilityIds!.includes(ability!.id);
	const areAgentsShown = ability !== undefined && (agents?.every(({abilityIds}) => abilityIds !== undefined) ?? false);
	return {
		name,
		ability,
		installed: found,
		isAbsent: found === undefined && installed !== undefined && isListed && absenceCheck(installed)(ability),
		agents: areAgentsShown ? agents?.filter(agent => isTiedTo(agent)) : undefined,
		source,
	};
};

type GatherOptions = {
	/** The abilities of a deletion, of which the source is read; empty for an uninstallation. */
	readonly deleted: readonly Ability[];
	/** Called when more is known. */
	readonly onChange: () => void;
};

/** Reads, while the person is asked, what an undo needs: the lists and, before a deletion, the sources. */
export const gatherForUndo = (session: ServiceSession, {deleted, onChange}: GatherOptions) => {
	const stopping = new AbortController();
	const {signal} = stopping;
	const stopped = new Promise<void>(resolve => {
		signal.addEventListener('abort', () => resolve());
	});
	const sources = new Map<number, KeptSource>();
	const late: KeptSource = {reason: 'Its source was not read in time.'};
	let sizeBytes = 0;

	const readOne = async (ability: Ability): Promise<KeptSource> => {
		try {
			const source = await readSource(session, ability, signal);
			sizeBytes += source.sizeBytes;
			return sizeBytes > maximumBytes ? {reason: `At most ${formatBytes(maximumBytes)} of sources are kept.`} : source;
		} catch (error) {
			return signal.aborted ? late : {reason: toSwitchboardError(error).message};
		}
	};

	const sourcesRead = sendChanges(deleted, {
		signal,
		async send(ability) {
			sources.set(ability.id, await readOne(ability));
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
		/** `undefined` while it is read. */
		sourceOf: (id: number): KeptSource | undefined => sources.get(id),
		/** The newest agents, once they are read. */
		agents: (): typeof agents => (typeof agents === 'string' ? agents : (session.records.seen('agents') ?? agents)),
		isOver: () => isOver,
		/** Reads no more. */
		stop(): void {
			stopping.abort();
		},
		/** Resolves once all is read that can be, at the latest when reading takes too long. */
		async whenOver(): Promise<void> {
			const timer = setTimeout(() => stopping.abort(), patienceMilliseconds);
			await gathered;
			clearTimeout(timer);
		},
		/** How a record is now, before it goes. */
		formerOf: (item: BatchItem): Former => formerOf(session, item, deleted.length === 0 ? undefined : (sources.get(item.id) ?? late)),
	};
};

export type Gathered = ReturnType<typeof gatherForUndo>;
