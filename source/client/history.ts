import {historyPath} from '../interface/endpoints.ts';
import {decodeHistoryPage, formatHistoryQuery, type HistoryPage, type HistoryQuery} from '../interface/history.ts';
import {toAnswerError, toUnintelligibleError} from './answer-errors.ts';
import type {Connection} from './lists.ts';

/** Many times the length of the longest page of ours, or of an entry with its texts. */
const maximumBytes = 16 * 1024 * 1024;

/**
Reads a page of the service's history (`interface/history.ts`).

@param before - the page that the caller has for the same query: it is returned if the service answers that nothing has changed (304).
@throws SwitchboardError `not-found`, with the status of the answer, if the service has no history: only the bundled one has.
*/
export const readHistory = async (
	{transport}: Connection,
	query: HistoryQuery,
	signal?: AbortSignal,
	before?: HistoryPage,
): Promise<HistoryPage> => {
	const answer = await transport.send({
		operation: undefined,
		sending: {auth: 'header', isWrite: false},
		method: 'GET',
		path: historyPath + formatHistoryQuery(query),
		signal,
		maximumBytes,
		...(before?.entityTag !== undefined && {headers: {'if-none-match': before.entityTag}}),
	});
	if (answer.status === 304 && before !== undefined) {
		return before;
	}

	if (answer.status < 200 || answer.status >= 300) {
		throw toAnswerError(answer, transport.keyName);
	}

	const page = decodeHistoryPage(answer.json());
	if (page === undefined) {
		throw toUnintelligibleError(answer, 'a history');
	}

	return {...page, entityTag: answer.headers.etag};
};
