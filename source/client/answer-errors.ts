import {SwitchboardError, type ErrorKind} from '../interface/errors.ts';
import {jsonExcess} from '../interface/json-excess.ts';
import {type Answer} from './answer.ts';
import {readRetryAfter} from './retry-after.ts';
import {findServiceMessage, hasCode} from './service-message.ts';

const kindOf = (status: number): ErrorKind => {
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
	return kinds[status] ?? (status >= 500 ? 'server-error' : (status >= 400 ? 'refused' : 'unintelligible'));
};

/** What an answer stands for: where a status has two meanings, a code in the body tells which. */
const kindOfAnswer = (answer: Answer): ErrorKind => {
	const coded = ({403: 'read-only', 507: 'quota'} as const)[answer.status];
	return coded !== undefined && hasCode(answer.fields(), coded) ? coded : kindOf(answer.status);
};

type Explanation = {
	/** Without a full stop: the service's own message or the status follows. */
	readonly sentence: string;
	readonly nextStep: string;
};

const explanations: Readonly<Partial<Record<ErrorKind, Explanation>>> = {
	forbidden: {sentence: 'The service does not allow this with your key', nextStep: 'Use the key of an account that may do this.'},
	'read-only': {sentence: 'The service is read-only', nextStep: 'Make the change on another service, or ask its administrator.'},
	'not-found': {sentence: 'The service did not find this', nextStep: 'Check the address of the service.'},
	timeout: {sentence: 'The service took too long', nextStep: 'Try again.'},
	conflict: {sentence: 'The service reports a conflict', nextStep: 'Look at what is there, then try again.'},
	'too-large': {sentence: 'Too large for the service', nextStep: 'Make it smaller, then try again.'},
	'rate-limited': {sentence: 'Rate limit exceeded', nextStep: 'Try again in a minute.'},
	quota: {sentence: 'Your account has used up its space on the service', nextStep: 'Delete abilities that you no longer need, then try again.'},
	'no-room': {sentence: 'The service has no room left', nextStep: 'Try again when its operator has made room.'},
	'server-error': {sentence: 'The service failed', nextStep: 'Try again in a moment.'},
	refused: {sentence: 'The service refused the request', nextStep: 'Correct what was sent, then try again.'},
};

/** For statuses that say more than their kind does. */
const unsupported: Explanation = {sentence: 'The service does not support this', nextStep: 'Check the address of the service.'};
const explanationsByStatus: Readonly<Record<number, Explanation>> = {
	405: unsupported,
	407: {sentence: 'The proxy asks for a user name and a password', nextStep: 'Add them to its address in HTTP_PROXY or HTTPS_PROXY, or name the host in NO_PROXY.'},
	501: unsupported,
};

/** What to do about a key that is refused. */
export const keyRefusedStep = 'Get a new one in the dashboard under Settings, API Keys.';

const dayMilliseconds = 86_400_000;

const waitStep = (milliseconds: number): string => {
	if (milliseconds === 0) {
		return 'Try again.';
	}

	return milliseconds > dayMilliseconds ? 'Try again later.' : `Try again in ${Math.ceil(milliseconds / 1000)} s.`;
};

/** Where a redirect leads: a path on the same machine, or another origin; `undefined` for what has none, such as `mailto:`. */
const redirectTarget = ({headers: {location}, url}: Answer): string | undefined => {
	if (location === undefined || !URL.canParse(location, url)) {
		return undefined;
	}

	const {origin, pathname} = new URL(location, url);
	if (origin === 'null') {
		return undefined;
	}

	return origin === new URL(url).origin ? `the path ${pathname}` : origin;
};

/** The error for an answer with a status that no operation uses. */
const toUnexpectedStatusError = (answer: Answer): SwitchboardError => {
	const {status, isOutcomeUnknown, baseAddress} = answer;
	const target = redirectTarget(answer);
	return target === undefined
		? new SwitchboardError('unintelligible', `${baseAddress} gave an unexpected answer (HTTP ${status}).`, {
			nextStep: 'Check the address of the service.', status, isOutcomeUnknown,
		})
		: new SwitchboardError('unintelligible', `${baseAddress} redirects to ${answer.quote(target, 200)}, which is not followed: the key is sent to no other address.`, {
			nextStep: 'If the service is there, use that address as its base address.', status, isOutcomeUnknown,
		});
};

/** Kinds whose next step is the same for every service: the service's own advice is better. */
const generalKinds: ReadonlySet<ErrorKind> = new Set(['conflict', 'key-refused', 'too-large', 'rate-limited', 'refused', 'server-error', 'timeout']);

/** True if a second sentence follows the one that says what is wrong. */
const holdsAdvice = (message: string): boolean => /[!.?…]\s+\S/.test(message);

/** Turns an answer into the error that it stands for, with the service's own message if there is one. */
export const toAnswerError = (answer: Answer, keyName: () => string): SwitchboardError => {
	const {status, isOutcomeUnknown} = answer;
	const kind = kindOfAnswer(answer);
	const explanation = kind === 'key-refused' ? {sentence: `The service refused ${keyName()}`, nextStep: keyRefusedStep} : explanationsByStatus[status] ?? explanations[kind];
	if (explanation === undefined) {
		return toUnexpectedStatusError(answer);
	}

	const {text = '', field = ''} = findServiceMessage(answer) ?? {};
	const message = answer.quote(text, 300);
	const retryAfterMilliseconds = readRetryAfter(answer.headers['retry-after']);
	const nextStep = kind === 'rate-limited' && retryAfterMilliseconds !== undefined ? waitStep(retryAfterMilliseconds) : explanation.nextStep;
	return new SwitchboardError(kind, message === '' ? `${explanation.sentence} (HTTP ${status}).` : `${explanation.sentence}: ${/[!.?…]$/.test(message) ? message : `${message}.`}`, {
		nextStep: generalKinds.has(kind) && holdsAdvice(message) ? undefined : nextStep,
		status,
		field: answer.quote(field, 60) || undefined,
		isOutcomeUnknown,
		retryAfterMilliseconds,
	});
};

/** True for a web page instead of an answer, as a proxy or a sign-in page returns. */
export const isPage = ({text}: Answer): boolean => /^\s*</.test(text);

/** What an answer holds, for a sentence. */
const foundIn = (answer: Answer): string => {
	if (isPage(answer)) {
		return 'a web page';
	}

	const excess = /^\s*[[{]/.test(answer.text) ? jsonExcess(answer.text) : undefined;
	if (excess !== undefined) {
		return `JSON ${excess}`;
	}

	const start = answer.quote(answer.text, 80);
	return start === '' ? (answer.text.trim() === '' ? 'an empty answer' : 'something unreadable') : `“${start}”`;
};

/** The error for a 2xx answer whose body is not what the interface promises. */
export const toUnintelligibleError = (answer: Answer, expected: string): SwitchboardError => {
	const {baseAddress, status, isOutcomeUnknown} = answer;
	return new SwitchboardError('unintelligible', `${baseAddress} answered with ${foundIn(answer)} instead of ${expected}.`, {
		nextStep: isPage(answer)
			? 'Check the address: a proxy or a sign-in page may be in between.'
			: 'Check the address of the service.',
		status,
		isOutcomeUnknown,
	});
};

/**
Passes on the answer to a change, unless it is a web page: a proxy or a sign-in page may have answered for the service.

@throws SwitchboardError `unintelligible`; the change may have been made.
*/
export const refusePage = (answer: Answer): Answer => {
	if (isPage(answer)) {
		throw toUnintelligibleError({...answer, isOutcomeUnknown: true}, 'the outcome of the change');
	}

	return answer;
};
