import type {Answer} from './answers.ts';
import type {Handler, RecordedRequest, RequestFilter} from './recorded-requests.ts';

export type Failure = Answer & {
	/** Only the next matching request fails; by default any. */
	readonly when?: RequestFilter;
	/** How many requests fail this way; one by default. */
	readonly times?: number;
	/** The request is carried out; only its answer is lost. */
	readonly isCarriedOut?: boolean;
	/** Answered when the head is there, without reading the body, as a proxy with a size limit does. */
	readonly isEarly?: boolean;
};

export type Hold = {
	/** Only matching requests are held; by default all. */
	readonly when?: RequestFilter;
	/** Whether the request is carried out before it is held, or only after the release. */
	readonly isCarriedOutFirst?: boolean;
};

type Holding = Hold & {readonly released: Promise<void>};

const isFitting = (isWanted: RequestFilter | undefined, request: RecordedRequest): boolean => isWanted === undefined || isWanted(request);

/** The failures and holds that a test has set up for requests. */
export function createTrouble() {
	const failures: Array<Failure & {remaining: number}> = [];
	const holdings = new Set<Holding>();
	let heldCount = 0;

	const takeFailure = (request: RecordedRequest, isEarly: boolean): Failure | undefined => {
		const failure = failures.find(candidate => (candidate.isEarly ?? false) === isEarly && isFitting(candidate.when, request));
		if (failure !== undefined && --failure.remaining === 0) {
			failures.splice(failures.indexOf(failure), 1);
		}

		return failure;
	};

	const carryOut = async (request: RecordedRequest, handle: Handler): Promise<Answer> => {
		const failure = takeFailure(request, false);
		if (failure === undefined) {
			return handle(request);
		}

		if (failure.isCarriedOut === true) {
			await handle(request);
		}

		return failure;
	};

	const answer = async (request: RecordedRequest, handle: Handler): Promise<Answer> => {
		const holding = [...holdings].find(({when}) => isFitting(when, request));
		if (holding === undefined) {
			return carryOut(request, handle);
		}

		const early = holding.isCarriedOutFirst === true ? carryOut(request, handle) : undefined;
		heldCount++;
		await holding.released;
		heldCount--;
		return early ?? carryOut(request, handle);
	};

	return {
		failNext(failure: Failure) {
			failures.push({...failure, remaining: failure.times ?? 1});
		},
		hold(hold: Hold = {}) {
			const {promise, resolve} = Promise.withResolvers<void>();
			const holding = {...hold, released: promise};
			holdings.add(holding);
			return () => {
				holdings.delete(holding);
				resolve();
			};
		},
		heldCount: () => heldCount,
		/** The failure that a request meets when only its head is there. */
		takeEarlyFailure: (head: RecordedRequest) => takeFailure(head, true),
		/** The answer to a request, after any trouble set up for it. */
		answer,
	};
}
