import {isIPv6} from 'node:net';
import {plainAddress} from './address-list.ts';

/** What an address is counted by: who has one IPv6 address has a network of them. */
export const networkOf = (address: string): string => {
	const plain = plainAddress(address);
	if (!isIPv6(plain)) {
		return plain;
	}

	const [head = '', tail] = plain.split('::', 2);
	const groups = head.split(':');
	const tailLength = tail === undefined || tail === '' ? 0 : tail.split(':').length;
	const whole = tail === undefined ? groups : [...groups, ...Array.from({length: 8 - groups.length - tailLength}, () => '0')];
	return whole.slice(0, 4).map(group => group === '' ? '0' : group).join(':');
};
