/** Reads what comes through a line, until it stalls. */
export class Reader {
	#goOn: (() => void) | undefined;
	text = '';
	isStalled: boolean;

	constructor(isStalled = false) {
		this.isStalled = isStalled;
	}

	/** @param done - called once it is read, which a stalled line puts off. */
	take(bytes: string, done: () => void): void {
		this.text += bytes;
		if (this.isStalled) {
			this.#goOn = done;
		} else {
			done();
		}
	}

	goOn(): void {
		this.isStalled = false;
		const goOn = this.#goOn;
		this.#goOn = undefined;
		goOn?.();
	}
}
