import {type Answer, jsonAnswer} from '../answers.ts';
import {type Entry, isRecord} from './home.ts';

/** `named`: under the resource's own word; `results` and `data`: under these, in pages where a page size is given. */
export type ListShape = 'bare' | 'named' | 'results' | 'data';

export type ListOptions = {
	readonly listShape: ListShape;
	/** Ids as numbers, or as the same in digits. */
	readonly idStyle: 'number' | 'digits';
	/** Entries a page; all on one, unless given. */
	readonly pageSize: number | undefined;
	/** The address of the next page; an absolute one of this server, unless given. */
	readonly nextAddress: ((page: number, path: string) => string) | undefined;
};

const withIdStyle = (entry: Entry, idStyle: ListOptions['idStyle']): Entry =>
	idStyle === 'digits' && isRecord(entry) && typeof entry['id'] === 'number' ? {...entry, id: String(entry['id'])} : entry;

type ListRequest = {
	readonly entries: readonly Entry[];
	readonly word: string;
	readonly path: string;
	readonly query: string;
	readonly baseAddress: string;
};

/** One page of a list, in the shape that was chosen. */
export function listAnswer({entries, word, path, query, baseAddress}: ListRequest, options: ListOptions): Answer {
	const styled = entries.map(entry => withIdStyle(entry, options.idStyle));
	if (options.listShape === 'bare') {
		return jsonAnswer(styled);
	}

	if (options.listShape === 'named') {
		return jsonAnswer({[word]: styled});
	}

	const pageSize = options.pageSize ?? Math.max(styled.length, 1);
	const page = Number(new URLSearchParams(query).get('page') ?? 1);
	const hasMore = page * pageSize < styled.length;
	const nextAddress = options.nextAddress ?? ((next: number) => `${baseAddress}${path}?page=${next}`);
	return jsonAnswer({
		count: styled.length,
		next: hasMore ? nextAddress(page + 1, path) : null,
		previous: null,
		[options.listShape]: styled.slice((page - 1) * pageSize, page * pageSize),
	});
}
