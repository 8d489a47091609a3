import {assert, test} from '../helpers/node.ts';
import {addressGroup} from '../../source/platform/ip-address.ts';

const groups: ReadonlyArray<readonly [address: string | undefined, group: string | undefined]> = [
	['192.0.2.7', '192.0.2.7'],
	['::ffff:192.0.2.7', '192.0.2.7'],
	['::FFFF:c000:207', '192.0.2.7'],
	['::ffff:0.0.0.1', '0.0.0.1'],
	['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
	['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
	['2001:db8:1:3::9', '2001:db8:1:3::/64'],
	['fe80::1%eth0', 'fe80:0:0:0::/64'],
	['::1', '0:0:0:0::/64'],
	['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
	[undefined, undefined],
	['', undefined],
	['unknown', undefined],
	['192.0.2.7:1234', undefined],
];

for (const [address, group] of groups) {
	test(`the address ${address} counts as ${group}`, () => assert.equal(addressGroup(address), group));
}
