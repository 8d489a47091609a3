import {toSwitchboardError} from '../../interface/errors.ts';
import {type Records, type Resource} from '../../interface/records.ts';
import {notSeenYet} from './late-change.ts';
import {changeList, resourceKeys, type SeenList} from './list-cache.ts';
import {type ServiceSession} from './service-session.ts';

type Writing = Pick<ServiceSession, 'queryClient'>;

type Reading = Pick<ServiceSession, 'queryClient' | 'readAgain'>;

type Identified = {readonly id: number};

/**
Reads lists now, in place of reads under way, which may have begun before a write. A list that nobody has read yet is left
alone.

@returns false if one could not be read; the screens say why.
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

/** Replaces a record in its list by the one that the service has now. */
export const replaceRecord = async <R extends Resource>(session: Writing, resource: R, changed: Records[R]): Promise<void> =>
	changeList(session.queryClient, resource, records => records.map(record => record.id === changed.id ? changed : record));

/** What a fresh list shows about a write: its result, or what it shows instead; `undefined` if it does not tell. */
type Finding<Result> = {readonly result: Result} | {readonly shows: string} | undefined;

/**
Runs a write; if its answer is lost, reads a list again to find out the outcome.

@throws SwitchboardError of unknown outcome if the list does not show the change: it may still arrive.
*/
export const writeOrLookUp = async <Result>(session: Reading, resource: Resource, write: () => Promise<Result>, lookUp: () => Finding<Result>): Promise<Result> => {
	try {
		return await write();
	} catch (error_) {
		const error = toSwitchboardError(error_);
		const finding = error.isOutcomeUnknown && await readListsAgain(session, [resource]) ? lookUp() : undefined;
		if (finding === undefined) {
			throw error;
		}

		if ('shows' in finding) {
			throw notSeenYet(error, finding.shows);
		}

		return finding.result;
	}
};

/** Removes a record on the service, then from its list. */
export const removeRecord = async (session: Reading, resource: Resource, id: number, remove: () => Promise<void>): Promise<void> => {
	const isListed = ({records}: SeenList<Identified>): boolean => records.some(record => record.id === id);

	await writeOrLookUp(session, resource, remove, () => {
		const list = session.queryClient.getQueryData<SeenList<Identified>>(resourceKeys.list(resource));
		if (list !== undefined && isListed(list)) {
			return {shows: 'It is still in the list'};
		}

		// An incomplete list may lack a record that exists.
		return list?.isComplete ? {result: undefined} : undefined;
	});
	await changeList(session.queryClient, resource, records => records.filter(record => record.id !== id));
};
