import {type FastifyReply, type FastifyRequest} from 'fastify';
import {SwitchboardError} from '../../interface/errors.ts';
import {addressGroupOf} from './address-group.ts';
import {type SharedCounter} from './shared-counter.ts';
import {unixProxy} from './trusted-proxies.ts';
import {createWindowCounter} from './window-counter.ts';

const windowMilliseconds = 60_000;

/** Somebody who mistypes sends a few; a program that tries keys sends thousands. */
const wrongKeysPerWindow = 30;

/** @throws SwitchboardError `rate-limited` if too many wrong keys have come from the address of the request. */
export type CountWrongKey = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
Counts the wrong keys of an address, in whichever part of a request they come. It is called for a wrong key only: a right one
is accepted from any address. All that come through a Unix socket without an address of their own count as one, and not with those of
other processes: they are on this machine.

@param countShared - where other processes count the same addresses.
*/
export const createWrongKeyCounter = (countShared?: SharedCounter): CountWrongKey => {
	const countLocally = createWindowCounter({windowMilliseconds});

	return async (request, reply) => {
		const group = addressGroupOf(request);
		const {count, millisecondsLeft} = group === undefined || countShared === undefined ? countLocally(group ?? unixProxy) : await countShared(`wrong keys from ${group}`, wrongKeysPerWindow);
		if (count <= wrongKeysPerWindow) {
			return;
		}

		const seconds = Math.ceil(millisecondsLeft / 1000);
		void reply.header('retry-after', String(seconds));
		throw new SwitchboardError('rate-limited', `Too many wrong keys have come from this address. Try again in ${seconds} s.`);
	};
};
