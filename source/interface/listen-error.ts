import {SwitchboardError} from './errors.ts';

/** The error to report for one of listening on an address: `usage` if another address would do. */
export const toListenError = (error: unknown, host: string, port: number): unknown => {
	const refuse = (field: 'host' | 'port', message: string, nextStep: string): SwitchboardError =>
		new SwitchboardError('usage', message, {nextStep, field, cause: error});

	switch (error instanceof Error && 'code' in error ? error.code : undefined) {
		case 'EADDRINUSE': {
			return refuse('port', `Another program already listens on port ${port} of ${host}.`, 'Choose another port with --port, or 0 for any free one.');
		}

		case 'EACCES': {
			return refuse('port', `Permission denied to listen on port ${port} of ${host}.`, 'Choose a port above 1023 with --port.');
		}

		case 'EADDRNOTAVAIL':
		case 'ENOTFOUND': {
			return refuse('host', `${host} is not an address of this machine.`, 'Choose another one with --host, such as 127.0.0.1.');
		}

		default: {
			return error;
		}
	}
};
