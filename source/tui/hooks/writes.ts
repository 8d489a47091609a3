import {setImmediate as nextTurn} from 'node:timers/promises';
import {type Mutation, type QueryClient} from '@tanstack/react-query';
import {type ServiceSession} from './service-session.ts';

type Write = {
	/** What is done to which record. Two writes with the same key run one after the other. */
	readonly key: readonly [kind: string, id: number | string];
	/** A sentence for a person who quits before the answer arrives. */
	readonly unknown: string;
	/** What is sent, for screens that show it until it is confirmed. */
	readonly variables?: unknown;
};

type Writing = Pick<ServiceSession, 'queryClient'>;

/** Runs a write so that the whole program knows that it is under way. It is never retried. */
export const runWrite = async <Result>({queryClient}: Writing, {key, unknown, variables}: Write, work: () => Promise<Result>): Promise<Result> => {
	const mutation = queryClient.getMutationCache().build(queryClient, {
		mutationKey: key,
		scope: {id: key.join(' ')},
		mutationFn: work,
		meta: {unknown},
	});
	return mutation.execute(variables);
};

/** True while a write with this key waits for its answer. */
export const isWriting = ({queryClient}: Writing, key: Write['key']): boolean => queryClient.isMutating({mutationKey: key, exact: true}) > 0;

/** Switching reports its own outcomes. */
const isReported = ({options}: Mutation): boolean => options.mutationKey?.[0] !== 'set-enabled';

/** What is known about the pending writes, if the program does not wait for their answers. */
export const writesUnderWay = (queryClient: QueryClient): readonly string[] =>
	queryClient.getMutationCache().findAll({status: 'pending', predicate: isReported})
		.map(({meta}) => {
			const unknown = meta?.['unknown'];
			return typeof unknown === 'string' ? unknown : 'It is not known whether a change was saved.';
		});

/** Resolves when `writesUnderWay` has no more writes. */
export const whenWritesEnd = async (queryClient: QueryClient): Promise<void> => {
	await nextTurn();
	while (writesUnderWay(queryClient).length > 0) {
		const {promise, resolve} = Promise.withResolvers<void>();
		const unsubscribe = queryClient.getMutationCache().subscribe(() => {
			resolve();
		});
		await promise;
		unsubscribe();
		// By then the answer is reported, and the next of several writes has begun.
		await nextTurn();
	}
};
