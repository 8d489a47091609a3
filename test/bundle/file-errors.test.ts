import assert from 'node:assert/strict';
import test from 'node:test';
import {fileError} from '../../source/bundle/file-errors.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';

const coded = (code: string): Error => Object.assign(new Error(`${code}: /home/someone/secret`), {code});

const cases: ReadonlyArray<readonly [code: string, message: string]> = [
	['EACCES', '“main.py” cannot be read: permission denied.'],
	['ENOENT', '“main.py” does not exist.'],
	['EISDIR', '“main.py” is a folder.'],
	['EIO', '“main.py” cannot be read (EIO).'],
];

for (const [code, message] of cases) {
	test(`${code} is explained with the name of the file`, () => {
		const error = fileError(coded(code), 'main.py', 'zip_file');
		assert.equal(error.message, message);
		assert.equal(error.field, 'zip_file');
		assert.notEqual(error.nextStep, undefined);
	});
}

test('a refusal is returned as it is', () => {
	const refusal = new SwitchboardError('too-large', 'Too large.');
	assert.equal(fileError(refusal, 'main.py', 'zip_file'), refusal);
});
