import {SwitchboardError} from '../interface/errors.ts';
import {listCandidates} from '../interface/list-candidates.ts';
import {recordNouns} from '../interface/lists.ts';
import {indexNames} from '../interface/name-index.ts';
import {didYouMean} from '../interface/nearest-word.ts';
import type {Records, Resource} from '../interface/records.ts';
import type {Context} from './context.ts';
import {readList} from './read-list.ts';
import type {Service} from './with-service.ts';

type Named = {readonly id: number; readonly name: string};

/** What to look for, for the messages. */
type Wanted = {
	readonly resource: Resource;
	/** False if the command only reads: otherwise the messages say that nothing was done. */
	readonly isToChange?: boolean;
};

const consequenceOf = ({isToChange = true}: Wanted): string => isToChange ? ' Nothing was done.' : '';

/** @param near - the names that may be meant. */
export const notFound = (word: string, near: readonly string[], wanted: Wanted): SwitchboardError =>
	new SwitchboardError('not-found', `There is no ${recordNouns[wanted.resource]} “${word}”.${consequenceOf(wanted)}`, {
		nextStep: didYouMean(near) ?? `List them with: switchboard ${wanted.resource}`,
	});

/**
Looks up records by their id, or by their name in any case; an id beats a name (`CONTRACT.md`, Commands).

@returns what finds the record for a word. It throws a SwitchboardError: `not-found`, or `ambiguous` with the candidates.
*/
export const createFinder = <Record_ extends Named>(records: readonly Record_[], wanted: Wanted): ((word: string) => Record_) => {
	// Only the exact digits: “007” is a name.
	const byId = new Map(records.map(record => [String(record.id), record]));
	const names = indexNames(records);

	return word => {
		const candidates = byId.has(word) ? [byId.get(word)!] : names.find(word);
		if (candidates.length > 1) {
			throw new SwitchboardError('ambiguous', `Several are named “${word}”: ${listCandidates(candidates)}.${consequenceOf(wanted)}`, {nextStep: 'Use the id instead.'});
		}

		if (candidates[0] === undefined) {
			throw notFound(word, names.findNear(word), wanted);
		}

		return candidates[0];
	};
};

/** The record with this name or id; throws as the finder does. */
export const findRecord = <Record_ extends Named>(records: readonly Record_[], word: string, wanted: Wanted): Record_ => createFinder(records, wanted)(word);

/** The records with these names or ids, each once, in the order of the words. Throws unless all are found. */
export const findRecords = <Record_ extends Named>(records: readonly Record_[], words: readonly string[], wanted: Wanted): readonly Record_[] => {
	const found = words.map(createFinder(records, wanted));
	return [...new Map(found.map(record => [record.id, record])).values()];
};

/** Reads a list and finds one record in it. */
export const readAndFind = async <R extends Resource>(context: Context, service: Service, word: string, wanted: Wanted & {readonly resource: R}): Promise<Records[R]> =>
	findRecord(await readList(context, service, wanted.resource), word, wanted);

/** Reads a list and finds several records in it. */
export const readAndFindAll = async <R extends Resource>(context: Context, service: Service, words: readonly string[], wanted: Wanted & {readonly resource: R}): Promise<ReadonlyArray<Records[R]>> =>
	findRecords(await readList(context, service, wanted.resource), words, wanted);
