import {type Buffer} from 'node:buffer';
import {type FastifyInstance} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';

const decoder = new TextDecoder('utf-8', {fatal: true});

/** The text of a body; `undefined` if its bytes are not UTF-8: replaced by U+FFFD they would be stored as something else. */
const decode = (body: Uint8Array): string | undefined => {
	try {
		return decoder.decode(body);
	} catch {
		return undefined;
	}
};

/**
Accepts JSON only; `acceptForms` adds forms. Some clients announce JSON in every request: an empty body counts as none.
*/
export const acceptJson = (app: FastifyInstance): void => {
	const parse = app.getDefaultJsonParser('error', 'error');
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('application/json', {parseAs: 'buffer'}, (request, body, done) => {
		const text = decode(body as Buffer);
		if (text === undefined) {
			done(new SwitchboardError('refused', 'The body is not valid UTF-8.'));
		} else if (text === '') {
			done(null, undefined);
		} else {
			// The default parser answers through the callback only.
			void parse(request, text, done);
		}
	});
};
