import {toSwitchboardError, SwitchboardError} from '../../interface/errors.ts';

/** A service that may stop by itself. */
type Stoppable = {
	/** Resolves when it has stopped: with the reason if it stopped by itself. */
	readonly stopped: Promise<SwitchboardError | undefined>;
	close(): Promise<void>;
};

/** A service that is started again when it stops by itself. */
export type KeptService<Service> = {
	/** The service as it runs now. It is started by the first call; rejects with the reason while it stays down. */
	running(): Promise<Service>;
	/** Lets the next call of `running` start it if it stays down; returns false otherwise. */
	startAgain(): boolean;
	close(): Promise<void>;
};

type KeptServiceOptions<Service> = {
	start(): Promise<Service>;
	/** Called when it runs again after it stopped by itself. */
	onRestarted(reason: SwitchboardError): void;
	/** Called when it is not started again. */
	onDown(reason: SwitchboardError): void;
	/** The key that starts it by hand, for the next step. */
	readonly startKey: string;
	/** A monotonic clock in milliseconds; `performance.now` unless given. */
	readonly now?: (() => number) | undefined;
};

/** Something is wrong with a service that stops so often in so short a time. */
const maximumStops = 3;
const stopsMilliseconds = 60_000;

/** Keeps a service running: one that stops by itself is started again, but not for ever. */
export const keepService = <Service extends Stoppable>({start, onRestarted, onDown, startKey, now = () => performance.now()}: KeptServiceOptions<Service>): KeptService<Service> => {
	let current: Promise<Service> | undefined;
	let isDown = false;
	let isClosed = false;
	let stops: readonly number[] = [];

	const stayDown = (error: SwitchboardError): void => {
		isDown = true;
		onDown(error);
	};

	/** Starts it, and follows it to its end. */
	const begin = async (): Promise<Service> => {
		isDown = false;
		const starting = start();
		current = starting;
		void (async () => {
			try {
				const {stopped} = await starting;
				const reason = await stopped;
				if (reason !== undefined && !isClosed) {
					await restart(reason);
				}
			} catch {
				// It did not start, which every operation reports.
				isDown = true;
			}
		})();

		return starting;
	};

	const restart = async (reason: SwitchboardError): Promise<void> => {
		const at = now();
		stops = [...stops.filter(time => at - time < stopsMilliseconds), at];
		if (stops.length >= maximumStops) {
			const down = new SwitchboardError('unreachable', `${reason.message} It stopped ${maximumStops} times within a minute and is not started again.`, {
				nextStep: `${startKey} starts it again.`, cause: reason,
			});
			current = Promise.reject(down);
			// Whoever asks for it gets the reason.
			current.catch(() => undefined);
			stayDown(down);
			return;
		}

		try {
			await begin();
			onRestarted(reason);
		} catch (error) {
			stayDown(toSwitchboardError(error));
		}
	};

	return {
		running: async () => current ?? begin(),
		startAgain() {
			if (!isDown || isClosed) {
				return false;
			}

			isDown = false;
			stops = [];
			current = undefined;
			return true;
		},
		async close() {
			isClosed = true;
			try {
				const service = await current;
				await service?.close();
			} catch {
				// It does not run.
			}
		},
	};
};
