import {SwitchboardError} from './errors.ts';

/** Which options chose the address. */
const usualOptions = {host: '--host', port: '--port'};

/** The error to report for one of listening on an address: `usage` if another address would do. */
export const toListenError = (error: unknown, host: string, port: number, options = usualOptions): unknown => {
	const refuse = (field: 'host' | 'port', message: string, nextStep: string): SwitchboardError =>
		new SwitchboardError('usage', message, {nextStep, field, cause: error});

	switch (error instanceof Error && 'code' in error ? error.code : undefined) {
		case 'EADDRINUSE': {
			return refuse('port', `Another program already listens on port ${port} of ${host}.`, `Choose another port with ${options.port}, or 0 for any free one.`);
		}

		case 'EACCES': {
			return refuse('port', `Permission denied to listen on port ${port} of ${host}.`, `Choose a port above 1023 with ${options.port}.`);
		}

		case 'EADDRNOTAVAIL':
		case 'ENOTFOUND': {
			return refuse('host', `${host} is not an address of this machine.`, `Choose another one with ${options.host}, such as 127.0.0.1.`);
		}

		default: {
			return error;
		}
	}
};
