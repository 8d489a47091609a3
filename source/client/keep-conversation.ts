import {setTimeout as delay} from 'node:timers/promises';
import {toSwitchboardError, type ErrorKind, type SwitchboardError} from '../interface/errors.ts';
import {goodMilliseconds, waitAfter} from './changes.ts';
import type {Conversation} from './conversation.ts';

/** A conversation that ends with one of these may be opened again. */
const passing: ReadonlySet<ErrorKind> = new Set(['unreachable', 'timeout', 'server-error', 'rate-limited', 'no-room']);

type Listener<Open> = {
	/** Called each time it is opened. */
	readonly onOpen: (conversation: Open) => void;
	/** Called when it ended or could not be opened, before the pause and the next attempt. */
	readonly onLost: (error: SwitchboardError, pauseMilliseconds: number) => void;
};

/**
Holds a conversation, or follows call logs, and reopens it after growing pauses when it is lost.

@returns `undefined` once the signal is aborted; the reason if trying again is useless.
*/
export async function keepConversation<Open extends Pick<Conversation, 'ended'>>(
	open: (signal: AbortSignal) => Promise<Open>,
	{onOpen, onLost}: Listener<Open>,
	signal: AbortSignal,
): Promise<SwitchboardError | undefined> {
	let failureCount = 0;
	while (!signal.aborted) {
		let openedAt = Infinity;
		let end: SwitchboardError | undefined;
		try {
			const conversation = await open(signal);
			openedAt = performance.now();
			onOpen(conversation);
			end = await conversation.ended;
		} catch (error) {
			end = toSwitchboardError(error);
		}

		if (signal.aborted || end === undefined) {
			return undefined;
		}

		if (!passing.has(end.kind)) {
			return end;
		}

		failureCount = performance.now() - openedAt >= goodMilliseconds ? 0 : failureCount + 1;
		const pauseMilliseconds = waitAfter(failureCount, end);
		onLost(end, pauseMilliseconds);
		try {
			await delay(pauseMilliseconds, undefined, {signal});
		} catch {
			// The signal is checked next.
		}
	}

	return undefined;
}
