import type {FastifyError, FastifyReply, FastifyRequest} from 'fastify';
import {type ErrorKind, nothingChangedCode, SwitchboardError} from '../../interface/errors.ts';
import {StoreFailure, type Trouble} from '../store-errors.ts';

/** Logs an unexpected failure for the operator of the service. */
export type LogError = (error: unknown, where: string) => void;

/** The HTTP status of each kind of error. Any other kind is a failure of the service. */
const statuses: Readonly<Partial<Record<ErrorKind, number>>> = {
	usage: 400,
	refused: 400,
	ambiguous: 400,
	'no-key': 401,
	'key-refused': 401,
	forbidden: 403,
	'read-only': 403,
	'not-found': 404,
	conflict: 409,
	'too-large': 413,
	'rate-limited': 429,
	quota: 507,
};

/** Kinds that share their status with another kind: a code in the body tells them apart. */
const codedKinds: ReadonlySet<ErrorKind> = new Set(['read-only', 'quota', 'no-room']);

/** Our messages for Fastify's own errors, by their codes. */
const messages: Readonly<Record<string, string>> = {
	FST_ERR_CTP_BODY_TOO_LARGE: 'The body is too large for this endpoint.',
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The length of the body does not match its Content-Length.',
	FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
	FST_ERR_CTP_INVALID_MEDIA_TYPE: 'This endpoint does not accept a body of that content type.',
	FST_INVALID_MULTIPART_CONTENT_TYPE: 'This endpoint accepts a form (multipart/form-data).',
	FST_FIELDS_LIMIT: 'The form has too many fields.',
	FST_FILES_LIMIT: 'The form has too many files.',
	FST_PARTS_LIMIT: 'The form has too many parts.',
	FST_INVALID_JSON_FIELD_ERROR: 'The form has a field that is not valid JSON, as its Content-Type says.',
	FST_PROTO_VIOLATION: 'The form has a field with a forbidden name.',
	FST_MP_PREMATURE_CLOSE: 'The form is incomplete.',
	FST_ERR_BAD_URL: 'The path is not valid.',
	FST_ERR_MAX_PARAM_LENGTH: 'The path is too long.',
};

type Refusal = {readonly status: number; readonly detail: string; readonly code?: string};

/** The answers to clients when the database is in trouble. The operator finds the paths of the files in the log. */
const troubles: Readonly<Record<Trouble, Refusal>> = {
	busy: {
		status: 503,
		detail: 'The database is in use by another program, so nothing was changed. Try again in a moment.',
		code: nothingChangedCode,
	},
	'no-room': {status: 507, detail: 'Its disk is full, so nothing was changed.', code: 'no-room'},
	damaged: {status: 500, detail: 'Its database is damaged. Its operator has to restore it from a backup.'},
	moved: {
		status: 500,
		detail: 'Its database was deleted or replaced while it ran, so nothing can be read or changed. Its operator has to start it again.',
	},
	unreachable: {
		status: 503,
		detail: 'Its database cannot be used now, so nothing was changed. Try again in a moment.',
		code: nothingChangedCode,
	},
	'unknown-outcome': {
		status: 503,
		detail:
			'The connection to its database was lost while it stored this, so the change may or may not have been made. Look before you try again.',
	},
	newer: {
		status: 503,
		detail: 'Nothing was changed. Its operator has to restart: the database is of a newer version.',
		code: nothingChangedCode,
	},
	'clock-behind': {
		status: 503,
		detail: 'The clock of its machine is earlier than its newest change, so no timer can be set. Nothing was changed.',
		code: nothingChangedCode,
	},
};

/** The answers if the only client is the operator: the terminal UI or a command that runs the service itself. */
const ownTroubles: typeof troubles = {
	...troubles,
	damaged: {...troubles.damaged, detail: 'Its database is damaged. Restore it from a backup.'},
	moved: {
		...troubles.moved,
		detail: 'Its database was deleted or replaced while it ran, so nothing can be read or changed. Quit Switchboard and start it again.',
	},
	newer: {...troubles.newer, detail: 'Nothing was changed. Quit Switchboard and restart: the database is of a newer version.'},
};

export type ErrorHandlerOptions = {readonly logError: LogError; readonly isOwn: boolean};

/**
Returns the only function that turns an error into words for a client: below 500 its own message, which never contains a key; otherwise a
fixed message, and the error is logged. The function takes the error and its place in the program.
*/
export function createErrorDescriber({logError, isOwn}: ErrorHandlerOptions) {
	return (error: unknown, where: string): Refusal => {
		const refusal = describe(error);
		if (refusal === undefined) {
			logError(error, where);
		}

		return refusal ?? describeFailure(error, isOwn);
	};
}

function describe(error: unknown): Refusal | undefined {
	if (error instanceof SwitchboardError && !(error instanceof StoreFailure)) {
		const status = error.isOutcomeUnknown ? 503 : statuses[error.kind];
		const detail = [error.message, error.nextStep].filter(Boolean).join(' ');
		return status === undefined ? undefined : {status, detail, ...(codedKinds.has(error.kind) && {code: error.kind})};
	}

	const {code = '', message = ''} = error as Partial<FastifyError>;
	const status = statusOf(error as Partial<FastifyError>);
	return status >= 400 && status < 500 ? {status, detail: messages[code] ?? message} : undefined;
}

/** The form reader's 406 is about the request, not the answer: it should be a 415 (RFC 9110, section 15.5.16). */
const statusOf = ({statusCode = 500}: Partial<FastifyError>): number => (statusCode === 406 ? 415 : statusCode);

/** Failures of the service get fixed messages, because the error itself may reveal internals. */
const describeFailure = (error: unknown, isOwn: boolean): Refusal =>
	error instanceof StoreFailure
		? (isOwn ? ownTroubles : troubles)[error.trouble]
		: {status: 500, detail: 'Internal error. The reason is in the log of the service.'};

/** Adds to the refusal of a content type those that the endpoint accepts: a form has a schema by its type (`bodySchemaOf`). */
function nameTypes(error: unknown, schema: unknown): unknown {
	if (schema === undefined || (error as Partial<FastifyError>).code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
		return error;
	}

	const {content = {'application/json': {}}} = schema as {readonly content?: object};
	return {statusCode: 415, message: `This endpoint accepts only a body of the type ${Object.keys(content).join(' or ')}.`};
}

export type DescribeError = ReturnType<typeof createErrorDescriber>;

/** Answers with an error. */
export function createErrorHandler(describeError: DescribeError) {
	return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
		const {url = 'unknown path', schema} = request.routeOptions;
		const {status, ...body} = describeError(nameTypes(error, schema?.body), `${request.method} ${url}`);
		if (status === 503) {
			void reply.header('retry-after', '1');
		}

		await reply.code(status).send(body);
	};
}
