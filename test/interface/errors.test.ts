import {assert, test} from '../helpers/node.ts';
import {type ErrorKind, SwitchboardError, toSwitchboardError} from '../../source/interface/errors.ts';

/** The table of exit codes of the commands, row by row. */
const exitCodes: ReadonlyArray<readonly [code: number, kinds: readonly ErrorKind[]]> = [
	[1, ['unexpected']],
	[2, ['usage', 'cancelled', 'ambiguous', 'refused', 'conflict', 'not-kept', 'too-large', 'quota', 'read-only', 'insecure']],
	[3, ['no-key', 'key-refused', 'forbidden']],
	[4, ['not-found']],
	[5, ['no-effect', 'rate-limited', 'unreachable', 'timeout', 'no-room', 'server-error', 'unintelligible']],
	[6, ['some-failed']],
	[129, ['hangup']],
	[130, ['interrupted']],
	[143, ['terminated']],
];

for (const [code, kinds] of exitCodes) {
	test(`${kinds.join(', ')}: exit code ${code}`, () =>
		assert.deepEqual([...new Set(kinds.map(kind => new SwitchboardError(kind, 'x').exitCode))], [code]));
}

test('a SwitchboardError is returned as it is', () => {
	const error = new SwitchboardError('refused', 'No.', {field: 'name'});
	assert.equal(toSwitchboardError(error), error);
});

test('any other error is unexpected, and kept as the cause', () => {
	const cause = new Error('boom');
	const error = toSwitchboardError(cause);
	assert.deepEqual([error.kind, error.exitCode, error.cause], ['unexpected', 1, cause]);
	assert.equal(toSwitchboardError('boom').kind, 'unexpected');
	assert.equal(toSwitchboardError(undefined).kind, 'unexpected');
});

test('omitted details are undefined', () => {
	const error = new SwitchboardError('timeout', 'Too late.');
	assert.deepEqual(
		[error.nextStep, error.status, error.field, error.isOutcomeUnknown, 'cause' in error],
		[undefined, undefined, undefined, false, false],
	);
});
