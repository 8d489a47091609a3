const keepAliveMilliseconds = 15_000;

/** How many questions in a row a dead line leaves without an answer. */
const mostUnanswered = 3;

/** Keeps the line alive; calls back when it is dead. */
export const watchLine = (isWaiting: () => boolean, ask: () => void, onDead: () => void): NodeJS.Timeout => {
	let unanswered = 0;
	return setInterval(() => {
		unanswered = isWaiting() ? unanswered + 1 : 0;
		if (unanswered >= mostUnanswered) {
			onDead();
		} else if (unanswered === 0) {
			ask();
		}
	}, keepAliveMilliseconds);
};
