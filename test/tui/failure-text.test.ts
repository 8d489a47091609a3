import {assert, test} from '../helpers/node.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {decodeRecord} from '../../source/interface/records.ts';
import {keyName, createKeymap} from '../../source/tui/keys/keymap.ts';
import {failureText} from '../../source/tui/sessions.ts';
import {refreshHint} from '../../source/tui/screens/list/list-notice.tsx';

const failure = {
	installed: decodeRecord('installed', {id: 1, name: 'lamps', enabled: true})!,
	isWantedEnabled: false,
	error: new SwitchboardError('timeout', 'No answer came in time.'),
	isOutcomeUnknown: false,
};

test('a failed change is reported with the key that retries', () => {
	assert.equal(failureText(failure, 'toggle', createKeymap()), 'lamps stays on: no answer came in time. Space retries.');
	assert.equal(
		failureText({...failure, isOutcomeUnknown: true}, 'toggle', createKeymap()),
		'It is not known whether lamps is off now: no answer came in time. r reads the list again.',
	);
	const unshown = {...failure, installed: decodeRecord('installed', {id: 1, name: 'lamps'})!};
	assert.equal(failureText(unshown, 'toggle', createKeymap()), 'lamps was not switched off: no answer came in time. R retries.');
	assert.equal(
		failureText({...unshown, isOutcomeUnknown: true}, 'toggle', createKeymap()),
		'It is not known whether lamps is off now: no answer came in time. R retries.',
	);
});

test('when the service says how long to wait, the time is given once, with the key', () => {
	for (const wait of ['90 s', 'a minute']) {
		const error = new SwitchboardError('rate-limited', 'Rate limit exceeded (HTTP 429).', {nextStep: `Try again in ${wait}.`});
		assert.equal(
			failureText({...failure, error}, 'toggle', createKeymap()),
			`lamps stays on: Rate limit exceeded (HTTP 429). Try again in ${wait} with Space.`,
		);
		assert.equal(refreshHint(error, createKeymap()), `Try again in ${wait} with r.`);
	}

	const passing = new SwitchboardError('server-error', 'The service failed (HTTP 500).', {nextStep: 'Try again in a moment.'});
	assert.equal(refreshHint(passing, createKeymap()), 'r tries again.');
	const wrong = new SwitchboardError('not-found', 'The service did not find this.', {nextStep: 'Check the address of the service.'});
	assert.equal(refreshHint(wrong, createKeymap()), 'r tries again. Check the address of the service.');
});

test('if the cursor may be on another row, the key is the one that retries failures', () => {
	for (const kind of ['many', 'undo', 'redo'] as const) {
		assert.equal(failureText(failure, kind, createKeymap()), 'lamps stays on: no answer came in time. R retries.');
	}
});

test('messages name the bound key, or the action if it has none', () => {
	const keymap = createKeymap({toggle: ['ctrl+t', 't'], refresh: []});
	assert.equal(failureText(failure, 'toggle', keymap), 'lamps stays on: no answer came in time. Ctrl+T retries.');
	assert.match(failureText({...failure, isOutcomeUnknown: true}, 'toggle', keymap), / :refresh reads the list again\.$/);
	assert.equal(keyName(keymap, 'clear'), 'Esc');
});
