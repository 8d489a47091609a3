import {changeFeedPath, eventStreamType} from '../interface/endpoints.ts';
import {type Connection} from './connection.ts';
import {createEventParser} from './event-parser.ts';
import {parseListChange, type ListChange} from './list-versions.ts';
import {readRetryAfter} from './retry-after.ts';

export type ChangeListener = {
	/** Called before the first change: the head of a stream alone may come from a proxy that holds the rest back. */
	onOpen(): void;
	/** Called at first with the version of each list, and then with each new one. */
	onChange(change: ListChange): void;
};

/** How a service stopped telling of changes. */
export type ChangesEnd = {
	/** False if it is useless to ask again: the service tells of no changes, or nothing that can be understood. */
	readonly isUseful: boolean;
	/** How long the service asks to be left alone. */
	readonly retryAfterMilliseconds?: number | undefined;
};

/** The service has no time now; any other answer but a stream means that it never has one for this key. */
const isPassing = (status: number): boolean => [408, 429, 500, 502, 503, 504].includes(status);

const isStream = (status: number, contentType: string | undefined): boolean =>
	status === 200 && contentType?.split(';', 1)[0]!.trim().toLowerCase() === eventStreamType;

/**
Listens to the changes that the service tells, until it stops.

@throws SwitchboardError if the service cannot be reached, or its answer breaks off.
*/
export const readChanges = async ({transport}: Connection, listener: ChangeListener, signal?: AbortSignal): Promise<ChangesEnd> => {
	let isUseful = true;
	let retryAfterMilliseconds: number | undefined;
	let isOpen = false;
	const decoder = new TextDecoder();
	const parse = createEventParser(({type, data}) => {
		const change = type === 'change' ? parseListChange(data) : undefined;
		if (change === undefined) {
			return;
		}

		if (!isOpen) {
			isOpen = true;
			listener.onOpen();
		}

		listener.onChange(change);
	});
	await transport.stream(changeFeedPath, {
		onHead({status, headers}) {
			const isTelling = isStream(status, headers['content-type']);
			isUseful = isTelling || isPassing(status);
			retryAfterMilliseconds = isTelling ? undefined : readRetryAfter(headers['retry-after']);
			return isTelling;
		},
		onBytes(bytes) {
			isUseful = parse(decoder.decode(bytes, {stream: true}));
			return isUseful;
		},
	}, signal);
	return {isUseful, retryAfterMilliseconds};
};
