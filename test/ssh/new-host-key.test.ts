import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';
import {openHostKey} from '../../source/ssh/host-key.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

test('every host key that is made can be read again', () => {
	const folder = temporaryFolder();
	// One in three hundred of those that ssh2 makes cannot.
	for (let index = 0; index < 1500; index++) {
		const file = path.join(folder, String(index));
		assert.equal(openHostKey(file).fingerprint, openHostKey(file).fingerprint);
	}
});
