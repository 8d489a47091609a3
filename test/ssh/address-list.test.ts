import {assert, test} from '../helpers/node.ts';
import fc from 'fast-check';
import {readAddressList} from '../../source/ssh/address-list.ts';

function isAllowed(list: string, address: string): boolean {
	const found = readAddressList(list);
	if (typeof found === 'string') {
		assert.fail(`${list} ${found}`);
	}

	return found(address);
}

test('an address, a pattern or a network lets in those that it names', () => {
	const cases: ReadonlyArray<readonly [list: string, address: string, isIn: boolean]> = [
		['192.0.2.1', '192.0.2.1', true],
		['192.0.2.1', '192.0.2.10', false],
		['192.0.2.1', '::ffff:192.0.2.1', true],
		['192.0.2.*', '192.0.2.77', true],
		['192.0.2.*', '192.0.20.7', false],
		['192.0.2.?', '192.0.2.7', true],
		['192.0.2.?', '192.0.2.77', false],
		['192.0.2.0/24', '192.0.2.77', true],
		['192.0.2.0/24', '::ffff:192.0.2.77', true],
		['192.0.2.0/24', '192.0.3.77', false],
		['0.0.0.0/0', '192.0.2.1', true],
		['0.0.0.0/0', '2001:db8::1', false],
		['2001:db8::/32', '2001:db8:1::5', true],
		['2001:db8::/32', '2001:db9:1::5', false],
		['2001:DB8:0:0::1', '2001:db8::1', true],
		['2001:db8:*', '2001:db8::1', true],
		['fe80::/10', 'fe80::1%eth0', true],
		['*', '192.0.2.1', true],
		['*,!192.0.2.1', '192.0.2.1', false],
		['!192.0.2.1,*', '192.0.2.1', false],
		['!192.0.2.0/24', '192.0.3.1', false],
		['*.example.org', '192.0.2.1', false],
		['box.example.org,192.0.2.1', '192.0.2.1', true],
	];
	for (const [list, address, isIn] of cases) {
		assert.equal(isAllowed(list, address), isIn, `${list} ${address}`);
	}
});

test('a list with a pattern that is not valid is refused', () => {
	const networks = ['192.0.2.0/33', '2001:db8::/129', 'box/8', '192.0.2.0/8/8', '192.0.2.0/'];
	for (const list of [
		'',
		',',
		'192.0.2.1,',
		'!',
		...networks,
		'192.0.2.1 192.0.2.2',
		'*,!box.example.org',
		'!bad*',
		'*1*2*3*4*5*6*7*8*9*',
	]) {
		assert.equal(typeof readAddressList(list), 'string', list);
	}
});

test('a network whose address has bits behind its length is refused', () => {
	for (const pattern of [
		'127.0.0.1/8',
		'10.1.255.255/17',
		'192.0.2.1/0',
		'192.0.2.3/31',
		'2001:db8::1/32',
		'2001:DB8:0:0:ffff::5/65',
		'::1/0',
		'::ffff:10.0.0.1/104',
	]) {
		for (const list of [pattern, `!${pattern},*`]) {
			assert.match(String(readAddressList(list)), /has bits behind the first/, list);
		}
	}

	assert.equal(
		typeof readAddressList('127.0.0.1/32,10.1.128.0/17,::1/128,2001:0DB8::0/32,2001:db8:0:0:8000::/65,::/0,::ffff:10.0.0.0/104'),
		'function',
	);
});

test('no list of patterns makes a check fail, and whom it excludes stays out', () => {
	const word = fc
		.array(fc.constantFrom('1', '10', '255', '.', ':', '*', '?', '!', '/', '8', 'a', 'f', ','), {maxLength: 12})
		.map(parts => parts.join(''));
	fc.assert(
		fc.property(word, fc.ipV4(), (list, address) => {
			const found = readAddressList(list);
			assert.ok(typeof found === 'string' || typeof found(address) === 'boolean');
			const without = readAddressList(`${list},!${address}`);
			assert.ok(typeof without === 'string' || !without(address));
		}),
	);
});
