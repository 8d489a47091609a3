import assert from 'node:assert/strict';
import {Socket} from 'node:net';
import {test} from 'node:test';
import {createNewcomers} from '../../source/ssh/newcomers.ts';
import {createShares} from '../../source/ssh/shares.ts';

const addSocket = ({add}: ReturnType<typeof createNewcomers>, address: string): Socket => {
	const socket = new Socket();
	add(socket, address);
	return socket;
};

test('when too many wait to come in, the crowd from one network loses its lines, not who comes alone', () => {
	const crowded: string[] = [];
	const newcomers = createNewcomers({
		onCrowd(address) {
			crowded.push(address);
		},
	});
	const alone = addSocket(newcomers, '192.0.2.1');
	// Each network of IPv6 is one source, however many addresses it has.
	const crowd = Array.from({length: 600}, (_, index) => addSocket(newcomers, `2001:db8:0:${(index % 20).toString(16)}::${(index + 1).toString(16)}`));
	assert.equal(alone.destroyed, false);
	assert.equal(crowd.filter(({destroyed}) => !destroyed).length, 255);
	assert.equal(crowded.length, 600 - 255);
	newcomers.cut();
	assert.equal(alone.destroyed, true);
});

test('of the lines of one network, those that say nothing are cut first', () => {
	const newcomers = createNewcomers({onCrowd: () => undefined});
	const polite = addSocket(newcomers, '2001:db8::1');
	newcomers.greeted(polite);
	const silent = Array.from({length: 40}, (_, index) => addSocket(newcomers, `2001:db8::${(index + 2).toString(16)}`));
	assert.equal(polite.destroyed, false);
	assert.equal(silent.filter(({destroyed}) => !destroyed).length, 31);
	newcomers.cut();
});

test('one alone gets half of all there is, and leaves room for the next', () => {
	const shares = createShares(200);
	const takeAll = (owner: string): number => {
		let count = 0;
		while (shares.take(owner)) {
			count++;
		}

		return count;
	};

	assert.deepEqual(['ada', 'bob', 'carol'].map(owner => takeAll(owner)), [100, 50, 25]);
	shares.give('ada');
	assert.equal(takeAll('dan') > 0, true);
});
