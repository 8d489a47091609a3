import process from 'node:process';

/** The first that systemd passes (sd_listen_fds(3)). */
const firstDescriptor = 3;

export type PassedSockets = {
	/** How many there are for this process, from `descriptor` on. */
	readonly count: number;
	readonly descriptor: number;
	/** True if there were some for another process, such as the shell that has started this one. */
	readonly isForAnother: boolean;
};

/** The sockets that systemd has opened for this process. They are taken out of the environment: the programs that it starts have none. */
export const takePassedSockets = (env: NodeJS.ProcessEnv = process.env): PassedSockets => {
	const {LISTEN_PID: processId, LISTEN_FDS: count} = env;
	for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) {
		Reflect.deleteProperty(env, name);
	}

	const number = /^[1-9]\d{0,4}$/.test(count ?? '') ? Number(count) : 0;
	const isOurs = processId === String(process.pid);
	return {count: isOurs ? number : 0, descriptor: firstDescriptor, isForAnother: !isOurs && processId !== undefined && number > 0};
};
