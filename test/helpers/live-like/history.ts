import {type Answer, jsonAnswer} from '../answers.ts';
import type {RecordedRequest} from '../recorded-requests.ts';
import {isRecord, type Entry} from './home.ts';

const isLong = (value: unknown): boolean => isRecord(value) && typeof value['difference'] === 'string';

/** An entry in a page: a difference, and a text that has one, are the start of a text there. */
const inPage = (entry: Entry): Entry =>
	isRecord(entry) && isLong(entry['to'])
		? {
				...entry,
				from: {characters: String(entry['from']).length, sha256: '00', start: String(entry['from']).slice(0, 20)},
				to: {...(entry['to'] as object), difference: undefined, start: 'You'},
			}
		: entry;

/** A page of a history, the newest entry first. */
export function historyAnswer(entries: readonly Entry[], {query}: RecordedRequest): Answer {
	const wanted = new URLSearchParams(query);
	const numberOf = (name: string, otherwise: number): number => Number(wanted.get(name) ?? otherwise);
	const records = wanted.getAll('record');
	const fitting = entries
		.filter(entry => isRecord(entry))
		.filter(
			({id, kind, record, name}) =>
				Number(id) < numberOf('before', Infinity) &&
				Number(id) > numberOf('after', 0) &&
				kind === (wanted.get('kind') ?? kind) &&
				(records.length === 0 || records.includes(String(record)) || records.includes(String(name))),
		);
	if (wanted.has('entry')) {
		return jsonAnswer({entries: fitting.filter(({id}) => Number(id) === numberOf('entry', 0)), next: null});
	}

	const page = fitting.slice(0, numberOf('limit', 100));
	return jsonAnswer({entries: page.map(entry => inPage(entry)), next: page.length < fitting.length ? page.at(-1)!['id'] : null});
}
