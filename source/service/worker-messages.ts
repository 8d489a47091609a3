import {type ErrorKind} from '../interface/errors.ts';

/** A message from the service's worker thread to the thread that started it. */
export type WorkerMessage =
	| {readonly type: 'ready'; readonly baseAddress: string}
	| {
		readonly type: 'failed';
		readonly kind: ErrorKind;
		readonly message: string;
		readonly nextStep: string | undefined;
	};
