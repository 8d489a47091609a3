import assert from 'node:assert/strict';
import {test} from 'node:test';
import {progressLine} from '../../../source/tui/widgets/progress-bar.tsx';

test('a bar is as full as its percentage says', () => {
	assert.equal(progressLine({width: 30, fraction: 0.5, label: 'Sending'}), 'Sending [███████·······]  50 %');
	assert.equal(progressLine({width: 30, fraction: 0, label: 'Sending'}), 'Sending [··············]   0 %');
	assert.equal(progressLine({width: 30, fraction: 1, label: 'Sending'}), 'Sending [██████████████] 100 %');
});

test('the note is dropped first, then the bar; the percentage stays', () => {
	assert.equal(progressLine({
		width: 40, fraction: 0.456, label: 'Sending', note: 'of 15 MB',
	}), 'Sending [██████········]  45 %, of 15 MB');
	assert.equal(progressLine({
		width: 26, fraction: 0.456, label: 'Sending', note: 'of 15 MB',
	}), 'Sending [████······]  45 %');
	assert.equal(progressLine({
		width: 18, fraction: 0.456, label: 'Sending', note: 'of 15 MB',
	}), 'Sending  45 %');
});

test('no line is wider than asked for', () => {
	for (let width = 1; width <= 100; width++) {
		for (const fraction of [undefined, 0, 0.333, 1]) {
			assert.ok(progressLine({
				width, fraction, label: 'Sending', note: 'of 15 MB',
			}).length <= width, `${width} ${fraction}`);
		}
	}
});
