import process from 'node:process';

const intervalMilliseconds = 200;

/**
Calls back when the shell has gone that npm runs a program in: whoever ends `npx switchboard serve` with SIGTERM ends npm and that
shell, which passes no signal on. A program that was not started by npm outlives its parent, as `&` and `nohup` want it.
*/
export const watchNpm = (end: () => void): void => {
	// Windows has no SIGTERM, and never another parent.
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
	}, intervalMilliseconds);
	check.unref();
};
