import {fillPath, timersPath} from '../interface/endpoints.ts';
import {SwitchboardError} from '../interface/errors.ts';
import {decodeRecord, type InstalledAbility} from '../interface/records.ts';
import type {TimerWish} from '../interface/timers.ts';
import {toAnswerError, toUnintelligibleError} from './answer-errors.ts';
import type {Connection} from './lists.ts';
import {explainNotFound} from './record-calls.ts';

/** Tells whether the service keeps timers; `undefined` before its first answer. */
export async function keepsTimers({transport}: Connection): Promise<boolean | undefined> {
	return transport.keepsTimers();
}

/**
Sets the timer of an installed ability, in place of one that it has, or cancels it (`null`).

@param isSwitching - the ability gets the opposite of the state to come in the same change; only if that differs from its present state, or
the ability has a timer to the same state, a timer is set.
@returns the record as the service has it now.
@throws SwitchboardError `refused` if the service keeps no timers: nothing was sent.
*/
export async function setTimer(
	connection: Connection,
	{id, name, raw}: InstalledAbility,
	timer: TimerWish | null,
	isSwitching = false,
	signal?: AbortSignal,
): Promise<InstalledAbility> {
	const {transport} = connection;
	if (transport.keepsTimers() !== true) {
		throw new SwitchboardError('refused', 'The service keeps no timers.');
	}

	// The rights are those of a switch.
	const call = {operation: 'editInstalled', path: fillPath(`${timersPath}/{id}/`, id), signal} as const;
	const answer = await transport.send(
		timer === null ? {...call, method: 'DELETE'} : {...call, method: 'PUT', json: {...toBody(timer), ...(isSwitching && {switch: true})}},
	);
	if (answer.status < 200 || answer.status >= 300) {
		const error = toAnswerError(answer, transport.keyName);
		throw await explainNotFound(connection, error, {resource: 'installed', id, name, verb: 'set a timer of', signal});
	}

	const fields = answer.fields();
	const {timer: _, ...kept} = raw;
	const record = decodeRecord('installed', {...kept, ...fields});
	if (record?.id !== id) {
		throw toUnintelligibleError(answer, 'an installed ability');
	}

	return record;
}

const toBody = ({note, ...wish}: TimerWish) => ({...wish, ...(note !== '' && {note})});
