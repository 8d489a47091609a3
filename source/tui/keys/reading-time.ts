/** Milliseconds for which a question is on the screen before a Yes to it counts. */
const readingMilliseconds = 300;

/** Milliseconds without a key before one that means Yes: those of a text that is pasted come faster, as do those of a key that is held. */
const quietMilliseconds = 150;

type Times = {readonly reading?: number; readonly quiet?: number};

/**
Knows which question a key may say Yes to: text that is pasted, or was typed before the question was there, must not answer it. Where
the terminal has no bracketed paste, its letters are keys like any other.
*/
export function createReadingTime(times: Times = {}) {
	let question: unknown;
	let isRead = false;
	let isQuiet = true;
	const reading = createWait(times.reading ?? readingMilliseconds, () => {
		isRead = true;
	});
	const quiet = createWait(times.quiet ?? quietMilliseconds, () => {
		isQuiet = true;
	});
	const answerable = (): unknown => (isRead && isQuiet ? question : undefined);

	return {
		/** The question to which the next key may say Yes. */
		get answerable() {
			return answerable();
		},
		/** The question on the screen. */
		get question() {
			return question;
		},
		/** A question is on the screen from now on; returns a function that ends that. */
		show(shown: unknown): () => void {
			question = shown;
			isRead = false;
			isQuiet = true;
			reading.start();
			return () => {
				if (question !== shown) {
					return;
				}

				question = undefined;
				reading.stop();
				quiet.stop();
			};
		},
		/** Notes that a key or a paste came; returns the question to which it may say Yes. */
		note(): unknown {
			const answered = answerable();
			// Before the question there may have been keys too: they are long ago when it is read.
			if (question !== undefined) {
				isQuiet = false;
				quiet.start();
			}

			return answered;
		},
	};
}

/**
Calls back after so long, and after what was waiting in the keyboard then was read: a process that was busy reads late, and finds its
timers over.
*/
function createWait(milliseconds: number, callback: () => void) {
	let immediate: NodeJS.Immediate | undefined;
	let timer: NodeJS.Timeout | undefined;
	const stop = (): void => {
		clearTimeout(timer);
		clearImmediate(immediate);
	};

	return {
		start(): void {
			stop();
			timer = setTimeout(() => {
				immediate = setImmediate(callback);
			}, milliseconds);
			timer.unref();
		},
		stop,
	};
}
