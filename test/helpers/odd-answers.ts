import {Buffer} from 'node:buffer';
import type {Answer} from './answers.ts';

/** A redirect to any address, such as one of another origin that records which headers came along. */
export function redirectAnswer(location: string, status: 301 | 302 | 303 | 307 | 308 = 302): Answer {
	return {status, headers: {location}};
}

/** A body that never ends: an array with ever more records. */
export function endlessAnswer(): Answer {
	return {
		headers: {'content-type': 'application/json'},
		body: (function* () {
			yield '[{"id":1}';
			for (;;) {
				yield `,{"id":2,"name":"${'x'.repeat(65_536)}"}`;
			}
		})(),
	};
}

/** A JSON array of this many bytes, generated while it is sent. */
export function hugeAnswer(byteCount: number): Answer {
	return {
		headers: {'content-type': 'application/json'},
		body: (function* () {
			yield '[{"id":1}';
			const piece = ` ${'\n'.repeat(65_535)}`;
			for (let remaining = byteCount - 10; remaining > 0; remaining -= piece.length) {
				yield piece.slice(0, remaining);
			}

			yield ']';
		})(),
	};
}

/** Well-formed JSON in an encoding other than UTF-8, with the given charset in its content type. */
export function charsetAnswer(json: string, charset: string): Answer {
	return {headers: {'content-type': `application/json; charset=${charset}`}, body: Buffer.from(json, 'latin1')};
}

/** Announces more bytes than it sends: the connection stalls in the middle without being closed. */
export function stalledAnswer(start: string): Answer {
	return {
		headers: {'content-type': 'application/json'},
		body: (async function* () {
			yield start;
			await Promise.withResolvers<never>().promise;
		})(),
	};
}
