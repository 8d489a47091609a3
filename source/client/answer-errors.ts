import {SwitchboardError, type ErrorKind} from '../interface/errors.ts';
import {type Answer} from './answer.ts';
import {findComplaint, hasCode} from './complaint.ts';
import {type Transport} from './transport.ts';

const kindOf = (status: number): ErrorKind => {
	const kinds: Readonly<Record<number, ErrorKind>> = {
		401: 'key-refused',
		403: 'forbidden',
		404: 'not-found',
		405: 'not-found',
		408: 'timeout',
		409: 'conflict',
		410: 'not-found',
		413: 'too-large',
		429: 'rate-limited',
	};
	return kinds[status] ?? (status >= 500 ? 'server-error' : (status >= 400 ? 'refused' : 'unintelligible'));
};

const sentences: Readonly<Partial<Record<ErrorKind, string>>> = {
	forbidden: 'The service does not allow this with your key',
	'read-only': 'The service is read-only',
	'not-found': 'The service does not know what was asked for',
	timeout: 'The service took too long',
	conflict: 'The service says that this conflicts with what it has',
	'too-large': 'The service says that it is too large',
	'rate-limited': 'The service asks for fewer requests',
	'server-error': 'The service failed',
	refused: 'The service refused the request',
};

/** Where the status says more than its kind does. */
const sentencesByStatus: Readonly<Record<number, string>> = {
	405: 'The service does not offer this',
	501: 'The service does not offer this',
};

const nextSteps: Readonly<Partial<Record<ErrorKind, string>>> = {
	'key-refused': 'Get a new one in the dashboard under Settings, API Keys.',
	forbidden: 'Use the key of an account that may do this.',
	'read-only': 'Make the change on another service, or ask whoever runs this one.',
	'not-found': 'Check the address of the service.',
	timeout: 'Try again.',
	conflict: 'Look at what is there, then try again.',
	'too-large': 'Make it smaller, then try again.',
	refused: 'Correct what was sent, then try again.',
	'server-error': 'Try again in a moment.',
};

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), in milliseconds from now. */
const retryAfter = (header: string | undefined): number | undefined => {
	if (header === undefined) {
		return undefined;
	}

	// `Date.parse` takes almost anything; a date of HTTP names its month.
	const milliseconds = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : (/[a-z]{3}/i.test(header) ? Date.parse(header) - Date.now() : NaN);
	return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
};

/** Where a redirect leads: the path where that is on the same machine, else the other machine. */
const redirectTarget = ({headers: {location}, url}: Answer): string | undefined => {
	if (location === undefined || !URL.canParse(location, url)) {
		return undefined;
	}

	const {origin, pathname} = new URL(location, url);
	return origin === new URL(url).origin ? `the path ${pathname}` : origin;
};

const redirectError = (answer: Answer, origin: string): SwitchboardError => {
	const {status, isOutcomeUnknown} = answer;
	const target = redirectTarget(answer);
	return target === undefined
		? new SwitchboardError('unintelligible', `${origin} gave an answer that makes no sense here (HTTP ${status}).`, {
			nextStep: 'Check the address of the service.', status, isOutcomeUnknown,
		})
		: new SwitchboardError('unintelligible', `${origin} sends us on to ${answer.quote(target, 200)}, which is not followed: the key goes to no other address.`, {
			nextStep: 'If that is where the service is, use that address as its base address.', status, isOutcomeUnknown,
		});
};

/** Kinds whose next step is the same for every service: one that gives advice of its own knows better. */
const generalKinds: ReadonlySet<ErrorKind> = new Set(['conflict', 'key-refused', 'too-large', 'rate-limited', 'refused', 'server-error', 'timeout']);

/** True where a sentence follows the one that says what is wrong. */
const holdsAdvice = (words: string): boolean => /[!.?…]\s+\S/.test(words);

type Refusal = {readonly status: number; readonly words: string; readonly retryAfterMilliseconds: number | undefined};

const nextStepOf = (kind: ErrorKind, {status, words, retryAfterMilliseconds}: Refusal): string | undefined => {
	if (generalKinds.has(kind) && holdsAdvice(words)) {
		return undefined;
	}

	if (kind === 'rate-limited') {
		const seconds = retryAfterMilliseconds === undefined ? undefined : Math.ceil(retryAfterMilliseconds / 1000);
		return seconds === 0 ? 'Try again.' : `Try again in ${seconds === undefined ? 'a minute' : `${seconds} s`}.`;
	}

	return status === 501 ? nextSteps['not-found'] : nextSteps[kind];
};

/** The error that an answer stands for, with the service's own words where it gave any. */
export const toAnswerError = (answer: Answer, {baseAddress: origin, keyName}: Pick<Transport, 'baseAddress' | 'keyName'>): SwitchboardError => {
	const {status, isOutcomeUnknown} = answer;
	if (status >= 300 && status < 400) {
		return redirectError(answer, origin);
	}

	const kind = status === 403 && hasCode(answer, 'read-only') ? 'read-only' : kindOf(status);
	const complaint = findComplaint(answer);
	const words = complaint === undefined ? '' : answer.quote(complaint.message, 300);
	const field = complaint?.field === undefined ? '' : answer.quote(complaint.field, 60);
	const sentence = kind === 'key-refused' ? `The service refused ${keyName()}` : sentencesByStatus[status] ?? sentences[kind] ?? `${origin} gave an answer that makes no sense here`;
	const retryAfterMilliseconds = retryAfter(answer.headers['retry-after']);
	return new SwitchboardError(kind, words === '' ? `${sentence} (HTTP ${status}).` : `${sentence}: ${/[!.?…]$/.test(words) ? words : `${words}.`}`, {
		nextStep: nextStepOf(kind, {status, words, retryAfterMilliseconds}),
		status,
		retryAfterMilliseconds,
		field: field === '' ? undefined : field,
		isOutcomeUnknown,
	});
};

/** True for a web page in place of an answer, as a proxy or a sign-in page gives. */
export const isPage = ({text}: Answer): boolean => /^\s*</.test(text);

/** The error for a 2xx answer whose body is not what the interface promises. */
export const toUnintelligibleError = (answer: Answer, origin: string, expected: string): SwitchboardError => {
	const excerpt = answer.quote(answer.text, 80);
	const found = answer.text.trim() === '' ? 'an empty answer' : (isPage(answer) ? 'a web page' : `“${excerpt}”`);
	return new SwitchboardError('unintelligible', `${origin} answered with ${found} instead of ${expected}.`, {
		nextStep: isPage(answer)
			? 'Check the address: a proxy or a sign-in page may stand in between.'
			: 'Check the address of the service.',
		status: answer.status,
		isOutcomeUnknown: answer.isOutcomeUnknown,
	});
};
