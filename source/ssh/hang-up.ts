import type {Socket} from 'node:net';

/** How long the other end may take to read the last that was sent. */
const readingMilliseconds = 3000;

/** Ends a line once all that was sent has been read, or after a few seconds: who never reads could keep it for ever. */
export const hangUp = (connection: {readonly end: () => unknown}, socket: Socket): void => {
	connection.end();
	socket.destroySoon();
	if (socket.closed) {
		return;
	}

	const deadline = setTimeout(() => {
		socket.destroy();
	}, readingMilliseconds);
	socket.once('close', () => {
		clearTimeout(deadline);
	});
};
