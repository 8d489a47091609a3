import {assert, test} from '../helpers/node.ts';
import type {JsonValue} from '../../source/interface/json.ts';
import {doneText} from '../../source/changes/change.ts';

const longText = (characters: number): JsonValue => ({characters, sha256: '00', start: 'You look'});

test('a change that was made is told after its name in a few words, whatever its texts hold', () => {
	const cases: ReadonlyArray<readonly [field: string, from: JsonValue, to: JsonValue, text: string]> = [
		['enabled', true, false, 'on → off'],
		['enabled', null, true, '? → on'],
		['installed', false, true, 'installed'],
		['installed', true, false, 'uninstalled'],
		['exists', false, true, 'created'],
		['exists', true, false, 'deleted'],
		['name', 'Hearth', 'Ha\u{1B}[31mll\nway', 'name: Hearth → Hall way'],
		['triggers', ['a', 'b'], [], 'triggers: a, b → none'],
		['abilities', ['pantry'], ['pantry', 'lamps'], 'abilities: pantry → pantry, lamps'],
		['prompt', 'one\ntwo', 'one\nthree', 'prompt: 2 lines → 2 lines (1 changed)'],
		['prompt', '', longText(1200), 'prompt: empty → 1,200 characters'],
		['prompt', longText(1001), longText(1200), 'prompt: 1,001 → 1,200 characters'],
		['description', longText(1001), 'short', 'description: 1,001 characters → short'],
		['version', '1', '2', 'version: 1 → 2'],
	];
	assert.deepEqual(
		cases.map(([field, from, to]) => doneText({field, from, to})),
		cases.map(row => row[3]),
	);
});
