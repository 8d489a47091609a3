import type {Environment, GlobalOptions} from './context.ts';

/** The options as Commander parses them, with names in camel case. */
export type ParsedGlobalOptions = {
	readonly profile?: string | undefined;
	readonly baseUrl?: string | undefined;
	readonly json?: boolean | undefined;
	readonly readOnly?: boolean | undefined;
	readonly insecureHttp?: boolean | undefined;
	/** Milliseconds. */
	readonly timeout?: number | undefined;
	readonly color: boolean;
	readonly ascii?: boolean | undefined;
	readonly debug?: boolean | undefined;
};

/** What `--timeout` takes. */
export const timeoutValue = 'a number of seconds, such as 10 or 0.5, up to 86400';

/** The milliseconds of `--timeout SECONDS`; `undefined` if it is not a number of seconds up to a day. */
export const parseTimeout = (text: string): number | undefined => {
	const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
	return seconds > 0 && seconds <= 86_400 ? seconds * 1000 : undefined;
};

/** The global options of a command. `NO_COLOR` also turns colour off (https://no-color.org). */
export const toGlobalOptions = (options: ParsedGlobalOptions, {NO_COLOR: noColor = '', TERM: term}: Environment): GlobalOptions => ({
	profile: options.profile,
	baseUrl: options.baseUrl,
	isJson: options.json ?? false,
	isReadOnly: options.readOnly ?? false,
	isInsecureHttpAllowed: options.insecureHttp ?? false,
	timeoutMilliseconds: options.timeout,
	isColorWanted: options.color && noColor === '' && term !== 'dumb',
	isAscii: options.ascii ?? false,
	isDebug: options.debug ?? false,
});
