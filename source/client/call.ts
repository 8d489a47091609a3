import {type Endpoint, type HttpMethod, type Operation} from '../interface/endpoints.ts';
import {type JsonValue} from '../interface/json.ts';
import {type Resource} from '../interface/records.ts';
import {type ListVersions} from './list-versions.ts';
import {type MultipartBody} from './multipart.ts';

/** One request to the service, however many attempts it takes. */
export type Call = {
	/** `undefined` for what any caller may read: then no key is sent. */
	readonly operation: Operation | undefined;
	readonly method: HttpMethod;
	/** The path on the service, with the id filled in, or a full address of the same origin (a list's next page). */
	readonly path: string;
	readonly json?: Readonly<Record<string, JsonValue>> | undefined;
	readonly multipart?: MultipartBody | undefined;
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Cancels it; nothing is sent after that. */
	readonly signal?: AbortSignal | undefined;
	/** An answer with a longer body is given up; 64 MiB by default. */
	readonly maximumBytes?: number | undefined;
	/** Called with the fraction of the body that was sent, 0 to 1. */
	readonly onProgress?: ((fraction: number) => void) | undefined;
};

/** What of an endpoint decides how a request is sent. */
export type Sending = Pick<Endpoint, 'isWrite'> & {readonly auth: Endpoint['auth'] | 'none'};

/** One attempt of one request, for the request log: no key and no body. */
export type RequestLogEntry = {
	readonly method: HttpMethod;
	/** Scheme, host and port. */
	readonly origin: string;
	/** The whole path, without the query. */
	readonly path: string;
	/** `undefined` if no answer came. */
	readonly status: number | undefined;
	/** Why no answer came, as a clause. */
	readonly reason: string | undefined;
	/** Counted from 1. */
	readonly attemptNumber: number;
	/** Milliseconds since the epoch. */
	readonly startedAt: number;
	readonly durationMilliseconds: number;
};

/** How far the read of a list has come. */
export type ListProgress = {
	readonly resource: Resource;
	readonly pageCount: number;
	readonly recordCount: number;
};

/** One service and key, and how requests are sent to it. */
export type TransportOptions = {
	readonly baseAddress: string;
	/** `undefined` if there is none: then only what takes no key can be read. */
	readonly apiKey: string | undefined;
	/** Names the key in messages, such as “the API key in SWITCHBOARD_API_KEY”; “the API key” by default. */
	readonly keyName?: (() => string) | undefined;
	readonly isInsecureHttpAllowed?: boolean | undefined;
	/** Cancels every call; nothing is sent after that. */
	readonly signal?: AbortSignal | undefined;
	/** Refuses every write before a request is made. */
	readonly isReadOnly?: boolean | undefined;
	/** The limit for one attempt; by default 10 s for the first byte and 15 s in all. For an upload, how long it may stall: 60 s by default. */
	readonly timeoutMilliseconds?: number | undefined;
	/** How many times a request is retried after a connection error, 429 or 503; a read also after 500, 502 and 504. */
	readonly retries?: {readonly reads: number; readonly writes: number} | undefined;
	readonly onRequest?: ((entry: RequestLogEntry) => void) | undefined;
	/** Called with each answer to a change, before the caller has it: the versions that the lists it changed have now, and had before. */
	readonly onChanged?: ((operation: Operation, versions: ListVersions, former: ListVersions) => void) | undefined;
	/** Called after each page of a list. */
	readonly onPage?: ((progress: ListProgress) => void) | undefined;
};
