import {cleanText} from './clean-text.ts';

/**
The kinds of failure that scripts may rely on, each with its exit code.
A kind never changes its meaning; a new one may be added.
*/
export const exitCodes = {
	unexpected: 1,
	usage: 2,
	cancelled: 2,
	ambiguous: 2,
	refused: 2,
	conflict: 2,
	'not-kept': 2,
	'too-large': 2,
	quota: 2,
	'read-only': 2,
	insecure: 2,
	'no-key': 3,
	'key-refused': 3,
	forbidden: 3,
	'not-found': 4,
	'no-effect': 5,
	'rate-limited': 5,
	unreachable: 5,
	timeout: 5,
	'no-room': 5,
	'server-error': 5,
	unintelligible: 5,
	'some-failed': 6,
	hangup: 129,
	interrupted: 130,
	terminated: 143,
} as const;

export type ErrorKind = keyof typeof exitCodes;

export type ErrorDetails = {
	/** The next step, as a whole sentence. */
	readonly nextStep?: string | undefined;
	/** The HTTP status of the answer, if there was one. */
	readonly status?: number | undefined;
	/** The input field that the service, or our own check, refused. */
	readonly field?: string | undefined;
	/** True if a write may have been carried out although no answer came. */
	readonly isOutcomeUnknown?: boolean | undefined;
	/** True if the service refused the key for this, and accepts it for something else. */
	readonly isPartlyRefused?: boolean | undefined;
	/** How long the service asks to be left alone. */
	readonly retryAfterMilliseconds?: number | undefined;
	readonly cause?: unknown;
};

/** The code in the body of a refusal after which nothing was changed. The status 503 does not prove that, as a proxy may have sent it. */
export const nothingChangedCode = 'nothing-changed';

/** The only class of errors that passes between rooms. `message` is a whole sentence for the user. No field ever contains an API key. */
export class SwitchboardError extends Error {
	override readonly name = 'SwitchboardError';
	readonly kind: ErrorKind;
	readonly nextStep: string | undefined;
	readonly status: number | undefined;
	readonly field: string | undefined;
	readonly isOutcomeUnknown: boolean;
	readonly isPartlyRefused: boolean;
	readonly retryAfterMilliseconds: number | undefined;

	constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
		super(message, details.cause === undefined ? undefined : {cause: details.cause});
		this.kind = kind;
		this.nextStep = details.nextStep;
		this.status = details.status;
		this.field = details.field;
		this.isOutcomeUnknown = details.isOutcomeUnknown ?? false;
		this.isPartlyRefused = details.isPartlyRefused ?? false;
		this.retryAfterMilliseconds = details.retryAfterMilliseconds;
	}

	/** Returns the error with other words or fields. */
	with({
		message = this.message,
		nextStep = this.nextStep,
	}: {
		readonly message?: string;
		readonly nextStep?: string | undefined;
	}): SwitchboardError {
		return new SwitchboardError(this.kind, message, {
			status: this.status,
			field: this.field,
			isOutcomeUnknown: this.isOutcomeUnknown,
			isPartlyRefused: this.isPartlyRefused,
			retryAfterMilliseconds: this.retryAfterMilliseconds,
			nextStep,
			cause: this,
		});
	}

	/** The exit code of a command that fails with this error. */
	get exitCode(): number {
		return exitCodes[this.kind];
	}
}

/**
Returns the error of a write whose outcome is unknown, with the state on the service.

@param seen - a whole sentence: the state that the service shows, or that it could not be read.
@param nextStep - how to find out.
*/
export function unknownOutcomeError(error: SwitchboardError, seen: string, nextStep: string | undefined): SwitchboardError {
	// “Interrupted.” follows as the last line of a command.
	return new SwitchboardError(error.kind, error.kind === 'interrupted' ? seen : `${error.message} ${seen}`, {
		nextStep,
		status: error.status,
		isOutcomeUnknown: true,
		cause: error,
	});
}

/** Returns the message and the next step. */
export function errorText({message, nextStep}: Pick<SwitchboardError, 'message' | 'nextStep'>): string {
	return [message, nextStep].filter(Boolean).join(' ');
}

/** Returns the message of anything thrown, for the end of a sentence. */
export function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Throws an error, if there is one. */
export function throwIfAny(error: Error | undefined): void {
	if (error !== undefined) {
		throw error;
	}
}

/** Returns the result of an action; `undefined` if it throws, whatever the reason is. */
export function withoutFailing<Result>(action: () => Result): Result | undefined {
	try {
		return action();
	} catch {
		return undefined;
	}
}

/**
Returns anything thrown as a `SwitchboardError`: of the kind `unexpected`, with the original error as its cause, unless it is one already.
*/
export function toSwitchboardError(error: unknown): SwitchboardError {
	if (error instanceof SwitchboardError) {
		return error;
	}

	const reason = cleanText(reasonOf(error));
	return new SwitchboardError('unexpected', `Unexpected error: ${reason}`, {cause: error});
}

export const signalErrors = {
	SIGHUP: new SwitchboardError('hangup', 'The terminal hung up.'),
	SIGINT: new SwitchboardError('interrupted', 'Interrupted.'),
	SIGTERM: new SwitchboardError('terminated', 'Terminated.'),
} as const;

/** The options that chose the address. */
const usualOptions = {host: '--host', port: '--port'};

/** Returns the error to report when listening on an address fails: `usage` if another address would do. */
export function toListenError(error: unknown, host: string, port: number, options = usualOptions): unknown {
	const notHere = [
		'host',
		`${host} is not an address of this machine.`,
		`Choose another one with ${options.host}, such as 127.0.0.1.`,
	] as const;
	const problems: Readonly<Record<string, readonly [field: string, message: string, nextStep: string]>> = {
		EADDRINUSE: [
			'port',
			`Another program already listens on port ${port} of ${host}.`,
			`Choose another port with ${options.port}, or 0 for any free one.`,
		],
		EACCES: ['port', `Permission denied to listen on port ${port} of ${host}.`, `Choose a port above 1023 with ${options.port}.`],
		EADDRNOTAVAIL: notHere,
		ENOTFOUND: notHere,
	};
	const problem = error instanceof Error && 'code' in error ? problems[String(error.code)] : undefined;
	if (problem === undefined) {
		return error;
	}

	const [field, message, nextStep] = problem;
	return new SwitchboardError('usage', message, {nextStep, field, cause: error});
}
