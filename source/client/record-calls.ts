import {SwitchboardError} from '../interface/errors.ts';
import type {Operation} from '../interface/endpoints.ts';
import {goneText} from '../interface/lists.ts';
import type {Resource} from '../interface/records.ts';
import type {Answer} from './answer.ts';
import {refusePage} from './answer-errors.ts';
import type {Connection} from './lists.ts';
import {isUnknown, type RouteCall} from './routes.ts';

type RecordAction = {
	readonly resource: Resource;
	readonly id: number;
	readonly name: string;
	readonly verb: string;
	readonly signal?: AbortSignal | undefined;
};

/** Tells whether a list has a record; `undefined` if the list cannot be read, or is cut short and does not show it. */
export async function isListed({list}: Connection, {resource, id, signal}: RecordAction): Promise<boolean | undefined> {
	const {records, isComplete} = await list(resource, signal).catch(() => ({records: [], isComplete: false}));
	return records.some(record => record.id === id) || (isComplete ? false : undefined);
}

/**
Returns the error to throw. A 404 for a path with an id may mean the path or the id (`docs/interface.md`, Paths): the list tells which. Any
other error is returned unchanged, as is a 404 after an earlier attempt that may have been carried out.
*/
export async function explainNotFound(connection: Connection, error: unknown, action: RecordAction): Promise<unknown> {
	if (!isUnknown(error) || error.isOutcomeUnknown) {
		return error;
	}

	const {status} = error;
	const {name, verb, resource} = action;
	const isKnown = await isListed(connection, action);
	if (isKnown === undefined) {
		return error;
	}

	return isKnown
		? new SwitchboardError('not-found', `The service lists ${name} but cannot ${verb} it (HTTP ${status}).`, {
				status,
				nextStep: 'Use the dashboard instead.',
			})
		: new SwitchboardError('not-found', goneText(resource, name), {status, nextStep: 'Refresh the list.'});
}

/** Calls an operation on a record; a failure is thrown as `explainNotFound` explains it. */
export async function callForRecord(
	connection: Connection,
	operation: Operation,
	action: RecordAction,
	call: RouteCall = {},
): Promise<Answer> {
	try {
		return refusePage(await connection.call(operation, action.id, {...call, signal: action.signal}));
	} catch (error) {
		throw await explainNotFound(connection, error, action);
	}
}
