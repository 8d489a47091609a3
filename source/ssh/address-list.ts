import {BlockList, isIP, isIPv4} from 'node:net';
import {ipv6Parts, plainAddress} from '../platform/ip-address.ts';

/** Tells whether a key may be used from an address (`from="…"` in sshd(8), AUTHORIZED_KEYS FILE FORMAT). */
export type AddressList = (address: string) => boolean;

const longestList = 4000;

/** An IPv6 address has this many groups. A pattern with many asterisks takes long to fail. */
const mostGroups = 8;

/**
Reads a list of patterns, separated by commas: addresses, with the wildcards `*` and `?`, and networks such as `10.0.0.0/8`. An
exclamation mark excludes what its pattern matches.

@returns a clause about the list if it is not valid.
*/
export function readAddressList(text: string): AddressList | string {
	const matchers: Array<{readonly isExcluded: boolean; readonly matches: AddressList}> = [];
	if (text.length > longestList) {
		return 'is too long';
	}

	for (const word of text.split(',')) {
		const isExcluded = word.startsWith('!');
		const pattern = isExcluded ? word.slice(1) : word;
		if (pattern === '' || /[^!-~]/.test(pattern) || pattern.replaceAll(/\*+/g, '*').split('*').length > mostGroups) {
			return 'has a pattern that is not valid';
		}

		// Names are not looked up, and ignoring an excluded name would let in those whom the line keeps out.
		if (isExcluded && isHostName(pattern.split('/', 1)[0]!)) {
			return `excludes “${pattern}”, and names of hosts are not looked up`;
		}

		const matches = matcherOf(pattern);
		if (typeof matches === 'string') {
			return matches;
		}

		matchers.push({isExcluded, matches});
	}

	return address => {
		const plain = plainAddress(address) ?? '';
		const found = matchers.filter(({matches}) => matches(plain));
		return found.length > 0 && found.every(({isExcluded}) => !isExcluded);
	};
}

/** True for a pattern that can only be the name of a host. It matches nobody, because names are not looked up. */
const isHostName = (pattern: string): boolean => !/^(?:[\d*.?]+|[\d*.?a-f]*:[\d*.:?a-f]*)$/i.test(pattern);

/** @returns a clause about the list if the pattern is not valid. */
function matcherOf(pattern: string): AddressList | string {
	const [network = '', bitsText, ...rest] = pattern.split('/');
	if (bitsText === undefined) {
		const plain = plainAddress(pattern);
		return plain === undefined ? wildcardMatcher(pattern) : networkMatcher(plain, isIPv4(plain) ? 32 : 128);
	}

	const bits = Number(bitsText);
	const isNetwork =
		rest.length === 0 &&
		isIP(network) !== 0 &&
		!network.includes('%') &&
		/^\d{1,3}$/.test(bitsText) &&
		bits <= (isIPv4(network) ? 32 : 128);
	if (!isNetwork) {
		return `has a network that is not valid: “${pattern}”`;
	}

	// OpenSSH refuses it too: a single address was meant, or another network.
	return hasBitsBehind(network, bits)
		? `has the network “${pattern}”, whose address has bits behind the first ${bits}`
		: networkMatcher(network, bits);
}

function wildcardMatcher(pattern: string): AddressList {
	if (isHostName(pattern)) {
		return () => false;
	}

	// A run of asterisks counts as one: several would take ages to fail.
	const source = pattern.replaceAll(/\*+/g, '*').replaceAll('.', String.raw`\.`).replaceAll('?', '.').replaceAll('*', '.*');
	const expression = new RegExp(`^${source}$`, 'i');
	return address => expression.test(address);
}

function networkMatcher(network: string, bits: number): AddressList {
	const list = new BlockList();
	list.addSubnet(network, bits, familyOf(network));
	return address => isIP(address) !== 0 && familyOf(address) === familyOf(network) && list.check(address, familyOf(address));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

function hasBitsBehind(address: string, bits: number): boolean {
	const [parts, width] = isIPv4(address)
		? [address.split('.').map(Number), 8]
		: [ipv6Parts(address).map(part => Number.parseInt(part, 16)), 16];
	return parts.some((part, index) => part % 2 ** Math.min(Math.max(width * (index + 1) - bits, 0), width) > 0);
}
