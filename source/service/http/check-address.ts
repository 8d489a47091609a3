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

/**
For `onRequest`: refuses a path or a query that is not text once it is decoded, and a request that does not say which host
it is for (RFC 9112, section 3.2).
*/
export const refuseOddAddresses: onRequestHookHandler = ({raw: {url = '', headers, httpVersion}}, _reply, done) => {
	if (!isText(url)) {
		throw new SwitchboardError('refused', 'The path is not valid.');
	}

	if (httpVersion === '1.1' && headers.host === undefined) {
		throw new SwitchboardError('refused', 'The header Host is required.');
	}

	done();
};
