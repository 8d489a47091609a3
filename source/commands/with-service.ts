import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {Client, RequestLogEntry} from '../client/client.ts';
import {type ErrorKind, reasonOf, SwitchboardError} from '../interface/errors.ts';
import {counted, formatCount} from '../interface/format-count.ts';
import {beyondRights, type KeyRights} from '../interface/key-rights.ts';
import {listNouns} from '../interface/lists.ts';
import type {Resource} from '../interface/records.ts';
import {openLastSeenOf, type LastSeen} from '../settings/last-seen.ts';
import {draftAccountOf, presetAccountOf} from '../settings/account.ts';
import {openAccountRecords} from '../changes/account-records.ts';
import {openLog, type ChangeLog} from '../changes/log.ts';
import {localProfileName, type StoredProfiles} from '../settings/profile.ts';
import {recordChanges, type RecordedClient} from '../changes/recorded-client.ts';
import {withKeptTimers} from '../changes/kept-timers.ts';
import {createTimerKeeper, type KeeperOptions} from '../changes/timer-keeper.ts';
import {openSettings, type Settings} from '../settings/settings.ts';
import {sessionTokenVariable} from '../platform/secret-variables.ts';
import {beginSession, endSession} from '../platform/sessions.ts';
import {shellWord} from '../platform/shell-word.ts';
import {helpForRefusedKey, apiKeyLabel, withRefusedKeyHelp, type KeySource} from '../settings/sign-in-hint.ts';
import {inspectTarget, resolveTarget, type RemoteTarget, type Target, type TargetFindings, type TargetOptions} from '../settings/target.ts';
import {isSwitch, setsTimer, type Step} from '../state/plan.ts';
import type {Context, SessionAccess} from './context.ts';

/** The client keeps each prompt that it replaces, and notes its changes; `lists` has the lists as they were read last. */
type Recorded = Pick<RecordedClient, 'client' | 'history' | 'noteSeen' | 'newGroup' | 'within' | 'checkLog' | 'noteRemoval' | 'lists'>;

export type Service = Recorded & {
	/** Its base address, or `local`, because the bundled service's address changes with each start. */
	readonly address: string;
	/** The log with the replaced prompts. */
	readonly log: ChangeLog;
	readonly lastSeen: LastSeen;
	/** Tells which program keeps the timers, once a list was read. */
	readonly timersKeptBy: ReturnType<typeof withKeptTimers>['keptBy'];
	/** Throws a SwitchboardError `refused` if no program keeps timers. */
	readonly refuseUnkeptTimers: ReturnType<typeof withKeptTimers>['refuseUnkept'];
	/** Returns a keeper of the timers on this machine. */
	readonly createTimerKeeper: (options: Omit<KeeperOptions, 'client' | 'openLog'>) => ReturnType<typeof createTimerKeeper>;
	/** The account under which the screens keep unsaved texts. */
	readonly draftAccount: string;
	/** Adds help to the error of a refused key, for errors that stay within `withService`; all other errors stay as they are. */
	readonly explain: (error: unknown) => unknown;
};

/** Prints the notices of the settings, without the first ones. */
export function noteNotices({note}: Context, {notices}: Pick<Settings, 'notices'>, knownCount = 0): void {
	for (const notice of notices.slice(knownCount)) {
		note(notice);
	}
}

/** Opens the settings and prints their notices. */
export async function openSettingsWithNotices(context: Context): Promise<Settings> {
	const settings = await openSettings({records: openAccountRecords()});
	noteNotices(context, settings);
	return settings;
}

/** The notes about credentials that each command has printed; it may open its service several times. */
const said = new WeakMap<Context['streams'], Set<string>>();

/** Returns the options that choose the service and the key of a command. */
export function targetOptions(context: Context, settings: StoredProfiles): TargetOptions {
	const {env, options} = context;
	const {profile, baseUrl, isInsecureHttpAllowed} = options;
	return {settings, env, profile, baseUrl, isInsecureHttpAllowed, isForUi: false, note: noteOnce(context)};
}

const noteOnce =
	({streams, note}: Context) =>
	(sentence: string): void => {
		const sentences = said.get(streams) ?? new Set();
		said.set(streams, sentences);
		if (!sentences.has(sentence)) {
			sentences.add(sentence);
			note(sentence);
		}
	};

/** Returns the options that lead to this service. Over SSH there is only one. */
export function targetWords({options: {profile, baseUrl}, session}: Context): readonly string[] {
	return [
		...(profile === undefined || session !== undefined ? [] : ['--profile', shellWord(profile)]),
		...(baseUrl === undefined ? [] : ['--base-url', shellWord(baseUrl)]),
	];
}

type Access = Pick<RemoteTarget, 'baseAddress' | 'apiKey' | 'sessionToken'> & {readonly close: () => Promise<void>};

/**
Opens access as `openAccess` does, but does not create a data folder: without one, the bundled service uses a temporary folder until it is
closed.
*/
export async function openAccessToLook(target: Target): Promise<Access> {
	if (target.kind !== 'local') {
		return openAccess(target);
	}

	const {defaultDataFolder, hasDatabase} = await import('../service/data-folder.ts');
	if (hasDatabase(defaultDataFolder())) {
		return startLocal();
	}

	const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-look-'));
	const remove = (): void => rmSync(folder, {recursive: true, force: true});

	try {
		const access = await startLocal(folder);
		return {
			...access,
			async close() {
				await access.close();
				remove();
			},
		};
	} catch (error) {
		remove();
		throw error;
	}
}

/** Returns the address and the key of a target. The bundled service, if it is the target, runs until it is closed. */
const openAccess = async (target: Target): Promise<Access> =>
	target.kind === 'local'
		? startLocal()
		: {
				...target,
				async close() {
					/* Runs elsewhere. */
				},
			};

async function startLocal(dataFolder?: string): Promise<Access> {
	const {startLocalService} = await import('../service/local.ts');
	// Only `serve`, `migrate` and the terminal UI change a schema.
	return startLocalService({dataFolder, isMigrationAllowed: false});
}

/** Returns a function that adds help with this target's key to the error of a refused key. */
export function explainFor({session}: Context, target: Target) {
	return (error: unknown): unknown => {
		if (session !== undefined) {
			return explainToSession(error);
		}

		return target.kind === 'local'
			? error
			: withRefusedKeyHelp(error, nextStep => [nextStep, helpForRefusedKey(target)].filter(Boolean).join(' '));
	};
}

/** The error with a next step for a person over SSH, who has neither the key nor the address; all other errors stay as they are. */
const explainToSession = (error: unknown): unknown =>
	error instanceof SwitchboardError && serverKinds.has(error.kind)
		? error.with({nextStep: 'If this persists, tell the administrator of this server.'})
		: error;

/**
Returns a client for an address and a key that follows the global options. Without a key it reads only data that needs none. `onRequest` is
called with each attempt.
*/
export async function openClient(
	context: Context,
	{
		baseAddress,
		apiKey,
		sessionToken,
		...source
	}: Pick<Access, 'baseAddress' | 'sessionToken'> & {readonly apiKey: string | undefined} & KeySource,
	onRequest?: (entry: RequestLogEntry) => void,
): Promise<Client> {
	const log = await startRequestLog(context);
	const {showProgress} = context;
	const {isInsecureHttpAllowed, isReadOnly, timeoutMilliseconds} = context.options;
	// Help, completion and mistakes need no HTTP client.
	return (await import('../client/client.ts')).createClient({
		baseAddress,
		apiKey,
		person: context.session?.person,
		// An assistant runs longer than such a token lives, and nobody would read the note there.
		sessionToken:
			sessionToken === undefined || context.commandName === 'mcp'
				? undefined
				: {token: sessionToken, variable: sessionTokenVariable, onFirstUse: noteOnce(context)},
		keyName: () => apiKeyLabel(source),
		isInsecureHttpAllowed,
		isReadOnly,
		timeoutMilliseconds,
		// A command has no key for retrying (`docs/compatibility.md`, Commands).
		retries: {reads: 2, writes: 1},
		onRequest(entry) {
			log?.(entry);
			onRequest?.(entry);
		},
		onPage({resource, pageCount, recordCount}) {
			showProgress(`Reading the list of ${listNouns[resource]}: page ${formatCount(pageCount)}, ${counted(recordCount, 'record')} …`);
		},
	});
}

/** Opens the request log that `--debug` asks for. */
async function startRequestLog({options, note}: Context) {
	if (!options.isDebug) {
		return undefined;
	}

	try {
		const log = (await import('../settings/logs.ts')).openRequestLog();
		note(`Request log: ${log.path}`);
		return log.write;
	} catch (error) {
		note(`No request log: ${reasonOf(error)}`);
		return undefined;
	}
}

/** Returns the service and the key that options, environment and settings choose. */
export async function chooseTarget(context: Context): Promise<Target> {
	return context.session === undefined
		? resolveTarget(targetOptions(context, await openSettingsWithNotices(context)))
		: context.session.resolveTarget();
}

/** Returns the choice with the source of each part; if there is no target, the reason. */
export async function inspectChoice(context: Context): Promise<TargetFindings> {
	return context.session === undefined
		? inspectTarget(targetOptions(context, await openSettingsWithNotices(context)))
		: inspectSession(context.session);
}

/** Returns the service and the key of a session, for `status`; if there are none, the reason. */
function inspectSession({profileName, resolveTarget}: SessionAccess): TargetFindings {
	const profile = {name: profileName, source: 'ssh'} as const;
	try {
		const target = resolveTarget();
		const {baseAddress} = target;
		return {profile, address: {baseAddress, source: 'profile'}, key: {source: 'profile'}, outcome: target};
	} catch (error) {
		if (!(error instanceof SwitchboardError)) {
			throw error;
		}

		return {profile, outcome: error};
	}
}

/** Runs an action on a service. The bundled service, if it is the target, runs as long as the action does. */
export async function withTarget<T>(context: Context, target: Target, action: (service: Service) => Promise<T>): Promise<T> {
	const access = await openAccess(target);
	const explain = explainFor(context, target);
	const sessionName = beginSession();
	let recorded: RecordedClient | undefined;
	try {
		const {commandName: via, note, session} = context;
		const log = openLog(presetAccountOf(target), {stateFolder: session?.stateFolder, arePathsShown: session === undefined});
		const by = session?.person?.name;
		const bare = refuseByKey(context, await openClient(context, access));
		const kept = withKeptTimers(bare, {openLog: () => log, by, personId: session?.personId, isLocal: target.kind === 'local'});
		recorded = recordChanges(kept.client, {
			openLog: () => log,
			by,
			via,
			session: sessionName,
			personId: session?.personId,
			isOneGroup: true,
			note,
			noteMissing: note,
			delayMilliseconds: 0,
		});
		return await action({
			...recorded,
			address: target.kind === 'local' ? localProfileName : target.baseAddress,
			log,
			lastSeen: openLastSeenOf(target, session),
			timersKeptBy: kept.keptBy,
			refuseUnkeptTimers: kept.refuseUnkept,
			createTimerKeeper: options => createTimerKeeper({client: bare, openLog: () => log, ...options}),
			draftAccount: draftAccountOf(target),
			explain,
		});
	} catch (error) {
		throw explain(error);
	} finally {
		await recorded?.close();
		endSession(sessionName);
		await access.close();
	}
}

/** Runs an action on the service that options, environment and settings choose. */
export async function withService<T>(context: Context, action: (service: Service) => Promise<T>): Promise<T> {
	return withTarget(context, await chooseTarget(context), action);
}

/** Errors that only the server's operator can solve. */
const serverKinds: ReadonlySet<ErrorKind> = new Set(['no-key', 'key-refused', 'insecure', 'unreachable', 'unintelligible']);

/*
A change beyond the rights of a key is refused as soon as the service has named them, with the first list: before a question, and in a dry
run too. The client would refuse to send it.
*/

/** Commands that only switch, or check their plan themselves (`refuseSteps`). */
const switchingCommands: ReadonlySet<string> = new Set([
	'enable',
	'disable',
	'toggle',
	'timers set',
	'timers cancel',
	'presets apply',
	'apply',
	'history revert',
	'undo',
]);

/** Tells whether a changing command can work with the rights of a key. */
export function mayRun(commandName: string, rights: KeyRights): boolean {
	return rights === 'all' || (rights === 'switch' && switchingCommands.has(commandName));
}

/** Returns a client that refuses the first list to a command beyond the rights of the key. */
function refuseByKey({commandName, isChanging}: Context, client: Client): Client {
	return isChanging
		? {
				...client,
				async list<R extends Resource>(...given: Parameters<typeof client.list<R>>) {
					const list = await client.list(...given);
					const limits = await client.getKeyLimits();
					if (limits !== undefined && !mayRun(commandName, limits.rights)) {
						throw beyondRights(limits);
					}

					return list;
				},
			}
		: client;
}

/** @throws SwitchboardError `forbidden` if the key may not carry out all these steps. */
export async function refuseSteps({getKeyLimits}: Pick<Client, 'getKeyLimits'>, steps: readonly Step[]): Promise<void> {
	const limits = await getKeyLimits();
	if (limits !== undefined && steps.some(step => limits.rights !== 'switch' || !(isSwitch(step) || setsTimer(step)))) {
		throw beyondRights(limits);
	}
}
