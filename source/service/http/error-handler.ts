import {type FastifyError, type FastifyReply, type FastifyRequest} from 'fastify';
import {type ErrorKind, SwitchboardError} from '../../interface/errors.ts';
import {StoreBusyError} from '../store/store-errors.ts';
import {type LogError} from './error-log.ts';

/** What each kind of refusal is in HTTP. A kind that is not here is our own failure. */
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
};

/** Fastify's own refusals in our words, by their codes. */
const sentences: Readonly<Record<string, string>> = {
	FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than this endpoint takes.',
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as its Content-Length says.',
	FST_ERR_CTP_INVALID_JSON_BODY: 'The body is no valid JSON.',
	FST_ERR_CTP_INVALID_MEDIA_TYPE: 'This endpoint does not take a body of that content type.',
	FST_INVALID_MULTIPART_CONTENT_TYPE: 'This endpoint takes a form (multipart/form-data).',
	FST_FIELDS_LIMIT: 'The form has too many fields.',
	FST_FILES_LIMIT: 'The form has too many files.',
	FST_PARTS_LIMIT: 'The form has too many parts.',
	FST_PROTO_VIOLATION: 'The form has a field with a name that no field may have.',
	FST_MP_PREMATURE_CLOSE: 'The form was cut off.',
	FST_ERR_BAD_URL: 'The path is not a valid one.',
};

/** Where the form reader says 406 it means what it was sent, not what it is to answer with (RFC 9110, section 15.5.16). */
const statusOf = ({statusCode = 500}: Partial<FastifyError>): number => statusCode === 406 ? 415 : statusCode;

type Refusal = {readonly status: number; readonly detail: string; readonly code?: string};

const describe = (error: unknown): Refusal | undefined => {
	if (error instanceof SwitchboardError) {
		const status = statuses[error.kind];
		const detail = [error.message, error.nextStep].filter(Boolean).join(' ');
		return status === undefined ? undefined : {status, detail, ...(error.kind === 'read-only' && {code: error.kind})};
	}

	const {code = '', message = ''} = error as Partial<FastifyError>;
	const status = statusOf(error as Partial<FastifyError>);
	return status >= 400 && status < 500 ? {status, detail: sentences[code] ?? message} : undefined;
};

/** What is our own fault is said in fixed sentences: the error itself may tell of what is nobody's business. */
const describeFailure = (error: unknown): Refusal => error instanceof StoreBusyError
	? {status: 503, detail: 'The database is in use by another program. Try again in a moment.'}
	: {status: 500, detail: 'The service failed to answer. The reason is in its log.'};

/**
The one place where an error becomes an answer: below 500 its own sentence, which never holds a key; else a fixed one,
and the error goes to the log.
*/
export const createErrorHandler = (logError: LogError) => async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
	const refusal = describe(error);
	if (refusal === undefined) {
		logError(error, `${request.method} ${request.routeOptions.url ?? 'unknown path'}`);
	}

	const {status, ...body} = refusal ?? describeFailure(error);
	if (status === 503) {
		void reply.header('retry-after', '1');
	}

	await reply.code(status).send(body);
};
