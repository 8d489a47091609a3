import process from 'node:process';

/**
Calls back when the shell in which npm runs a program has ended: ending `npx switchboard serve` with SIGTERM ends npm and that shell, which
does not pass the signal on. A program that was not started by npm outlives its parent, as `&` and `nohup` require.
*/
export function watchNpm(end: () => void): void {
	// Windows has no SIGTERM, and its processes never get another parent.
	if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') {
		return;
	}

	const parent = process.ppid;
	const check = setInterval(() => {
		if (process.ppid === parent) {
			return;
		}

		clearInterval(check);
		end();
	}, 200);
	check.unref();
}

/** The first that systemd passes (sd_listen_fds(3)). */
const firstDescriptor = 3;

/**
Returns the sockets that systemd has opened for this process. They are removed from the environment, because child processes have none.
*/
export function takePassedSockets(env: NodeJS.ProcessEnv = process.env) {
	const {LISTEN_PID: processId, LISTEN_FDS: count} = env;
	for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) {
		Reflect.deleteProperty(env, name);
	}

	const number = /^[1-9]\d{0,4}$/.test(count ?? '') ? Number(count) : 0;
	const isOurs = processId === String(process.pid);
	// Another process may be meant, such as the shell that started this one.
	return {count: isOurs ? number : 0, descriptor: firstDescriptor, isForAnother: !isOurs && processId !== undefined && number > 0};
}
