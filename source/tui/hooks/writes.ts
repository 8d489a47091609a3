import {setImmediate as nextTurn} from 'node:timers/promises';
import type {Mutation, QueryClient} from '@tanstack/react-query';
import {sendChange, sendChanges, type Finding} from '../../changes/send-changes.ts';
import {unknownOutcomeError, type SwitchboardError} from '../../interface/errors.ts';
import type {Resource} from '../../interface/records.ts';
import {when} from '../observable.ts';
import {changeList, queueKey, resourceKeys, type SeenList} from './list-cache.ts';
import type {MemoryKey, ServiceSession} from './service-session.ts';

type Write = {
	/** The operation and its record. Writes with one key run one at a time. */
	readonly key: readonly [kind: string, id: number | string];
	/** A sentence for a person who quits before the answer arrives. */
	readonly unknown: string;
	/** The sent values, for screens that show them until they are confirmed. */
	readonly variables?: unknown;
};

/** Runs a write that the whole program knows to be under way. It is never retried. */
export async function runWrite<Result>(
	{records: {queryClient}}: ServiceSession,
	{key, unknown, variables}: Write,
	work: () => Promise<Result>,
): Promise<Result> {
	const mutation = queryClient
		.getMutationCache()
		.build(queryClient, {mutationKey: key, scope: {id: key.join(' ')}, mutationFn: work, meta: {unknown}});
	return mutation.execute(variables);
}

/** Returns a sentence for each pending write, for a program that does not wait for the answers. */
export function writesUnderWay(queryClient: QueryClient): readonly string[] {
	return queryClient
		.getMutationCache()
		.findAll({status: 'pending', predicate: isReported})
		.map(({meta}) => {
			const unknown = meta?.['unknown'];
			return typeof unknown === 'string' ? unknown : 'It is not known whether a change was saved.';
		});
}

/** The queue reports its own outcomes. */
const isReported = ({options}: Mutation): boolean => options.mutationKey?.[0] !== queueKey;

/** Subscribes to changes of the writes under way. */
export function subscribeToWrites(queryClient: QueryClient) {
	return (listener: () => void): (() => void) => queryClient.getMutationCache().subscribe(() => listener());
}

/** Resolves when `writesUnderWay` has no more writes: their answers are reported by then, and in a batch the next one has begun. */
export async function whenWritesEnd(queryClient: QueryClient): Promise<void> {
	await nextTurn();
	await when(() => writesUnderWay(queryClient).length === 0, subscribeToWrites(queryClient));
}

/**
Reads lists now, in place of reads that may have begun before a write. A list that was never read is not read now.

@returns false if a list could not be read; the screens show the reason.
*/
export async function readListsAgain(
	{records: {queryClient, readAgain}}: ServiceSession,
	resources: readonly Resource[],
): Promise<boolean> {
	const read = async (resource: Resource): Promise<void> => {
		if (queryClient.getQueryState(resourceKeys.list(resource)) !== undefined) {
			await readAgain(resource);
		}
	};

	const results = await Promise.allSettled(resources.map(async resource => read(resource)));
	return results.every(({status}) => status === 'fulfilled');
}

/**
Runs a write; if its answer is lost, reads a list again to find out the outcome.

@param find - the finding in the fresh list, with a sentence without its full stop.
@throws SwitchboardError of unknown outcome if the list does not show the change: it may still arrive.
*/
export async function writeOrLookUp<Result>(
	session: ServiceSession,
	resource: Resource,
	write: () => Promise<Result>,
	find: () => Finding<undefined, Result>,
): Promise<Result> {
	return sendChange<Result, true>({
		send: write,
		lookUp: {
			read: async () => (await readListsAgain(session, [resource])) || undefined,
			find,
			explain: (error, _item, finding) =>
				finding === undefined
					? error
					: unknownOutcomeError(error, `${finding.sentence!}, but the change may still arrive.`, error.nextStep),
		},
	});
}

export type BatchItem = {readonly id: number; readonly name: string};

/** A write that is made to one or several records. */
export type BatchWrite = {
	/** The name of these writes, such as `delete-ability`. */
	readonly kind: string;
	readonly shownBy: readonly Resource[];
	/** A sentence for a person who quits before the answer arrives. */
	unknownText(name: string): string;
	write(session: ServiceSession, item: BatchItem): Promise<void>;
};

export type BatchOutcome<Item> = {
	readonly item: Item;
	/** `undefined` if it was done. */
	readonly error: SwitchboardError | undefined;
};

/** The writes that are under way or queued. */
const writesInBatches: MemoryKey<Set<string>> = {create: () => new Set()};

/** Tells whether this write to a record is under way or queued. */
export function isInBatch(session: ServiceSession, batch: BatchWrite, item: BatchItem): boolean {
	return session.memory.get(writesInBatches).has(keyOf(batch, item));
}

const keyOf = ({kind}: BatchWrite, {id}: BatchItem): string => `${kind} ${id}`;

/** Writes to each record, a few at a time and past failures, then reads the lists again. Never rejects. */
export async function runBatch<Item extends BatchItem>(
	session: ServiceSession,
	batch: BatchWrite,
	items: readonly Item[],
	onEach: (outcome: BatchOutcome<Item>) => void,
): Promise<void> {
	const keys = session.memory.get(writesInBatches);
	for (const item of items) {
		keys.add(keyOf(batch, item));
	}

	await sendChanges(items, {
		async send(item) {
			try {
				await runWrite(session, {key: [batch.kind, item.id], unknown: batch.unknownText(item.name)}, async () =>
					batch.write(session, item),
				);
			} finally {
				keys.delete(keyOf(batch, item));
			}
		},
		onOutcome: outcome => onEach({item: outcome.item, error: 'error' in outcome ? outcome.error : undefined}),
	});
	await readListsAgain(session, batch.shownBy);
}

/** Deletes abilities for everyone. */
export const deletion: BatchWrite = {
	kind: 'delete-ability',
	shownBy: ['abilities', 'installed', 'agents'],
	unknownText: name => `It is not known whether ${name} is deleted.`,
	async write(session, {id, name}) {
		await removeRecord(session, 'abilities', id, async () => session.records.client.deleteAbility({id, name}));
		session.records.queryClient.removeQueries({queryKey: resourceKeys.ability(id)});
	},
};

/** Installs abilities, if the service can: the path is not documented. */
export const installation: BatchWrite = {
	kind: 'install-ability',
	shownBy: ['installed', 'abilities'],
	unknownText: name => `It is not known whether ${name} is installed.`,
	async write(session, {id, name}) {
		const idsBefore = new Set(session.records.seen('installed')?.map(record => record.id));
		await writeOrLookUp(
			session,
			'installed',
			async () => session.records.client.installAbility({id, name}),
			() => {
				// Some services tie the two only by name.
				const isNew = session.records
					.seen('installed')
					?.some(record => !idsBefore.has(record.id) && (record.abilityId === undefined ? record.name === name : record.abilityId === id));
				return isNew ? {result: undefined} : {sentence: 'The list of installed abilities does not have it'};
			},
		);
	},
};

/** Uninstalls installed abilities; the abilities themselves stay. */
export const uninstallation: BatchWrite = {
	kind: 'uninstall-ability',
	shownBy: ['installed', 'abilities', 'agents'],
	unknownText: name => `It is not known whether ${name} is still installed.`,
	async write(session, {id, name}) {
		await removeRecord(session, 'installed', id, async () => session.records.client.uninstallAbility({id, name}));
	},
};

/** Removes a record on the service, then from its list. */
async function removeRecord(session: ServiceSession, resource: Resource, id: number, remove: () => Promise<void>): Promise<void> {
	await writeOrLookUp(session, resource, remove, () => {
		const list = session.records.queryClient.getQueryData<SeenList<{readonly id: number}>>(resourceKeys.list(resource));
		const isListed = list?.records.some(record => record.id === id);
		// An incomplete list may lack a record that exists.
		return isListed ? {sentence: 'It is still in the list'} : list?.isComplete ? {result: undefined} : undefined;
	});
	await changeList(session.records.queryClient, resource, records => records.filter(record => record.id !== id));
}
