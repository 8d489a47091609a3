import type {VerifiedKey} from '../../client/operations.ts';
import type {Client, RequestLogEntry} from '../../client/client.ts';
import {isUnknown} from '../../client/routes.ts';
import {endpoints, type Operation} from '../../interface/endpoints.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {rightsWords, shownMinute, type KeyRights} from '../../interface/key-rights.ts';
import {sessionTokenVariable} from '../../platform/secret-variables.ts';
import {sessionTokenEnd} from '../../interface/session-token.ts';
import {userFolders} from '../../platform/user-folders.ts';
import {keyLastFour} from '../../settings/profile.ts';
import type {TargetFindings} from '../../settings/target.ts';
import {wrapText} from '../../terminal/wrap.ts';
import {isForPerson, outputWidth, type Context} from '../context.ts';
import {printFields, type Field} from '../output/table.ts';
import {allowedCommands} from '../allowed-commands.ts';
import {explainFor, inspectChoice, openAccessToLook, openClient, mayRun} from '../with-service.ts';

/** The reads that show whether the key is accepted, each with its operation. */
const reads = {agents: 'listAgents', abilities: 'listAbilities', installed: 'listInstalled', verify: 'verifyKey'} as const;

const allOperations = Object.keys(endpoints) as readonly Operation[];

/** The operations that a command on the service needs, by the command's words. */
const neededOperations: Readonly<Record<string, readonly Operation[]>> = {
	agents: ['listAgents'],
	'agents edit': ['listAgents', 'editAgent'],
	abilities: ['listAbilities'],
	// A service that does not show single abilities has them in its list.
	'abilities get': ['listAbilities'],
	'abilities upload': ['uploadAbility'],
	'abilities push': ['listAbilities', 'getTemplateFile', 'uploadAbility', 'getInstalledByAbility', 'releaseCode'],
	'abilities edit': ['listAbilities', 'editAbility'],
	'abilities pull': ['listAbilities', 'getTemplateFile'],
	'abilities diff': ['listAbilities', 'getTemplateFile'],
	'abilities delete': ['listAbilities', 'deleteAbility'],
	installed: ['listInstalled'],
	'installed edit': ['listInstalled', 'editInstalled'],
	enable: ['listInstalled', 'editInstalled'],
	disable: ['listInstalled', 'editInstalled'],
	toggle: ['listInstalled', 'editInstalled'],
	install: ['listAbilities', 'listInstalled', 'installAbility'],
	uninstall: ['listInstalled', 'uninstallAbility'],
};

/** The source of a part, for a person. */
const sourceTexts: Readonly<Record<string, string>> = {
	'current profile': 'the current profile',
	ssh: 'yours on this server',
	base_url: 'has the key for this address',
	profile: 'stored in the profile',
};

/** The indentation of a long value. */
const nameWidth = 15;

/** Prints all findings, then fails with the problem, if there is one. */
export async function showStatus(context: Context): Promise<void> {
	const findings = await inspectChoice(context);
	const probed = await probe(context, findings);
	await printStatus(context, findings, probed);
	const {error} = probed;
	if (findings.outcome instanceof SwitchboardError) {
		if (error !== undefined) {
			context.note(error.message);
		}

		throw findings.outcome;
	}

	// There the session token is used instead of the key.
	const isReplaced = error?.isPartlyRefused === true && endOf(sessionTokenOf(findings.outcome)) > Date.now();
	if (error !== undefined && !isReplaced) {
		throw explainFor(context, findings.outcome)(error);
	}
}

/** The state of a service; null means unknown. */
type ProbeResult = {
	readonly isReachable: boolean | null;
	readonly isKeyAccepted: boolean | null;
	/** The reads that accepted the key, as far as they were tried. */
	readonly accepted: Readonly<Record<keyof typeof reads, boolean | null>>;
	readonly operations: Readonly<Record<Operation, boolean | null>>;
	/** The service's facts about the key, if it gives any. */
	readonly key?: VerifiedKey | undefined;
	readonly error?: SwitchboardError | undefined;
};

/** A service that was not asked. */
const unasked: ProbeResult = {
	isReachable: null,
	isKeyAccepted: null,
	accepted: {agents: null, abilities: null, installed: null, verify: null},
	operations: Object.fromEntries(allOperations.map(operation => [operation, null])) as Record<Operation, null>,
};

/** Sends the requests; without a key only for data that is open to everyone. */
async function probe(context: Context, {address, outcome}: TargetFindings): Promise<ProbeResult> {
	const observer = createObserver(context);
	context.showProgress('Asking the service …');
	if (!(outcome instanceof SwitchboardError)) {
		const access = await openAccessToLook(outcome);
		try {
			// The key's rights show only without the token that is used in its place.
			return await probeService(await openClient(context, {...access, sessionToken: undefined}, observer.onRequest), observer);
		} finally {
			await access.close();
		}
	}

	return address?.baseAddress === undefined || outcome.kind === 'insecure'
		? unasked
		: probeWithoutKey(await openClient(context, {baseAddress: address.baseAddress, apiKey: undefined}, observer.onRequest), observer);
}

type Attempt<Result> = {readonly result: Result} | {readonly error: SwitchboardError};

/** Watches the requests of a client. */
function createObserver({signal, readSignal}: Context) {
	let isAnswered = false;
	return {
		signal: readSignal,
		onRequest({status}: RequestLogEntry): void {
			isAnswered ||= status !== undefined;
		},
		/** True if a service answered by HTTP, false if none did, null if the person did not wait. */
		isReachable: (tried: Attempt<unknown>): boolean | null =>
			'result' in tried || (isAnswered && tried.error.kind !== 'unreachable') ? true : signal.aborted ? null : false,
	};
}

type Observer = ReturnType<typeof createObserver>;

/**
Returns the features of a service, from its lists, the operation that verifies keys and its description. It tries nothing else, and nothing
that could change anything. A service that does not answer gets only one request.
*/
async function probeService(client: Client, {signal, isReachable}: Observer): Promise<ProbeResult> {
	const installed = await attempt(async () => client.list('installed', signal));
	if (isReachable(installed) !== true) {
		return {...unasked, isReachable: isReachable(installed), error: errorOf(installed)};
	}

	const [agents, abilities, verification, description] = await Promise.all([
		attempt(async () => client.list('agents', signal)),
		attempt(async () => client.list('abilities', signal)),
		attempt(async () => client.verifyKey(signal)),
		attempt(async () => client.getDescribedOperations(signal)),
	]);
	const lists = [installed, agents, abilities];
	const isListed = lists.some(list => 'result' in list);
	// A missing list is not a failure, as long as another one can be read.
	const failures = lists.map(list => errorOf(list)).filter(error => error !== undefined);
	const failure = failures.find(error => !(isListed && isUnknown(error)));
	const accepted = {
		agents: isAccepted(agents),
		abilities: isAccepted(abilities),
		installed: isAccepted(installed),
		// A service without that operation may give any answer, even 401.
		verify: 'result' in verification ? verification.result.isValid : null,
	};
	const answers = Object.values(accepted).filter(answer => answer !== null);
	const tried = {listAgents: agents, listAbilities: abilities, listInstalled: installed, verifyKey: verification};
	const described = describedOperations(description);
	return {
		isReachable: true,
		key: 'result' in verification ? verification.result : undefined,
		isKeyAccepted: answers.length === 0 ? null : answers.includes(true),
		accepted,
		operations: {
			...described,
			...Object.fromEntries(Object.values(reads).map(operation => [operation, isThere(tried[operation]) ?? described[operation]])),
		},
		error:
			failure ??
			(accepted.verify === false ? new SwitchboardError('key-refused', 'The service says that the API key is not valid.') : undefined),
	};
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Attempt<Result>> {
	try {
		return {result: await work()};
	} catch (error) {
		return {error: toSwitchboardError(error)};
	}
}

const errorOf = (tried: Attempt<unknown>): SwitchboardError | undefined => ('error' in tried ? tried.error : undefined);

/** Tells whether the key was accepted for a list, false if it was refused. */
function isAccepted(tried: Attempt<unknown>): boolean | null {
	const error = errorOf(tried);
	return error === undefined ? true : error.kind === 'key-refused' ? false : null;
}

/** Tells whether an operation answered; false if its path is unknown. */
function isThere(tried: Attempt<unknown>): boolean | null {
	const error = errorOf(tried);
	return error === undefined ? true : isUnknown(error) ? false : null;
}

/** Returns the operations in the service's description: a description that lists some is complete. */
function describedOperations(tried: Attempt<ReadonlySet<Operation> | undefined>): ProbeResult['operations'] {
	const described = 'result' in tried ? tried.result : undefined;
	return described === undefined
		? unasked.operations
		: (Object.fromEntries(allOperations.map(operation => [operation, described.has(operation)])) as Record<Operation, boolean>);
}

/** Returns the state of a service as seen without a key. */
async function probeWithoutKey(client: Client, {signal, isReachable}: Observer): Promise<ProbeResult> {
	const description = await attempt(async () => client.getDescribedOperations(signal));
	return {...unasked, isReachable: isReachable(description), operations: describedOperations(description), error: errorOf(description)};
}

async function printStatus(context: Context, {profile, address, key, outcome}: TargetFindings, probed: ProbeResult): Promise<void> {
	const {isReachable, isKeyAccepted, accepted, operations} = probed;
	const {rights, expiresAt} = probed.key ?? {};
	const person = context.session?.person?.name;
	const isLocal = !(outcome instanceof Error) && outcome.kind === 'local';
	if (context.options.isJson) {
		await context.printJson({
			profile: profile?.name ?? null,
			profile_source: profile?.source ?? null,
			base_url: address?.baseAddress ?? null,
			base_url_source: address?.source ?? null,
			key_last4: keyLastFour({apiKey: key?.apiKey}) ?? null,
			key_source: key?.source ?? null,
			reachable: isReachable,
			key_accepted: isKeyAccepted,
			accepted,
			session_token: sessionTokenOf(outcome) === undefined ? null : sessionTokenVariable,
			operations: Object.fromEntries(allOperations.map(operation => [snakeCase(operation), operations[operation]])),
			key_rights: rights ?? null,
			key_expires_at: expiresAt ?? null,
			person: person ?? null,
			files: filesOf(context) ?? null,
		});
		return;
	}

	const commands = isKeyAccepted ? Object.keys(neededOperations).filter(command => isAllowed(command, context, rights)) : [];
	const thatWork = (wanted: boolean | null): string =>
		commands.filter(command => worksWith(command, usableOperations(probed, outcome)) === wanted).join(', ');
	printFields(context, [
		...(person === undefined ? [] : [['you', person] as const]),
		['profile', withSource(profile?.name, sourceText(profile?.source))],
		['address', isLocal ? 'the bundled service on this machine' : withSource(address?.baseAddress, sourceText(address?.source))],
		['key', isLocal ? 'not needed' : keyText(key, context)],
		['reachable', yesOrNo(isReachable)],
		['key accepted', yesOrNo(isKeyAccepted)],
		...(isReachable ? inLines(context, 'accepted for', acceptedText(accepted)) : []),
		...sessionTokenFields(context, outcome),
		...(rights === undefined ? [] : [['key may', rightsWords(rights)] as const]),
		...(expiresAt === undefined ? [] : [['key ends', shownMinute(expiresAt)] as const]),
		...inLines(context, 'works', thatWork(true)),
		...inLines(context, 'unavailable', thatWork(false)),
		...inLines(context, 'not known', thatWork(null)),
		...Object.entries(filesOf(context) ?? {}),
	]);
}

/** Returns where this program keeps its files; a person over SSH has none here. */
function filesOf({session}: Context) {
	const {config, log: state, data, cache} = userFolders();
	return session === undefined ? {settings: config, state, data, cache} : undefined;
}

const sessionTokenOf = (outcome: TargetFindings['outcome']): string | undefined =>
	outcome instanceof SwitchboardError || outcome.kind === 'local' ? undefined : outcome.sessionToken;

const snakeCase = (operation: string): string => operation.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** True for a command that this person may run here, if the service offers it. */
const isAllowed = (command: string, {session, options}: Context, rights: KeyRights = 'all'): boolean =>
	(session === undefined || Object.hasOwn(allowedCommands, command)) &&
	(neededOperations[command]!.every(operation => !endpoints[operation].isWrite) || (!options.isReadOnly && mayRun(command, rights)));

/** Tells whether a command works: false if the service lacks a needed operation, null if that is not known. */
function worksWith(command: string, operations: ProbeResult['operations']): boolean | null {
	const states = new Set(neededOperations[command]!.map(operation => operations[operation]));
	return states.has(false) ? false : states.has(null) ? null : true;
}

/** Returns the usable operations: without a list that refuses the key, unless a session token is used in its place. */
function usableOperations({accepted, operations}: ProbeResult, outcome: TargetFindings['outcome']): ProbeResult['operations'] {
	const isReplaced = endOf(sessionTokenOf(outcome)) > Date.now();
	const refused = (Object.keys(reads) as ReadonlyArray<keyof typeof reads>).filter(read => accepted[read] === false);
	return {...operations, ...Object.fromEntries(refused.map(read => [reads[read], isReplaced]))};
}

const endOf = (token: string | undefined): number => (token === undefined ? -Infinity : (sessionTokenEnd(token) ?? Infinity));

/** Returns a value with its source. */
const withSource = (value: string | undefined, source: string | undefined): string =>
	`${value ?? 'none'}${source === undefined ? '' : ` (${source})`}`;

const sourceText = (source: string | undefined): string | undefined =>
	source === undefined ? undefined : (sourceTexts[source] ?? `from ${source}`);

/** Returns the part of the key that may be shown. */
function keyText(key: TargetFindings['key'], {session}: Context): string {
	if (session !== undefined && key !== undefined) {
		return 'kept by this server';
	}

	const end = keyLastFour({apiKey: key?.apiKey});
	return withSource(end === undefined ? undefined : `…${end}`, sourceText(key?.source));
}

const yesOrNo = (value: boolean | null): string => (value === null ? 'not known' : value ? 'yes' : 'no');

/** Returns a long value in as many lines as a terminal needs. */
const inLines = (context: Context, name: string, value: string): readonly Field[] =>
	isForPerson(context)
		? wrapText(value, Math.max(20, outputWidth(context.streams.stdout) - nameWidth)).map(
				(line, index): Field => [index === 0 ? name : '', line],
			)
		: [[name, value]];

/** Says for each read whether the key was accepted; changes are not tried. */
const acceptedText = (accepted: ProbeResult['accepted']): string =>
	[
		...Object.entries(accepted).map(([read, isTaken]) => `${read === 'verify' ? 'verification' : read}: ${yesOrNo(isTaken)}`),
		'changes: not tried',
	].join(', ');

function sessionTokenFields(context: Context, outcome: TargetFindings['outcome']): readonly Field[] {
	const token = sessionTokenOf(outcome);
	if (token === undefined) {
		return [];
	}

	const end = endOf(token);
	const use = end > Date.now() ? 'used where the key is refused' : `expired on ${shownMinute(new Date(end).toISOString())}`;
	return inLines(context, 'session token', `${sessionTokenVariable}, ${use}`);
}
