import {cleanText} from '../../interface/clean-text.ts';
import {type LogError, stackOf} from '../http/error-log.ts';
import {type EndedRequest, type OnRequest} from './observe-requests.ts';

export type LogFormat = 'text' | 'json';

/** Each entry is one line. It holds no key and no body; of ids that of the key, of the request, and of the record in its path. */
type Formatter = {
	readonly request: (time: string, request: EndedRequest) => string;
	readonly error: (time: string, error: unknown, where: string) => string;
	readonly message: (time: string, text: string) => string;
	readonly dropped: (time: string, count: number) => string;
};

const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

const maximumAccountLength = 100;

/** The text of an error has its stack. */
const maximumMessageLength = 4000;

const jsonFormatter: Formatter = {
	request: (time, {method, path, status, milliseconds, caller, address, requestId, record}) => JSON.stringify({
		time,
		method,
		path,
		status,
		ms: rounded(milliseconds),
		account: caller === undefined ? null : cleanText(caller.account, maximumAccountLength),
		key: caller?.keyName ?? null,
		address: address ?? null,
		request: requestId ?? null,
		record: record ?? null,
	}),
	error: (time, error, where) => JSON.stringify({time, error: stackOf(error), where}),
	message: (time, text) => JSON.stringify({time, message: text}),
	dropped: (time, dropped) => JSON.stringify({time, dropped}),
};

const textFormatter: Formatter = {
	request(time, {method, path, status, milliseconds, caller, address = '-', requestId = '-', record = '-'}) {
		const sender = caller === undefined ? 'account=- key=-' : `account=${JSON.stringify(cleanText(caller.account, maximumAccountLength))} key=${caller.keyName}`;
		return `${time} ${method} ${path} ${status} ${rounded(milliseconds)}ms ${sender} address=${address} request=${requestId} record=${record}`;
	},
	error: (time, error, where) => `${time} error at ${where}: ${cleanText(stackOf(error), maximumMessageLength)}`,
	message: (time, text) => `${time} ${cleanText(text, maximumMessageLength)}`,
	dropped: (time, count) => `${time} dropped ${count} lines that were not read in time`,
};

const formatters: Readonly<Record<LogFormat, Formatter>> = {text: textFormatter, json: jsonFormatter};

export type ServiceLog = {
	readonly logRequest: OnRequest;
	readonly logError: LogError;
	/** Tells the operator something, in whole sentences. */
	readonly note: (text: string) => void;
};

/** The line that tells how many others are missing. */
export const describeDropped = (format: LogFormat, count: number): string =>
	formatters[format].dropped(new Date().toISOString(), count);

/** @param writeLine - takes a line without its end. */
export const createServiceLog = (format: LogFormat, writeLine: (line: string) => void): ServiceLog => {
	const {request, error, message} = formatters[format];
	const now = (): string => new Date().toISOString();
	return {
		logRequest(ended) {
			writeLine(request(now(), ended));
		},
		logError(reason, where) {
			writeLine(error(now(), reason, where));
		},
		note(text) {
			writeLine(message(now(), text));
		},
	};
};
