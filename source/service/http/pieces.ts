import {type Buffer} from 'node:buffer';
import {Readable} from 'node:stream';

/** About what a socket takes at once. */
const pieceBytes = 64 * 1024;

/** Between so many pieces, of all answers together, other work has its turn: a hundred readers of a list do not hold it up. */
const piecesAtOnce = 4;

const waiting: Array<() => void> = [];
let isTurnAhead = false;

const sendInTurn = (send: () => void): void => {
	waiting.push(send);
	awaitTurn();
};

const awaitTurn = (): void => {
	if (isTurnAhead || waiting.length === 0) {
		return;
	}

	isTurnAhead = true;
	setImmediate(() => {
		isTurnAhead = false;
		for (const send of waiting.splice(0, piecesAtOnce)) {
			send();
		}

		awaitTurn();
	});
};

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
		sendInTurn(() => {
			if (this.destroyed) {
				return;
			}

			const piece = this.#bytes.subarray(this.#position, this.#position + pieceBytes);
			this.#position += piece.length;
			this.push(piece.length === 0 ? null : piece);
		});
	}
}
