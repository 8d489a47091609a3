import {type IncomingMessage} from 'node:http';
import {type onRequestHookHandler} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';
import {storedTextProblem} from '../../interface/stored-text.ts';

const isText = (encoded: string): boolean => {
	try {
		return storedTextProblem(encoded.includes('%') ? decodeURIComponent(encoded) : encoded) === undefined;
	} catch {
		return false;
	}
};

const countHosts = (rawHeaders: readonly string[]): number => {
	let count = 0;
	for (let index = 0; index < rawHeaders.length; index += 2) {
		const name = rawHeaders[index]!;
		if (name.length === 4 && name.toLowerCase() === 'host') {
			count++;
		}
	}

	return count;
};

/** What a proxy in front may have understood in another way than Node.js: it may take the rest for the next request of somebody else. */
const findDoubt = ({headers, rawHeaders}: IncomingMessage): string | undefined => {
	if (countHosts(rawHeaders) > 1) {
		return 'There must be one header Host.';
	}

	const coding = headers['transfer-encoding'];
	return coding === undefined || coding.trim().toLowerCase() === 'chunked' ? undefined : 'The only transfer coding that this service knows is chunked.';
};

/**
For `onRequest`: refuses a path or a query that is not text once it is decoded, and a request that does not say, or not clearly, which host
it is for (RFC 9112, section 3.2) and where it ends (section 6.1).
*/
export const refuseOddAddresses: onRequestHookHandler = ({raw}, reply, done) => {
	const {url = '', headers, httpVersion} = raw;
	if (!isText(url)) {
		throw new SwitchboardError('refused', 'The path is not valid.');
	}

	if (httpVersion === '1.1' && headers.host === undefined) {
		throw new SwitchboardError('refused', 'The header Host is required.');
	}

	const doubt = findDoubt(raw);
	if (doubt !== undefined) {
		void reply.header('connection', 'close');
		throw new SwitchboardError('refused', doubt);
	}

	done();
};
