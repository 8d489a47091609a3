import {type Buffer} from 'node:buffer';
import {Readable} from 'node:stream';

/** About what a socket takes at once. */
const pieceBytes = 64 * 1024;

/**
Bytes in pieces, between which other requests are answered. So one can also see how far the reader is. The pieces are parts of the
bytes: as many streams as there are readers take their memory once.
*/
export class Pieces extends Readable {
	readonly #bytes: Buffer;
	#position = 0;

	constructor(bytes: Buffer) {
		super({highWaterMark: pieceBytes});
		this.#bytes = bytes;
	}

	override _read(): void {
		setImmediate(() => {
			if (this.destroyed) {
				return;
			}

			const piece = this.#bytes.subarray(this.#position, this.#position + pieceBytes);
			this.#position += piece.length;
			this.push(piece.length === 0 ? null : piece);
		});
	}
}
