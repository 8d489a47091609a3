import type {Client} from '../client/client.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {openLastSeenOf, type LastSeen} from '../settings/last-seen.ts';
import {openRequestLog} from '../settings/request-log.ts';
import {openSettings} from '../settings/settings.ts';
import {
	helpForRefusedKey,
	nameKey,
	withHelp,
	type KeySource,
} from '../settings/sign-in-hint.ts';
import {resolveTarget} from '../settings/target.ts';
import type {Context} from './context.ts';

/** One service and account, as a command uses them. */
export type Service = {
	readonly client: Client;
	readonly lastSeen: LastSeen;
};

type Access = {
	readonly baseAddress: string;
	readonly apiKey: string;
	readonly close: () => Promise<void>;
};

/** Opens the settings and tells the person what is to be told about them. */
export const openSettingsWithNotices = async ({note}: Context) => {
	const settings = await openSettings();
	for (const notice of settings.notices) {
		note(notice);
	}

	return settings;
};

const startLocal = async (): Promise<Access> => {
	const {startLocalService} = await import('../service/local.ts');
	return startLocalService();
};

/** Who is told of requests: the request log that `--debug` asks for. */
const startRequestLog = ({options, note}: Context) => {
	if (!options.isDebug) {
		return undefined;
	}

	try {
		const log = openRequestLog();
		note(`Request log: ${log.path}`);
		return log.write;
	} catch (error) {
		note(`There will be no request log: ${error instanceof Error ? error.message : String(error)}`);
		return undefined;
	}
};

/**
@throws SwitchboardError `read-only`, before anything else is looked at, where the command would change something.
*/
export const refuseReadOnly = ({options}: Context): void => {
	if (options.isReadOnly) {
		throw new SwitchboardError('read-only', 'This command changes something, and --read-only was given.', {nextStep: 'Leave --read-only out to make the change.'});
	}
};

/** A client for an address and a key, with what the global options say about requests. */
export const openClient = async (context: Context, {baseAddress, apiKey, ...source}: Pick<Access, 'baseAddress' | 'apiKey'> & KeySource): Promise<Client> => {
	const {isInsecureHttpAllowed, isReadOnly, timeoutMilliseconds} = context.options;
	// Only now: help, completion and mistakes need no HTTP client.
	const {createClient} = await import('../client/client.ts');
	return createClient({
		baseAddress,
		apiKey,
		keyName: () => nameKey(source),
		isInsecureHttpAllowed,
		isReadOnly,
		timeoutMilliseconds,
		// A command has nobody who presses a key to try again (`DESIGN.md`, The main trip).
		retries: {reads: 2, writes: 1},
		onRequest: startRequestLog(context),
	});
};

/**
Does something with the service that options, environment and settings choose. The bundled service, where that is the
one, runs as long as this does.
*/
export const withService = async <T>(context: Context, action: (service: Service) => Promise<T>): Promise<T> => {
	const {profile, baseUrl, isInsecureHttpAllowed} = context.options;
	const settings = await openSettingsWithNotices(context);
	const target = resolveTarget({
		settings,
		env: context.env,
		profile,
		baseUrl,
		isInsecureHttpAllowed,
		isForUi: false,
	});
	const access = target.kind === 'local' ? await startLocal() : {...target, async close() {/* Not ours to close. */}};
	try {
		const client = await openClient(context, access);
		return await action({client, lastSeen: openLastSeenOf(target)});
	} catch (error) {
		throw target.kind === 'local' ? error : withHelp(error, nextStep => [nextStep, helpForRefusedKey(target)].filter(Boolean).join(' '));
	} finally {
		await access.close();
	}
};
