import {Option} from 'commander';
import type {LogFormat} from '../../service/observability/service-log.ts';
import type {ServiceOptions} from '../../service/service.ts';
import type {Context} from '../context.ts';
import {wrongChoice} from '../wrong-value.ts';

const logFormats: readonly LogFormat[] = ['text', 'json'];

const parseLogFormat = (text: string): LogFormat => {
	const format = logFormats.find(known => known === text);
	if (format === undefined) {
		throw wrongChoice('--log', text, logFormats);
	}

	return format;
};

export const logOption = (description: string): Option => new Option('--log <format>', description).choices(logFormats).argParser(parseLogFormat);

type ServeLog = {
	/** Its notes go to the log. */
	readonly context: Context;
	readonly logOptions: Pick<ServiceOptions, 'report' | 'onRequest' | 'onError' | 'onKeyChange'>;
};

/** With a format, everything that goes to standard error is an entry of the log. */
export const openServeLog = async (context: Context, format: LogFormat | undefined): Promise<ServeLog> => {
	if (format === undefined) {
		return {context, logOptions: {report: context.note}};
	}

	const [{createServiceLog, describeDropped}, {createLineWriter}] = await Promise.all([
		import('../../service/observability/service-log.ts'),
		import('../../service/observability/line-writer.ts'),
	]);
	const log = createServiceLog(format, createLineWriter(context.streams.stderr, count => describeDropped(format, count)));
	return {
		context: {...context, note: log.note},
		logOptions: {
			report: log.note, onRequest: log.logRequest, onError: log.logError, onKeyChange: log.note,
		},
	};
};
