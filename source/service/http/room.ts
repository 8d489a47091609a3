type RoomOptions = {
	readonly bytes: number;
	readonly bytesPerAddress: number;
	readonly patienceMilliseconds: number;
};

/** Gives the bytes back; again, it does nothing. */
export type Release = () => void;

type Waiting = {
	readonly group: string;
	readonly bytes: number;
	admit(release: Release | undefined): void;
};

/** A share of the memory of the service, which requests take and give back. */
export type Room = {
	/**
	Waits for room, in the order of asking; what needs less may overtake.

	@param group - the address of the sender (`addressGroup`).
	@param signal - aborted when the sender has gone.
	@returns how to give the bytes back; `undefined` if there was no room in time.
	*/
	take(group: string, bytes: number, signal: AbortSignal): Promise<Release | undefined>;
};

export const createRoom = (options: RoomOptions): Room => {
	const taken = new Map<string, number>();
	const waiting = new Set<Waiting>();
	let total = 0;

	const add = (group: string, bytes: number): void => {
		total += bytes;
		const sum = (taken.get(group) ?? 0) + bytes;
		if (sum === 0) {
			taken.delete(group);
		} else {
			taken.set(group, sum);
		}
	};

	const fits = (group: string, bytes: number): boolean =>
		total + bytes <= options.bytes && (taken.get(group) ?? 0) + bytes <= options.bytesPerAddress;

	const admitWaiting = (): void => {
		for (const request of waiting) {
			if (fits(request.group, request.bytes)) {
				request.admit(hold(request.group, request.bytes));
			}
		}
	};

	const hold = (group: string, bytes: number): Release => {
		add(group, bytes);
		let isHeld = true;
		return () => {
			if (!isHeld) {
				return;
			}

			isHeld = false;
			add(group, -bytes);
			admitWaiting();
		};
	};

	return {
		async take(group, wantedBytes, signal) {
			// One that is larger than all of the room has it for itself.
			const bytes = Math.min(wantedBytes, options.bytesPerAddress, options.bytes);
			if (fits(group, bytes)) {
				return hold(group, bytes);
			}

			// A timer would keep all that ask in memory until it fires.
			if (options.patienceMilliseconds === 0) {
				return undefined;
			}

			return new Promise(resolve => {
				const request: Waiting = {
					group,
					bytes,
					admit(release) {
						waiting.delete(request);
						clearTimeout(patience);
						resolve(release);
					},
				};
				const giveUp = (): void => {
					request.admit(undefined);
				};

				const patience = setTimeout(giveUp, options.patienceMilliseconds);
				signal.addEventListener('abort', giveUp, {once: true});
				waiting.add(request);
			});
		},
	};
};
