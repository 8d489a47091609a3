import {type FastifyReply, type FastifyRequest} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';
import {addressGroupOf} from './address-group.ts';
import {type SharedCounter} from './shared-counter.ts';
import {createWindowCounter} from './window-counter.ts';

const windowMilliseconds = 60_000;

/** Somebody who mistypes sends a few; a program that tries keys sends thousands. */
const wrongKeysPerWindow = 30;

/** @throws SwitchboardError `rate-limited` if too many wrong keys have come from the address of the request. */
export type CountWrongKey = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
Counts the wrong keys of an address, in whichever part of a request they come. It is called for a wrong key only: a right one
is accepted from any address. The other end of a Unix socket has no address, and is on this machine: its keys are not counted.

@param countShared - where other processes count the same addresses.
*/
export const createWrongKeyCounter = (countShared?: SharedCounter): CountWrongKey => {
	const countLocally = createWindowCounter({windowMilliseconds});

	return async (request, reply) => {
		const group = addressGroupOf(request);
		if (group === undefined) {
			return;
		}

		const {count, millisecondsLeft} = countShared === undefined ? countLocally(group) : await countShared(`wrong keys from ${group}`, wrongKeysPerWindow);
		if (count <= wrongKeysPerWindow) {
			return;
		}

		const seconds = Math.ceil(millisecondsLeft / 1000);
		void reply.header('retry-after', String(seconds));
		throw new SwitchboardError('rate-limited', `Too many wrong keys have come from this address. Try again in ${seconds} s.`);
	};
};
