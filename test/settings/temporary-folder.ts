import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {TestContext} from 'node:test';

/** A folder that is gone after the test. */
export const temporaryFolder = (t: TestContext): string => {
	const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-settings-'));
	t.after(() => {
		rmSync(folder, {recursive: true, force: true});
	});
	return folder;
};

/** The permission bits of a file or folder, as in `ls`, in octal. */
export const modeOf = (target: string): string => (statSync(target).mode % 0o1000).toString(8);
