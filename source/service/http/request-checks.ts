import type {Buffer} from 'node:buffer';
import type {IncomingMessage} from 'node:http';
import type {FastifyInstance, onRequestHookHandler} from 'fastify';
import {changeFeedPath, descriptionPath} from '../../interface/endpoints.ts';
import {SwitchboardError, withoutFailing} from '../../interface/errors.ts';
import {storedTextProblem} from '../../interface/names.ts';
import {healthPath, readinessPath} from './public-routes.ts';

/**
For `onRequest`: refuses a path or a query that does not decode to text, and a request without a clear host (RFC 9112, section 3.2) or a
clear end (section 6.1).
*/
export const refuseOddRequests: onRequestHookHandler = ({raw}, reply, done) => {
	const {url = '', headers, httpVersion} = raw;
	if (!isText(url)) {
		throw new SwitchboardError('refused', `The ${isText(url.split('?', 1)[0]!) ? 'query' : 'path'} is not valid.`);
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

/** The methods of paths other than operations. For a wrong method of an operation, clients expect a 404 (`docs/interface.md`, Paths). */
const methods: Readonly<Partial<Record<string, string>>> = {
	[changeFeedPath]: 'GET',
	[descriptionPath]: 'GET, HEAD',
	[healthPath]: 'GET, HEAD',
	[readinessPath]: 'GET, HEAD',
};

/** For `onRequest`: refuses a request that no route answers, before its body is read. */
export const refuseUnknown: onRequestHookHandler = ({is404, url}, reply, done) => {
	if (!is404) {
		done();
		return;
	}

	const allow = methods[url.replace(/\/?(?:\?.*)?$/, '')];
	if (allow === undefined) {
		void reply.code(404).send({detail: 'The service has no such path, or does not accept this method there.', code: 'no-such-path'});
	} else {
		void reply
			.code(405)
			.header('allow', allow)
			.send({detail: `This endpoint accepts no other methods than: ${allow}.`});
	}
};

/** A lenient decoder would replace bytes that are not UTF-8 with U+FFFD, and other text would be stored. */
const decoder = new TextDecoder('utf-8', {fatal: true});

/** Accepts JSON only; `acceptForms` adds forms. Some clients announce JSON in every request: an empty body counts as none. */
export function acceptJson(app: FastifyInstance): void {
	const parse = app.getDefaultJsonParser('error', 'error');
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('application/json', {parseAs: 'buffer'}, (request, body, done) => {
		const text = decode(body as Buffer);
		if (text === undefined) {
			const hint = request.headers['content-encoding'] === undefined ? '' : ' Send it without a Content-Encoding.';
			done(new SwitchboardError('refused', `The body is not valid UTF-8.${hint}`));
		} else if (text === '') {
			done(null, undefined);
		} else {
			// The default parser answers only through the callback.
			void parse(request, text, done);
		}
	});
}

const decode = (body: Uint8Array): string | undefined => withoutFailing(() => decoder.decode(body));

function isText(encoded: string): boolean {
	return withoutFailing(() => storedTextProblem(encoded.includes('%') ? decodeURIComponent(encoded) : encoded) === undefined) ?? false;
}

/** Returns a header that a proxy in front may read differently from Node.js: it could take the rest for somebody else's next request. */
function findDoubt({headers, rawHeaders}: IncomingMessage): string | undefined {
	if (rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length > 1) {
		return 'There must be one header Host.';
	}

	const coding = headers['transfer-encoding'];
	return coding === undefined || coding.trim().toLowerCase() === 'chunked'
		? undefined
		: 'The only transfer coding that this service knows is chunked.';
}
