import {setImmediate as nextTurn} from 'node:timers/promises';
import {type QueryClient} from '@tanstack/react-query';
import {toSwitchboardError} from '../../interface/errors.ts';
import {type Records, type Resource} from '../../interface/records.ts';
import {notSeenYet} from './late-change.ts';
import {changeList, resourceKeys, type SeenList} from './list-cache.ts';
import {type ServiceSession} from './service-session.ts';

export type Write = {
	/** What is done to which record: a second one of the same key can be told from the first. */
	readonly key: readonly [kind: string, id: number | string];
	/** A sentence for the person who leaves before the answer has come. */
	readonly unknown: string;
};

type Writing = Pick<ServiceSession, 'queryClient'>;

type Reading = Pick<ServiceSession, 'queryClient' | 'readAgain'>;

type Identified = {readonly id: number};

/** Carries out a write so that the whole program knows that it is under way. It is never repeated by itself. */
export const runWrite = async <Result>({queryClient}: Writing, {key, unknown}: Write, work: () => Promise<Result>): Promise<Result> => {
	const mutation = queryClient.getMutationCache().build(queryClient, {
		mutationKey: key,
		mutationFn: work,
		meta: {unknown},
	});
	return mutation.execute(undefined);
};

/** True while a write of this kind to this record waits for its answer. */
export const isWriting = ({queryClient}: Writing, key: Write['key']): boolean => queryClient.isMutating({mutationKey: key, exact: true}) > 0;

/** What is to be said about the writes under way where their answers are not waited for. Switching tells of itself. */
export const writesUnderWay = (queryClient: QueryClient): readonly string[] =>
	queryClient.getMutationCache().findAll({status: 'pending', predicate: ({options}) => options.mutationKey?.[0] !== 'set-enabled'})
		.map(({meta}) => {
			const unknown = meta?.['unknown'];
			return typeof unknown === 'string' ? unknown : 'It is not known what became of a change that was under way.';
		});

/** Resolves when no write that `writesUnderWay` knows of waits for its answer. */
export const whenWritesEnd = async (queryClient: QueryClient): Promise<void> => {
	await nextTurn();
	while (writesUnderWay(queryClient).length > 0) {
		const {promise, resolve} = Promise.withResolvers<void>();
		const unsubscribe = queryClient.getMutationCache().subscribe(() => {
			resolve();
		});
		await promise;
		unsubscribe();
		await nextTurn();
	}
};

/**
Reads lists now, in place of any that may be on their way: those were made before the write. One that nobody has read yet
is left alone.

@returns false where one could not be read; the screens say why.
*/
export const readListsAgain = async ({queryClient, readAgain}: Reading, resources: readonly Resource[]): Promise<boolean> => {
	const read = async (resource: Resource): Promise<void> => {
		if (queryClient.getQueryState(resourceKeys.list(resource)) !== undefined) {
			await readAgain(resource);
		}
	};

	const results = await Promise.allSettled(resources.map(async resource => read(resource)));
	return results.every(({status}) => status === 'fulfilled');
};

/** Takes a record out of its list, once the service has said that it is gone. */
const forgetRecord = async (session: Writing, resource: Resource, id: number): Promise<void> =>
	changeList(session.queryClient, resource, records => records.filter(record => record.id !== id));

/** Puts a record as the service has it now in the place of the one before. */
export const replaceRecord = async <R extends Resource>(session: Writing, resource: R, changed: Records[R]): Promise<void> =>
	changeList(session.queryClient, resource, records => records.map(record => record.id === changed.id ? changed : record));

/**
Whether a list of now has a record, where the answer to the write that was to remove it never came; `undefined` where none
can be read that tells.
*/
const isListed = async (session: Reading, resource: Resource, id: number): Promise<boolean | undefined> => {
	const isRead = await readListsAgain(session, [resource]);
	const list = session.queryClient.getQueryData<SeenList<Identified>>(resourceKeys.list(resource));
	const isThere = list?.records.some(record => record.id === id) ?? false;
	// What a list that was cut short does not show may be there all the same.
	return isRead && (isThere || list?.isComplete) ? isThere : undefined;
};

/**
Has a record removed, and takes it out of its list. Where the answer is lost, the list as it is now tells whether it is gone;
where it is there, its removal may still arrive.
*/
export const removeRecord = async (session: Reading, resource: Resource, id: number, remove: () => Promise<void>): Promise<void> => {
	try {
		await remove();
	} catch (error_) {
		const error = toSwitchboardError(error_);
		if (!error.isOutcomeUnknown) {
			throw error;
		}

		const isThere = await isListed(session, resource, id);
		if (isThere !== false) {
			throw isThere ? notSeenYet(error, 'It is still in the list') : error;
		}
	}

	await forgetRecord(session, resource, id);
};
