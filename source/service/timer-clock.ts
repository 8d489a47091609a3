import {isTrouble} from './store-errors.ts';
import type {Store} from './store/store.ts';

/** Another process may have set a timer, the machine may have slept, and its clock may have been set. */
const lookMilliseconds = 60_000;

/** For a database that is busy, read-only or away. */
const pauseMilliseconds = 2000;

type LogError = (error: unknown, where: string) => void;

export class TimerClock {
	readonly #timers: Store['timers'];
	readonly #logError: LogError;
	readonly #lateBefore: number | undefined;
	#timeout: NodeJS.Timeout | undefined;
	#wakesAt = Infinity;
	#underWay: Promise<void> | undefined;
	#isFailing = false;
	#isStopping = false;

	/**
	@param logError - called with the first of the errors that follow each other.
	@param isAsking - true if a person is asked about timers whose time passed before the start, instead of doing them.
	*/
	constructor({timers}: Pick<Store, 'timers'>, logError: LogError, isAsking = false) {
		this.#timers = timers;
		this.#logError = logError;
		// Another process may be about to do the newest ones.
		this.#lateBefore = isAsking ? Date.now() - lookMilliseconds : undefined;
	}

	/** Does what timers ask for that is due, and goes on at the time of the next one. */
	async run(): Promise<void> {
		this.#underWay ??= this.#doDue().finally(() => {
			this.#underWay = undefined;
			this.#schedule();
		});
		return this.#underWay;
	}

	/** Looks again at that time, where it would be later. */
	wakeAt(at: string): void {
		if (Date.parse(at) < this.#wakesAt) {
			this.#wakesAt = Date.parse(at);
			this.#schedule();
		}
	}

	async stop(): Promise<void> {
		this.#isStopping = true;
		clearTimeout(this.#timeout);
		await this.#underWay;
	}

	#schedule(): void {
		clearTimeout(this.#timeout);
		if (!this.#isStopping) {
			const milliseconds = Math.min(Math.max(1, this.#wakesAt - Date.now()), lookMilliseconds);
			this.#timeout = setTimeout(() => {
				void this.run();
			}, milliseconds).unref();
		}
	}

	async #doDue(): Promise<void> {
		this.#wakesAt = Infinity;
		try {
			const {accounts, next} = await this.#timers.due();
			const isDone = await this.#doAccounts(accounts);
			this.#wakesAt = Math.min(this.#wakesAt, next === undefined ? Infinity : Date.parse(next));
			this.#isFailing &&= !isDone;
		} catch (error) {
			this.#fail(error);
			this.#wakesAt = Date.now() + pauseMilliseconds;
		}
	}

	/** @returns false if it was not possible for all of them. */
	async #doAccounts(accountIds: readonly number[]): Promise<boolean> {
		let isDone = true;
		for (const accountId of accountIds) {
			if (this.#isStopping) {
				break;
			}

			try {
				await this.#timers.fire(accountId, this.#lateBefore);
			} catch (error) {
				if (isTrouble(error) && !isTrouble(error, 'clock-behind')) {
					throw error;
				}

				// The others are done all the same.
				isDone = false;
				this.#fail(error);
			}
		}

		return isDone;
	}

	#fail(error: unknown): void {
		if (!this.#isFailing) {
			this.#logError(error, 'timers');
		}

		this.#isFailing = true;
	}
}
