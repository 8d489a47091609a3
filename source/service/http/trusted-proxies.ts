import {BlockList, isIP} from 'node:net';

/** Stands for whoever is at the other end of a Unix socket, which has no address. */
export const unixProxy = 'unix';

/**
Tells whether an address is that of a trusted proxy; `undefined` is the other end of a Unix socket.

@param proxies - addresses, networks as ADDRESS/BITS, or `unixProxy`.
*/
export const createProxyCheck = (proxies: readonly string[]): ((address: string | undefined) => boolean) => {
	const networks = new BlockList();
	const isUnixTrusted = proxies.includes(unixProxy);
	for (const proxy of proxies) {
		if (proxy === unixProxy) {
			continue;
		}

		const [address = '', bits] = proxy.split('/', 2);
		const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
		networks.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
	}

	return address => {
		if (address === undefined) {
			return isUnixTrusted;
		}

		const family = isIP(address);
		return family !== 0 && networks.check(address, family === 6 ? 'ipv6' : 'ipv4');
	};
};
