import assert from 'node:assert/strict';
import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import {test} from 'node:test';
import {openUserKeymap} from '../../source/tui/user-keymap.ts';
import {temporaryFolders} from '../helpers/temporary-folder.ts';

for (const [palette, source] of [
	['":"', 'palette (:)'],
	['"f2"', 'palette (F2)'],
	['null', 'README'],
] as const) {
	test(`what is left out of the keys is told with where all names stand, the palette's key being ${palette}`, async () => {
		const {configFolder} = temporaryFolders();
		const file = path.join(configFolder, 'config.json');
		await writeFile(file, `{"keys": {\n"palette": ${palette},\n"toglle": "t"}}`);
		assert.deepEqual(openUserKeymap({configFolder}).notices, [
			`Of the keys in ${file} these are left out: line 3: unknown action “toglle”. M shows all of this, the ${source} names every action.`,
		]);
	});
}
