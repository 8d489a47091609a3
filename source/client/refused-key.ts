import {endpoints, type Operation} from '../interface/endpoints.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {shownMinute} from '../interface/key-rights.ts';
import {decodeList} from '../interface/lists.ts';
import {sessionTokenEnd} from '../interface/session-token.ts';
import type {Answer} from './answer.ts';
import {toAnswerError} from './answer-errors.ts';
import type {Call, Sending, SessionToken} from './call.ts';

/*
A service may accept a key for some operations and answer 401 for others, which want a session of its dashboard (`docs/interface.md`,
Authentication). A session token of the person is then sent in place of the key, without it.
*/

type RefusedKeyOptions = {
	readonly keyName: () => string;
	/** `undefined` where there is none, or none may be sent. */
	readonly sessionToken: SessionToken | undefined;
	/** Sends a call once, with the key or the session token. */
	readonly exchange: (call: Call, sending: Sending) => Promise<Answer>;
};

/** The list that tells whether a key is refused altogether: no known service refuses a key for this list only, or for switching only. */
const witness = 'listInstalled';

const isOfWitness = (operation: Operation): boolean => operation === witness || operation === 'editInstalled';

/** A call for which a session token may be sent. */
type ReplacedCall = Call & {readonly operation: Operation};

const isRead = ({status}: Answer): boolean => (status >= 200 && status < 300) || status === 304;

const tokenName = ({variable}: SessionToken): string => `the session token in ${variable}`;

export function createRefusedKeys({keyName, sessionToken, exchange}: RefusedKeyOptions) {
	/** The newest result. */
	let isWitnessRefused = false;
	/** The refusals by operation, where the session token is used instead. */
	const replaced = new Map<Operation, Answer>();
	let isUseTold = false;
	let checkingAccount: Promise<void> | undefined;

	const sendKey = async (call: Call, sending: Sending): Promise<Answer> => {
		const answer = await exchange(call, sending);
		if (call.operation === witness) {
			isWitnessRefused = answer.status === 401;
		}

		return answer;
	};

	const readList = async (operation: Operation, signal: AbortSignal | undefined, token?: string): Promise<Answer> => {
		const {method, path, isWrite, auth} = endpoints[operation];
		const call = {operation, method, path, signal};
		return token === undefined ? sendKey(call, {isWrite, auth}) : exchange(call, {isWrite, auth, sessionToken: token});
	};

	const isAcceptedElsewhere = async (operation: Operation, signal: AbortSignal | undefined): Promise<boolean> => {
		const answer = isOfWitness(operation) || isWitnessRefused ? undefined : await readList(witness, signal).catch(() => undefined);
		return answer !== undefined && isRead(answer);
	};

	/** The error for an answer that is not a success. */
	const explain = async (operation: Operation, answer: Answer, signal?: AbortSignal): Promise<SwitchboardError> => {
		const error = toAnswerError(answer, keyName);
		const {kind, status} = error;
		return kind === 'key-refused' && endpoints[operation].auth === 'header' && (await isAcceptedElsewhere(operation, signal))
			? new SwitchboardError(
					kind,
					`${error.message} It accepts the key elsewhere, so this probably needs a session token of the dashboard.`,
					{status, nextStep: 'See OPENHOME_JWT in: switchboard help environment', isPartlyRefused: true},
				)
			: error;
	};

	/** The refusal of the key, and the reason why the token does not help, as one error. */
	const toTokenError = async ({operation, signal}: ReplacedCall, refusal: Answer, reason: string): Promise<SwitchboardError> =>
		new SwitchboardError('key-refused', `${toAnswerError(refusal, keyName).message} ${reason}`, {
			status: 401,
			nextStep: `Such a token is valid for a few minutes: set ${sessionToken!.variable} to a new one from the dashboard.`,
			isPartlyRefused: await isAcceptedElsewhere(operation, signal),
		});

	/** @throws SwitchboardError `forbidden` unless key and token see the same agents: a change must not be made in another account. */
	const checkAccount = async (token: SessionToken, call: ReplacedCall, refusal: Answer): Promise<void> => {
		const {signal} = call;
		const answers = await Promise.all([readList('listAgents', signal), readList('listAgents', signal, token.token)]);
		if (answers[1].status === 401) {
			throw await toTokenError(call, refusal, toAnswerError(answers[1], () => tokenName(token)).message);
		}

		const [own, others] = answers.map(answer => (answer.status === 200 ? decodeList('agents', answer.json()) : undefined));
		const unchanged = `Nothing was changed with ${tokenName(token)}`;
		if (own === undefined || others === undefined || own.records.length + others.records.length === 0) {
			throw new SwitchboardError('forbidden', `${unchanged}: no agents could be read with both, to see that it is of the same account.`, {
				nextStep: `Unset ${token.variable}, or make the change in the dashboard.`,
			});
		}

		const [ownIds, otherIds] = [own, others].map(({records}) => new Set(records.map(({id}) => id)));
		if (ownIds!.symmetricDifference(otherIds!).size > 0) {
			throw new SwitchboardError('forbidden', `${unchanged}: it is of another account than ${keyName()}, with other agents.`, {
				nextStep: `Set ${token.variable} to a token of the same account, or unset it.`,
			});
		}
	};

	const sendToken = async (call: ReplacedCall, sending: Sending, refusal: Answer): Promise<Answer> => {
		const token = sessionToken!;
		const end = sessionTokenEnd(token.token);
		if (end !== undefined && end <= Date.now()) {
			throw await toTokenError(
				call,
				refusal,
				`The session token in ${token.variable} expired on ${shownMinute(new Date(end).toISOString())}.`,
			);
		}

		if (!isUseTold) {
			isUseTold = true;
			token.onFirstUse(`The service refuses ${keyName()} for “${endpoints[call.operation].summary}”: using ${tokenName(token)} there.`);
		}

		if (sending.isWrite) {
			checkingAccount ??= checkAccount(token, call, refusal);
			try {
				await checkingAccount;
			} catch (error) {
				checkingAccount = undefined;
				throw error;
			}
		}

		const answer = await exchange(call, {...sending, sessionToken: token.token});
		if (answer.status === 401) {
			throw await toTokenError(call, refusal, `${toAnswerError(answer, () => tokenName(token)).message} It has probably expired.`);
		}

		return answer;
	};

	return {
		explain,
		/** True for an operation that answers to the session token: the address of a next page is not for it. */
		isReplaced: (operation: Operation): boolean => replaced.has(operation),
		/** Sends a call with the key or, where an operation refuses that with 401, with the session token in its place. */
		async send(call: Call, sending: Sending): Promise<Answer> {
			const {operation} = call;
			if (sessionToken === undefined || operation === undefined || sending.auth !== 'header' || !call.path.startsWith('/')) {
				return sendKey(call, sending);
			}

			const answer = replaced.get(operation) ?? (await sendKey(call, sending));
			if (answer.status !== 401 || answer.isOutcomeUnknown) {
				return answer;
			}

			replaced.set(operation, answer);
			try {
				return await sendToken({...call, operation}, sending, answer);
			} catch (error) {
				replaced.delete(operation);
				throw error;
			}
		},
	};
}
