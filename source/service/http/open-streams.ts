import {SwitchboardError} from '../../interface/errors.ts';
import {type Store} from '../store/store.ts';
import {StoreFailure} from '../store/store-errors.ts';
import {type ChangeStream} from './change-stream.ts';
import {type LineLimits} from './line-limits.ts';

/** A proxy closes a connection on which nothing comes, and a client takes it for dead. */
const heartbeatMilliseconds = 15_000;

/** A revoked key must end its streams within a second. */
const keyCheckMilliseconds = 500;

/** A store that has just begun to watch the database may miss a change by another process; after this time it does not. */
const settledMilliseconds = 2000;

/** Keys that are stored are named by their ids. */
const keyIdOf = ({caller}: ChangeStream): number => Number(caller.keyName);

export type OpenStreams = {
	/** @throws SwitchboardError `rate-limited` for one too many. */
	add(stream: ChangeStream): void;
	remove(stream: ChangeStream): void;
	endAll(): void;
};

/** The open streams. Each gets the changes of its account, and is ended when its key is revoked; all are once the schema is too new for this process. */
export const createOpenStreams = ({accounts, watch, checkVersion}: Pick<Store, 'accounts' | 'watch' | 'checkVersion'>, limits: LineLimits): OpenStreams => {
	const streams = new Set<ChangeStream>();
	/** New streams, which get all versions a second time once they are settled. */
	const unsettled = new Set<ChangeStream>();
	let isStopping = false;
	let stopWatching: (() => void) | undefined;
	let isChecking = false;

	const refuseExcess = ({caller, group}: ChangeStream): void => {
		const open = [...streams];
		const ofKey = open.filter(stream => stream.caller.keyName === caller.keyName).length;
		const ofGroup = group === undefined ? 0 : open.filter(stream => stream.group === group).length;
		if (ofKey >= limits.streamsPerKey) {
			throw new SwitchboardError('rate-limited', `This key may follow changes ${limits.streamsPerKey} times at once.`);
		}

		if (ofGroup >= limits.streamsPerAddress || open.length >= limits.streams) {
			throw new SwitchboardError('rate-limited', 'Too many clients are following changes.');
		}
	};

	const endRevoked = async (): Promise<void> => {
		const asked = [...streams].filter(stream => Number.isSafeInteger(keyIdOf(stream)));
		if (isChecking || asked.length === 0) {
			return;
		}

		isChecking = true;
		try {
			const left = await accounts.keysLeft([...new Set(asked.map(stream => keyIdOf(stream)))]);
			for (const stream of asked) {
				if (!left.has(keyIdOf(stream))) {
					stream.end();
				}
			}
		} catch {
			// While the database is away nothing changes, and no key is revoked.
		} finally {
			isChecking = false;
		}
	};

	/** Their clients then ask again, and a proxy sends them to a process that is up to date. */
	const endIfOutdated = async (): Promise<void> => {
		try {
			await checkVersion();
		} catch (error) {
			if (error instanceof StoreFailure && error.trouble === 'newer') {
				for (const stream of streams) {
					stream.end();
				}
			}
		}
	};

	const settle = async (): Promise<void> => {
		for (const stream of unsettled) {
			if (performance.now() - stream.openedAt < settledMilliseconds) {
				return;
			}

			unsettled.delete(stream);
			try {
				const account = await accounts.find(stream.caller.account);
				stream.tell(account?.versions ?? {});
			} catch {
				// As above.
			}
		}
	};

	const start = (): (() => void) => {
		const endWatching = watch(({accountId, list, version}) => {
			for (const stream of streams) {
				if (stream.caller.accountId === accountId) {
					stream.tell({[list]: version});
				}
			}
		});
		const heartbeat = setInterval(() => {
			for (const stream of streams) {
				stream.keepAlive();
			}
		}, Math.min(heartbeatMilliseconds, limits.idleMilliseconds / 3)).unref();
		const keyCheck = setInterval(() => {
			void endRevoked();
			void endIfOutdated();
			void settle();
		}, keyCheckMilliseconds).unref();
		return () => {
			endWatching();
			clearInterval(heartbeat);
			clearInterval(keyCheck);
		};
	};

	return {
		add(stream) {
			refuseExcess(stream);
			streams.add(stream);
			unsettled.add(stream);
			stopWatching ??= start();
			if (isStopping) {
				stream.end();
			}
		},
		remove(stream) {
			streams.delete(stream);
			unsettled.delete(stream);
			if (streams.size > 0) {
				return;
			}

			stopWatching?.();
			stopWatching = undefined;
		},
		endAll() {
			isStopping = true;
			for (const stream of streams) {
				stream.end();
			}
		},
	};
};
