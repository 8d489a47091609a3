import {changeFeedPath, eventStreamType} from '../interface/endpoints.ts';
import {type Connection} from './connection.ts';
import {createEventParser} from './event-parser.ts';
import {parseListChange, type ListChange} from './list-versions.ts';

export type ChangeListener = {
	/** Called when the service begins to tell. */
	onOpen(): void;
	/** Called at first with the version of each list, and then with each new one. */
	onChange(change: ListChange): void;
};

/** The service has no time now; any other answer but a stream means that it never has one for this key. */
const isPassing = (status: number): boolean => [408, 429, 500, 502, 503, 504].includes(status);

const isStream = (status: number, contentType: string | undefined): boolean =>
	status === 200 && contentType?.split(';', 1)[0]!.trim().toLowerCase() === eventStreamType;

/**
Listens to the changes that the service tells, until it stops.

@returns false if it is useless to try again: the service tells of no changes, or nothing that can be understood.
@throws SwitchboardError if the service cannot be reached, or its answer breaks off.
*/
export const readChanges = async ({transport}: Connection, listener: ChangeListener, signal?: AbortSignal): Promise<boolean> => {
	let isUseful = true;
	const decoder = new TextDecoder();
	const parse = createEventParser(({type, data}) => {
		const change = type === 'change' ? parseListChange(data) : undefined;
		if (change !== undefined) {
			listener.onChange(change);
		}
	});
	await transport.stream(changeFeedPath, {
		onHead({status, headers}) {
			const isOpen = isStream(status, headers['content-type']);
			isUseful = isOpen || isPassing(status);
			if (isOpen) {
				listener.onOpen();
			}

			return isOpen;
		},
		onBytes(bytes) {
			isUseful = parse(decoder.decode(bytes, {stream: true}));
			return isUseful;
		},
	}, signal);
	return isUseful;
};
