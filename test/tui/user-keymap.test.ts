import assert from 'node:assert/strict';
import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import {test} from 'node:test';
import {openUserKeymap} from '../../source/tui/keys/key-overrides.ts';
import {temporaryFolders} from '../helpers/temporary-folder.ts';

for (const [palette, source] of [
	['":"', 'the palette (:)'],
	['"f2"', 'the palette (F2)'],
	['null', '`switchboard help keys`'],
] as const) {
	test(`ignored key bindings are reported with where all actions are listed, with the palette on ${palette}`, async () => {
		const {configFolder} = temporaryFolders();
		const file = path.join(configFolder, 'config.json');
		await writeFile(file, `{"keys": {\n"palette": ${palette},\n"toglle": "t"}}`);
		assert.deepEqual(openUserKeymap({configFolder}).notices, [
			`Ignored key bindings in ${file}: line 3: unknown action “toglle”. M shows all of this; ${source} lists every action.`,
		]);
	});
}
