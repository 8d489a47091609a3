import {assert, test} from '../../helpers/node.ts';
import {progressLine} from '../../../source/tui/screens/ability/upload-screen.tsx';

test('a bar is as full as its percentage says; where there is no room the size is dropped first, then the bar', () => {
	assert.equal(progressLine(30, 0.5, '15 MB'), 'Sending [███████·······]  50 %');
	assert.equal(progressLine(30, 0, '15 MB'), 'Sending [··············]   0 %');
	assert.equal(progressLine(40, 0.456, '15 MB'), 'Sending [██████········]  45 %, of 15 MB');
	assert.equal(progressLine(26, 0.456, '15 MB'), 'Sending [████······]  45 %');
	assert.equal(progressLine(18, 0.456, '15 MB'), 'Sending  45 %');
});
