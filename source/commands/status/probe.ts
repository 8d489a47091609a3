import type {Client, RequestLogEntry} from '../../client/client.ts';
import {isUnknown} from '../../client/routes.ts';
import {endpoints, type Operation} from '../../interface/endpoints.ts';
import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import type {Context} from '../context.ts';

/** What a service shows of itself; null stands for what could not be found out. */
export type ProbeResult = {
	readonly isReachable: boolean | null;
	readonly isKeyAccepted: boolean | null;
	readonly operations: Readonly<Record<Operation, boolean | null>>;
	/** What is wrong, if something is. */
	readonly error?: SwitchboardError | undefined;
};

type Attempt<Result> = {readonly result: Result} | {readonly error: SwitchboardError};

const attempt = async <Result>(work: () => Promise<Result>): Promise<Attempt<Result>> => {
	try {
		return {result: await work()};
	} catch (error) {
		return {error: toSwitchboardError(error)};
	}
};

const errorOf = (tried: Attempt<unknown>): SwitchboardError | undefined => 'error' in tried ? tried.error : undefined;

/** Watches the requests of a client. */
export type Observer = {
	readonly signal: AbortSignal;
	readonly onRequest: (entry: RequestLogEntry) => void;
	/** True if a service answered by HTTP, false if none did, null if a person did not wait for it. */
	readonly isReachable: (tried: Attempt<unknown>) => boolean | null;
};

export const createObserver = ({signal, readSignal}: Context): Observer => {
	let isAnswered = false;
	return {
		signal: readSignal,
		onRequest({status}) {
			isAnswered ||= status !== undefined;
		},
		isReachable: tried => 'result' in tried || (isAnswered && tried.error.kind !== 'unreachable') ? true : (signal.aborted ? null : false),
	};
};

/** True for an operation that answered, false if its path is unknown. */
const isThere = (tried: Attempt<unknown>): boolean | null => {
	const error = errorOf(tried);
	return error === undefined ? true : (isUnknown(error) ? false : null);
};

const nothingKnown = Object.fromEntries(Object.keys(endpoints).map(operation => [operation, null])) as Record<Operation, null>;

/** What its description shows of operations that were not tried: one that shows some has no others. */
const describedOperations = (tried: Attempt<ReadonlySet<Operation> | undefined>): ProbeResult['operations'] => {
	const described = 'result' in tried ? tried.result : undefined;
	return described === undefined
		? nothingKnown
		: Object.fromEntries(Object.keys(endpoints).map(operation => [operation, described.has(operation as Operation)])) as Record<Operation, boolean>;
};

/** What a service shows to someone without a key. */
export const probeWithoutKey = async (client: Client, {signal, isReachable}: Observer): Promise<ProbeResult> => {
	const description = await attempt(async () => client.getDescribedOperations(signal));
	return {
		isReachable: isReachable(description), isKeyAccepted: null, operations: describedOperations(description), error: errorOf(description),
	};
};

const refusedError = (): SwitchboardError => new SwitchboardError('key-refused', 'The service says that the API key is not valid.');

/**
What a service shows: by its lists, by the operation that verifies keys and by its description. Nothing else is tried, and nothing that
could change anything. If it does not answer, it is asked once only.
*/
export const probeService = async (client: Client, {signal, isReachable}: Observer): Promise<ProbeResult> => {
	const installed = await attempt(async () => client.list('installed', signal));
	if (isReachable(installed) !== true) {
		return {
			isReachable: isReachable(installed), isKeyAccepted: null, operations: nothingKnown, error: errorOf(installed),
		};
	}

	const [agents, abilities, verification, description] = await Promise.all([
		attempt(async () => client.list('agents', signal)),
		attempt(async () => client.list('abilities', signal)),
		attempt(async () => client.verifyKey(signal)),
		attempt(async () => client.getDescribedOperations(signal)),
	]);
	const lists = [installed, agents, abilities];
	const isListed = lists.some(list => 'result' in list);
	// A list that the service does not have is no failure, as long as another one can be read.
	const failures = lists.map(list => errorOf(list)).filter(error => error !== undefined);
	const failure = failures.find(error => !(isListed && isUnknown(error)));
	const isRefused = failures.some(({kind}) => kind === 'key-refused') || ('result' in verification && !verification.result);
	const tried = {
		listAgents: isThere(agents), listAbilities: isThere(abilities), listInstalled: isThere(installed), verifyKey: isThere(verification),
	};
	const described = describedOperations(description);
	return {
		isReachable: true,
		isKeyAccepted: isRefused ? false : (isListed || 'result' in verification ? true : null),
		operations: {...described, ...Object.fromEntries(Object.entries(tried).map(([operation, isKnown]) => [operation, isKnown ?? described[operation as Operation]]))},
		error: failure ?? (isRefused ? refusedError() : undefined),
	};
};
