/** A question must be on the screen this long before a Yes counts, in milliseconds. */
const readingMilliseconds = 300;

/** This long without a key, in milliseconds, before a key may mean Yes: keys of a pasted text, or of a held key, come faster. */
const quietMilliseconds = 150;

type Times = {readonly reading?: number; readonly quiet?: number};

/**
Returns a watch that knows the question to which a key may say Yes: pasted text, or text typed before the question appeared, must not answer
it. On a terminal without bracketed paste, letters of a paste are keys like any other.
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
		/** Notes that a question is on the screen from now on; returns a function that ends that. */
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
		/** Notes that a key or a paste arrived; returns the question to which it may say Yes. */
		note(): unknown {
			const answered = answerable();
			// Keys before the question were long ago when it can be read.
			if (question !== undefined) {
				isQuiet = false;
				quiet.start();
			}

			return answered;
		},
	};
}

/**
Calls back after this time, and after the keyboard's waiting input was read: a busy process reads late, and its timers are then over
already.
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
