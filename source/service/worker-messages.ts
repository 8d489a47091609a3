import {type ErrorKind} from '../interface/errors.ts';

/** What the service's worker thread says to the thread that started it. */
export type WorkerMessage =
	| {readonly type: 'ready'; readonly baseAddress: string}
	| {
		readonly type: 'failed';
		readonly kind: ErrorKind;
		readonly message: string;
		readonly nextStep: string | undefined;
	};
