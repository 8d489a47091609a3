import assert from 'node:assert/strict';
import {test} from 'node:test';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {decodeRecord} from '../../source/interface/records.ts';
import {keyName} from '../../source/tui/keys/hints.ts';
import {createKeymap} from '../../source/tui/keys/keymap.ts';
import {failureText} from '../../source/tui/failure-text.ts';

const failure = {
	installed: decodeRecord('installed', {id: 1, name: 'lamps', enabled: true})!,
	isWantedEnabled: false,
	error: new SwitchboardError('timeout', 'No answer came in time.'),
	isOutcomeUnknown: false,
};

test('a change that failed is told with the key that tries again', () => {
	assert.equal(failureText(failure, 'toggle', createKeymap()), 'lamps stays on: No answer came in time. Space tries again.');
	assert.equal(
		failureText({...failure, isOutcomeUnknown: true}, 'toggle', createKeymap()),
		'It is not known whether lamps is off now: No answer came in time. r reads the list again.',
	);
});

test('where the cursor may be on another row, the key is the one that tries again what failed', () => {
	for (const kind of ['many', 'undo', 'redo'] as const) {
		assert.equal(failureText(failure, kind, createKeymap()), 'lamps stays on: No answer came in time. R tries again.');
	}
});

test('the key of a sentence is the one of the settings, or the action\'s name where it has none', () => {
	const keymap = createKeymap({toggle: ['ctrl+t', 't'], refresh: []});
	assert.equal(failureText(failure, 'toggle', keymap), 'lamps stays on: No answer came in time. Ctrl+T tries again.');
	assert.match(failureText({...failure, isOutcomeUnknown: true}, 'toggle', keymap), / :refresh reads the list again\.$/);
	assert.equal(keyName(keymap, 'clear'), 'Esc');
});
