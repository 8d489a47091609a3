import {Option} from 'commander';
import type {LogFormat} from '../service/observability/service-log.ts';
import type {ServiceOptions} from '../service/service.ts';
import type {Context} from './context.ts';
import {anyOf, wrongValue} from './wrong-value.ts';

const logFormats: readonly LogFormat[] = ['text', 'json'];

const parseLogFormat = (text: string): LogFormat => {
	const format = logFormats.find(known => known === text);
	if (format === undefined) {
		throw wrongValue('--log', text, anyOf(logFormats));
	}

	return format;
};

export const logOption = new Option('--log <format>', 'write a line for each request to standard error').choices(logFormats).argParser(parseLogFormat);

type ServeLog = {
	/** Tells the person who started the service something. */
	readonly note: (text: string) => void;
	readonly logOptions: Pick<ServiceOptions, 'report' | 'onRequest' | 'onError'>;
};

/** With a format, all that standard error is told is an entry of the log. */
export const openServeLog = async ({note, streams}: Context, format: LogFormat | undefined): Promise<ServeLog> => {
	if (format === undefined) {
		return {note, logOptions: {report: note}};
	}

	const [{createServiceLog, describeDropped}, {createLineWriter}] = await Promise.all([
		import('../service/observability/service-log.ts'),
		import('../service/observability/line-writer.ts'),
	]);
	const log = createServiceLog(format, createLineWriter(streams.stderr, count => describeDropped(format, count)));
	return {note: log.note, logOptions: {report: log.note, onRequest: log.logRequest, onError: log.logError}};
};
