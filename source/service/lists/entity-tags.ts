import {codings, type Coding} from './content-coding.ts';

/** The entity tag of a list; in another coding it is another representation, with a tag of its own (RFC 9110, section 8.8.3.3). */
export const entityTag = (version: string, mark: string, coding?: Coding): string =>
	`"${version}-${mark}${coding === undefined ? '' : `-${coding}`}"`;

/** What is between the quotes cannot contain one (RFC 9110, section 8.8.3). */
const tags = /(?:W\/)?(?<tag>"[^"]*")/g;

/**
Whether a client has the list already, in whatever coding, by its `If-None-Match`.

@returns the tag that it has; `undefined` if it has another list, or none.
*/
export const findMatch = (header: string | undefined, version: string, mark: string): string | undefined => {
	if (header === undefined) {
		return undefined;
	}

	const own = [undefined, ...codings].map(coding => entityTag(version, mark, coding));
	if (header.trim() === '*') {
		return own[0];
	}

	const sent = new Set([...header.matchAll(tags)].map(match => match.groups?.['tag']));
	return own.find(tag => sent.has(tag));
};
