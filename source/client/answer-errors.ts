import {keyRightsHeader} from '../interface/endpoints.ts';
import {SwitchboardError, type ErrorKind} from '../interface/errors.ts';
import {isJsonObject, jsonExcess, type JsonObject, type JsonValue} from '../interface/json.ts';
import {beyondRights, parseKeyRights} from '../interface/key-rights.ts';
import {hasCode, type Answer} from './answer.ts';

/** Keys that are not input fields. */
const fieldlessNames = new Set(['non_field_errors', '__all__', 'status', 'code', 'result', 'reason', 'success']);

const kinds: Readonly<Record<number, ErrorKind>> = {
	401: 'key-refused',
	403: 'forbidden',
	404: 'not-found',
	405: 'not-found',
	407: 'unreachable',
	408: 'timeout',
	409: 'conflict',
	410: 'not-found',
	413: 'too-large',
	429: 'rate-limited',
	// Insufficient Storage (RFC 4918, section 11.5): of the service, unless it says that it is the account's.
	507: 'no-room',
};

/** The sentence has no full stop: the service's own message or the status follows. */
type Explanation = {readonly sentence: string; readonly nextStep: string};

const explanations: Readonly<Partial<Record<ErrorKind, Explanation>>> = {
	forbidden: {sentence: 'The service does not allow this with your key', nextStep: 'Use the key of an account that may do this.'},
	'read-only': {sentence: 'The service is read-only', nextStep: 'Make the change on another service, or ask its administrator.'},
	'not-found': {sentence: 'The service did not find this', nextStep: 'Check the address of the service.'},
	timeout: {sentence: 'The service took too long', nextStep: 'Try again.'},
	conflict: {sentence: 'The service reports a conflict', nextStep: 'Look at what is there, then try again.'},
	'too-large': {sentence: 'Too large for the service', nextStep: 'Make it smaller, then try again.'},
	'rate-limited': {sentence: 'Rate limit exceeded', nextStep: 'Try again in a minute.'},
	quota: {
		sentence: 'Your account has used up its space on the service',
		nextStep: 'Delete abilities that you no longer need, then try again.',
	},
	'no-room': {sentence: 'The service has no room left', nextStep: 'Try again when its operator has made room.'},
	'server-error': {sentence: 'The service failed', nextStep: 'Try again in a moment.'},
	refused: {sentence: 'The service refused the request', nextStep: 'Correct what was sent, then try again.'},
};

const unsupported: Explanation = {sentence: 'The service does not support this', nextStep: 'Check the address of the service.'};

const explanationsByStatus: Readonly<Record<number, Explanation>> = {
	405: unsupported,
	407: {
		sentence: 'The proxy asks for a user name and a password',
		nextStep: 'Add them to its address in HTTP_PROXY or HTTPS_PROXY, or name the host in NO_PROXY.',
	},
	501: unsupported,
};

/** The next step after a key is refused. */
export const keyRefusedStep = 'Get a new one in the dashboard under Settings, API Keys.';

/** The longest pause that a service may ask for. */
const longestMilliseconds = 60 * 60 * 1000;

/** Reads `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3), in milliseconds from now. */
export function readRetryAfter(header: string | undefined): number | undefined {
	if (header === undefined) {
		return undefined;
	}

	// `Date.parse` accepts almost anything; an HTTP date names its month.
	const milliseconds = /^\s*\d+\s*$/.test(header)
		? Number(header) * 1000
		: /[a-z]{3}/i.test(header)
			? Date.parse(header) - Date.now()
			: NaN;
	return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

/** Returns how long a service asks to be left alone: at most an hour. */
export function boundRetryAfter(milliseconds = 0): number {
	return Math.min(milliseconds, longestMilliseconds);
}

/** Kinds whose next step is the same for every service: the service's own advice is better. */
const generalKinds: ReadonlySet<ErrorKind> = new Set([
	'conflict',
	'key-refused',
	'too-large',
	'rate-limited',
	'refused',
	'server-error',
	'timeout',
]);

/** Returns the error for an answer that is not a success, with the service's own message if there is one. */
export function toAnswerError(answer: Answer, keyName: () => string): SwitchboardError {
	const {status, isOutcomeUnknown} = answer;
	const kind = kindOf(answer);
	const limits = kind === 'forbidden' ? parseKeyRights(answer.headers[keyRightsHeader]) : undefined;
	if (limits !== undefined) {
		return beyondRights(limits, {status});
	}

	const explanation =
		kind === 'key-refused'
			? {sentence: `The service refused ${keyName()}`, nextStep: keyRefusedStep}
			: (explanationsByStatus[status] ?? explanations[kind]);
	if (explanation === undefined) {
		return toUnexpectedStatusError(answer);
	}

	const {text = '', field = ''} = findServiceMessage(answer) ?? {};
	const message = answer.quote(text, 300);
	const retryAfterMilliseconds = readRetryAfter(answer.headers['retry-after']);
	const nextStep =
		kind === 'rate-limited' && retryAfterMilliseconds !== undefined ? waitStep(retryAfterMilliseconds) : explanation.nextStep;
	const isPathUnknown = status === 404 && (message === '' || hasCode(answer.fields(), 'no-such-path'));
	const start = isPathUnknown ? 'The service has no such path' : explanation.sentence;
	const sentence = isPathUnknown
		? `${start}.`
		: explanation === explanations['server-error']
			? `The service answered “${message.replace(/\.$/, '')}”.`
			: `${start}${kind === 'key-refused' && /^\p{Uppercase}/u.test(message) ? '.' : ':'} ${/[!.?…]$/.test(message) ? message : `${message}.`}`;
	return new SwitchboardError(kind, message === '' ? `${start} (HTTP ${status}).` : sentence, {
		nextStep: generalKinds.has(kind) && holdsAdvice(message) ? undefined : nextStep,
		status,
		field: answer.quote(field, 60) || undefined,
		isOutcomeUnknown,
		retryAfterMilliseconds,
	});
}

/** Returns the kind; if a status has two meanings, a code in the body decides (`docs/interface.md`, Errors). */
function kindOf(answer: Answer): ErrorKind {
	const {status} = answer;
	const coded = ({403: 'read-only', 507: 'quota'} as const)[status];
	return coded !== undefined && hasCode(answer.fields(), coded)
		? coded
		: (kinds[status] ?? (status >= 500 ? 'server-error' : status >= 400 ? 'refused' : 'unintelligible'));
}

/** Returns the error for an answer with a status that no operation uses. */
function toUnexpectedStatusError(answer: Answer): SwitchboardError {
	const {status, isOutcomeUnknown, baseAddress} = answer;
	const target = redirectTarget(answer);
	const [message, nextStep] =
		target === undefined
			? [`gave an unexpected answer (HTTP ${status}).`, 'Check the address of the service.']
			: [
					`redirects to ${answer.quote(target, 200)}, which is not followed: the key is sent to no other address.`,
					'If the service is there, use that address as its base address.',
				];
	return new SwitchboardError('unintelligible', `${baseAddress} ${message}`, {nextStep, status, isOutcomeUnknown});
}

/** Where a redirect leads: a path on the same machine, or another origin; `undefined` for a target without either, such as `mailto:`. */
function redirectTarget({headers: {location}, url}: Answer): string | undefined {
	if (location === undefined || !URL.canParse(location, url)) {
		return undefined;
	}

	const {origin, pathname} = new URL(location, url);
	return origin === 'null' ? undefined : origin === new URL(url).origin ? `the path ${pathname}` : origin;
}

/** A service's own error message, and the input field that it is about. Neither has been cleaned for a screen. */
type ServiceMessage = {readonly text: string; readonly field?: string | undefined};

/** Finds the service's own error message in any of the known error bodies (`docs/interface.md`, Errors, and similar ones). */
function findServiceMessage(answer: Answer): ServiceMessage | undefined {
	const body = answer.json();
	if (isJsonObject(body)) {
		return fromObject(body);
	}

	return isPlainText(answer) ? {text: answer.text} : undefined;
}

function fromObject(body: JsonObject, depth = 0): ServiceMessage | undefined {
	const {detail, error, errors} = body;
	const field = isText(body['field']) ? body['field'] : undefined;
	if (isText(detail)) {
		return {text: detail, field};
	}

	for (const inner of [detail, error, errors]) {
		const message = Array.isArray(inner) ? fromList(inner) : isJsonObject(inner) && depth < 3 ? fromObject(inner, depth + 1) : undefined;
		if (message !== undefined) {
			return message;
		}
	}

	const text = [error, body['message'], body['msg'], body['title']].find(value => isText(value));
	return text === undefined ? fromFieldTexts(body) : {text, field};
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/**
`{"detail": [{"loc": ["body", "name"], "msg": "…"}]}`, from services that check bodies with a schema, and
`{"errors": [{"field": "name", "message": "…"}]}`.
*/
function fromList(details: readonly unknown[]): ServiceMessage | undefined {
	for (const detail of details) {
		const text = isJsonObject(detail) ? [detail['msg'], detail['message'], detail['detail']].find(value => isText(value)) : undefined;
		if (isJsonObject(detail) && text !== undefined) {
			const location: unknown = Array.isArray(detail['loc']) ? detail['loc'].at(-1) : detail['field'];
			return {text, field: isText(location) ? location : undefined};
		}
	}

	const texts = details.filter(detail => isText(detail));
	return texts.length === 0 ? undefined : {text: texts.join('; ')};
}

/** `{"name": ["This field is required."]}`, or a text in place of the list if it is the only entry. */
function fromFieldTexts(body: JsonObject): ServiceMessage | undefined {
	const entries = Object.entries(body);
	for (const [field, value] of entries) {
		const text = Array.isArray(value) || entries.length === 1 ? firstText(value) : undefined;
		if (text !== undefined) {
			return {text, field: fieldlessNames.has(field) ? undefined : field};
		}
	}

	return undefined;
}

const firstText = (value: JsonValue | undefined): string | undefined =>
	[value, ...(Array.isArray(value) ? (value as readonly JsonValue[]) : [])].find(item => isText(item));

const isPlainText = ({headers, text}: Answer): boolean =>
	/^text\/plain\b/i.test(headers['content-type'] ?? '') && text.length <= 500 && isText(text) && !text.trimStart().startsWith('<');

const waitStep = (milliseconds: number): string =>
	milliseconds === 0 ? 'Try again.' : milliseconds > 86_400_000 ? 'Try again later.' : `Try again in ${Math.ceil(milliseconds / 1000)} s.`;

/** True if a second sentence follows the first. */
const holdsAdvice = (message: string): boolean => /[!.?…]\s+\S/.test(message);

/** The next step where a proxy may be preventing the conversation. */
export const proxyStep = 'A proxy in between must pass on the headers Upgrade and Connection. For nginx: switchboard help proxies';

/**
Returns the error for an answer that refuses the handshake. A service that gets the request without its header `Upgrade` answers with 426,
or knows no such request; a service that offers the upgrade in its answer (RFC 9110, section 7.8) has another reason.
*/
export function toHandshakeError(answer: Answer, keyName: () => string): SwitchboardError {
	const error = toAnswerError(answer, keyName);
	const {status, headers} = answer;
	return status === 426 || ((status === 400 || status === 404) && headers.upgrade === undefined)
		? error.with({nextStep: proxyStep})
		: error;
}

/** Tells whether this is a web page instead of an answer, as a proxy or a sign-in page returns. */
export function isPage({text}: Answer): boolean {
	return /^\s*</.test(text);
}

/** Returns the error for a 2xx answer with another body than the interface promises. */
export function toUnintelligibleError(answer: Answer, expected: string): SwitchboardError {
	const {baseAddress, status, isOutcomeUnknown} = answer;
	return new SwitchboardError('unintelligible', `${baseAddress} answered with ${foundIn(answer)} instead of ${expected}.`, {
		nextStep: isPage(answer) ? 'Check the address: a proxy or a sign-in page may be in between.' : 'Check the address of the service.',
		status,
		isOutcomeUnknown,
	});
}

function foundIn(answer: Answer): string {
	if (isPage(answer)) {
		return 'a web page';
	}

	const excess = /^\s*[[{]/.test(answer.text) ? jsonExcess(answer.text) : undefined;
	if (excess !== undefined) {
		return `JSON ${excess}`;
	}

	const start = answer.quote(answer.text, 80);
	return start === '' ? (answer.text.trim() === '' ? 'an empty answer' : 'something unreadable') : `“${start}”`;
}

/**
Passes on the answer to a change, unless it is a web page: a proxy or a sign-in page may have answered for the service.

@throws SwitchboardError `unintelligible`; the change may have been made.
*/
export function refusePage(answer: Answer): Answer {
	if (isPage(answer)) {
		throw toUnintelligibleError({...answer, isOutcomeUnknown: true}, 'the outcome of the change');
	}

	return answer;
}
