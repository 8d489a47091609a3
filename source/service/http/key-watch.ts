import type {FastifyReply, FastifyRequest} from 'fastify';
import type {Caller} from '../callers.ts';
import type {Accounts} from '../store/store.ts';

/** An answer must end within a second after its key is revoked. */
const intervalMilliseconds = 500;

/** Checks the keys of long answers while these are being sent: all together, as any process may revoke a key. */
export function createKeyWatch(accounts: Pick<Accounts, 'keysLeft'>) {
	const keyIds = new Map<() => void, number>();
	let timer: NodeJS.Timeout | undefined;

	const check = async (): Promise<void> => {
		const asked = [...keyIds];
		try {
			const left = await accounts.keysLeft([...new Set(keyIds.values())]);
			for (const [onRevoked, keyId] of asked) {
				if (!left.has(keyId) && keyIds.delete(onRevoked)) {
					onRevoked();
				}
			}
		} catch {
			// While the database is unavailable nothing changes, and no key is revoked.
		}

		timer = undefined;
		plan();
	};

	const plan = (): void => {
		if (keyIds.size > 0) {
			timer ??= setTimeout(() => {
				void check();
			}, intervalMilliseconds).unref();
		}
	};

	/**
	Calls back, once, when the key of a caller is revoked.

	@returns a function that stops it.
	*/
	const watch = ({keyId}: Caller, onRevoked: () => void): (() => void) => {
		if (keyId !== undefined) {
			keyIds.set(onRevoked, keyId);
			plan();
		}

		return () => {
			keyIds.delete(onRevoked);
		};
	};

	return {
		watch,
		/** Cuts an answer that is being sent when the key of its request is revoked. */
		cutAnswer({caller}: FastifyRequest, {raw: response}: FastifyReply): void {
			if (caller !== undefined && !response.closed) {
				response.once(
					'close',
					watch(caller, () => {
						response.destroy();
					}),
				);
			}
		},
	};
}

export type KeyWatch = ReturnType<typeof createKeyWatch>;
