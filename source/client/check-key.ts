import {SwitchboardError} from '../interface/errors.ts';
import {keyRefusedStep, toUnintelligibleError} from './answer-errors.ts';
import {type Connection} from './connection.ts';

/**
Asks the service whether the key is valid, with its operation for that.

@throws SwitchboardError `not-found` if the service has no such operation.
*/
export const verifyKey = async ({call}: Connection, signal?: AbortSignal): Promise<boolean> => {
	const answer = await call('verifyKey', undefined, {json: {}, signal});
	const {valid} = answer.fields();
	if (typeof valid !== 'boolean') {
		throw toUnintelligibleError(answer, 'whether the key is valid');
	}

	return valid;
};

/**
Checks that there is a service at the address and that it accepts the key.

@throws SwitchboardError if not, such as `key-refused`.
*/
export const checkKey = async (connection: Connection, signal?: AbortSignal): Promise<void> => {
	// Not every service verifies keys; what counts is whether the documented list can be read.
	let isValid = true;
	try {
		isValid = await verifyKey(connection, signal);
	} catch (error) {
		// A service without that operation may answer anything, even 401: the key is not in the header.
		if (!(error instanceof SwitchboardError) || error.status === undefined) {
			throw error;
		}
	}

	// If the list is refused too, the service's own message says what to do.
	await connection.list('installed', signal);
	if (!isValid) {
		throw new SwitchboardError('key-refused', `The service refused ${connection.transport.keyName()}.`, {nextStep: keyRefusedStep});
	}
};
