import {type FastifyReply, type FastifyRequest} from 'fastify';
import {type Caller} from '../callers.ts';
import {type Accounts} from '../store/store.ts';

/** Whatever a revoked key has open must end within a second. */
const lookMilliseconds = 500;

type Watched = {readonly keyId: number; readonly onRevoked: () => void};

export type KeyWatch = {
	/**
	Calls back, once, when the key of a caller is revoked.

	@returns how to end that.
	*/
	watch(caller: Caller, onRevoked: () => void): () => void;
	/** Cuts an answer that is being sent when the key of its request is revoked. */
	cutAnswer(request: FastifyRequest, reply: FastifyReply): void;
};

/** Looks for revoked keys while answers that take long are open: for all of their keys at once, whoever revokes them. */
export const createKeyWatch = (accounts: Pick<Accounts, 'keysLeft'>): KeyWatch => {
	const watched = new Set<Watched>();
	let timer: NodeJS.Timeout | undefined;
	let isLooking = false;

	const look = async (): Promise<void> => {
		if (isLooking) {
			return;
		}

		isLooking = true;
		const asked = [...watched];
		try {
			const left = await accounts.keysLeft([...new Set(asked.map(({keyId}) => keyId))]);
			for (const each of asked) {
				if (left.has(each.keyId) || !watched.has(each)) {
					continue;
				}

				forget(each);
				each.onRevoked();
			}
		} catch {
			// While the database is away nothing changes, and no key is revoked.
		} finally {
			isLooking = false;
		}
	};

	const forget = (each: Watched): void => {
		watched.delete(each);
		if (watched.size > 0) {
			return;
		}

		clearInterval(timer);
		timer = undefined;
	};

	const watch: KeyWatch['watch'] = ({keyId}, onRevoked) => {
		if (keyId === undefined) {
			return () => undefined;
		}

		const each = {keyId, onRevoked};
		watched.add(each);
		timer ??= setInterval(() => {
			void look();
		}, lookMilliseconds).unref();
		return () => {
			forget(each);
		};
	};

	return {
		watch,
		cutAnswer({caller}, {raw: response}) {
			if (caller === undefined || response.closed) {
				return;
			}

			response.once('close', watch(caller, () => {
				response.destroy();
			}));
		},
	};
};
