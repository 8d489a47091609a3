import {Buffer} from 'node:buffer';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {setTimeout as delay} from 'node:timers/promises';
import type {Pool} from 'pg';
import type {Messages} from '../store.ts';

/** Pieces that wait for a slow database; texts beyond them get lost. */
const maximumWaiting = 400;

const channel = 'switchboard';

/** A notification has less than 8,000 bytes (https://www.postgresql.org/docs/current/sql-notify.html). */
const maximumPieceLength = 7800;

const maximumPieces = 200;

/** Returns texts from process to process, by LISTEN and NOTIFY. One connection of the pool is kept once somebody listens. */
export function createMessages(pool: Pool): Messages & {readonly close: () => Promise<void>} {
	const own = randomUUID();
	const closing = new AbortController();
	const waiting: string[] = [];
	let textCount = 0;
	let isSending = false;
	let listening: Promise<void> | undefined;

	const sendWaiting = async (): Promise<void> => {
		isSending = true;
		while (waiting.length > 0) {
			// If this fails, those who listen elsewhere miss it: nothing can be said while the database is away.
			await pool
				.query(`select pg_notify('${channel}', piece) from unnest($1::text[]) as piece`, [waiting.splice(0)])
				.catch(() => undefined);
		}

		isSending = false;
	};

	/** Rejects once the connection is lost. */
	const listenOnce = async (onPiece: (piece: string) => void, onListening: () => void): Promise<void> => {
		const client = await pool.connect();
		const lost = new AbortController();
		// A connection that a firewall has dropped says nothing.
		const check = setInterval(() => {
			client.query('select 1').catch(() => lost.abort());
		}, 30_000).unref();
		try {
			client.on('notification', ({payload = ''}) => onPiece(payload));
			await client.query(`listen ${channel}`);
			onListening();
			await once(client, 'end', {signal: AbortSignal.any([lost.signal, closing.signal])});
		} finally {
			clearInterval(check);
			client.release(true);
		}
	};

	const keepListening = async (onPiece: (piece: string) => void, onSettled: () => void): Promise<void> => {
		while (!closing.signal.aborted) {
			// It tries again, as a standby that takes no listeners may become the primary.
			await listenOnce(onPiece, onSettled).catch(onSettled);
			await delay(1000, undefined, {signal: closing.signal, ref: false}).catch(() => undefined);
		}
	};

	return {
		send(text) {
			const pieces = split(`${own}:${++textCount}`, text);
			if (pieces.length > maximumPieces || waiting.length + pieces.length > maximumWaiting) {
				return;
			}

			waiting.push(...pieces);
			if (!isSending) {
				void sendWaiting();
			}
		},
		async listen(onText) {
			const {promise: settled, resolve} = Promise.withResolvers<void>();
			const join = createJoiner((id, received) => {
				if (!id.startsWith(own)) {
					onText(received);
				}
			});
			listening = keepListening(join, resolve);
			await settled;
		},
		async close() {
			closing.abort();
			await listening;
		},
	};
}

/** Base64 fits every encoding of a database. */
function split(id: string, text: string): readonly string[] {
	const encoded = Buffer.from(text).toString('base64');
	const parts = encoded.match(new RegExp(`.{1,${maximumPieceLength}}`, 'g')) ?? [];
	return parts.map((part, index) => `${id} ${index + 1} ${parts.length} ${part}`);
}

/**
Joins pieces to texts. Those of one text follow each other, as they are sent in one transaction: one unfinished text is all that is kept.
*/
function createJoiner(onText: (id: string, text: string) => void) {
	let begun = {id: '', parts: [] as string[]};
	return (piece: string): void => {
		const [id = '', index, count, part] = piece.split(' ', 4);
		if (index === '1') {
			begun = {id, parts: []};
		}

		if (part === undefined || id !== begun.id || Number(index) !== begun.parts.length + 1 || begun.parts.length === maximumPieces) {
			return;
		}

		begun.parts.push(part);
		if (index !== count) {
			return;
		}

		const text = Buffer.from(begun.parts.join(''), 'base64').toString();
		begun = {id: '', parts: []};
		onText(id, text);
	};
}
