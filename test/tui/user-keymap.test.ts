import {assert, path, test, writeFile} from '../helpers/node.ts';
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

test('the mouse is on if the settings say so, and anything but true and false is reported', async () => {
	const {configFolder} = temporaryFolders();
	const file = path.join(configFolder, 'config.json');
	const found = [];
	for (const text of [
		'{}',
		'{"mouse": true}',
		'{"mouse": false, "keys": {"refresh": "f5"}}',
		'{"mouse": true, "keys": {"refresh": "f5"}}',
		'{"mouse": "yes"}',
	]) {
		await writeFile(file, text);
		const {isMouseWanted, notices} = openUserKeymap({configFolder});
		found.push([isMouseWanted, ...notices]);
	}

	assert.deepEqual(found, [[false], [true], [false], [true], [false, `Ignored “mouse” in ${file}: it must be true or false.`]]);
});
