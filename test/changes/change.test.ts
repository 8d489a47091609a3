import {assert, test} from '../helpers/node.ts';
import type {JsonValue} from '../../source/interface/json.ts';
import {doneText} from '../../source/changes/change.ts';

const longText = (characters: number): JsonValue => ({characters, sha256: '00', start: 'You look'});

test('a change that was made is told after its name in a few words, whatever its texts hold', () => {
	const cases: ReadonlyArray<readonly [kind: string, field: string, from: JsonValue, to: JsonValue, text: string]> = [
		['installed', 'enabled', true, false, 'on → off'],
		['installed', 'enabled', null, true, '? → on'],
		['installed', 'installed', false, true, 'installed'],
		['installed', 'installed', true, false, 'uninstalled'],
		['ability', 'exists', false, true, 'created'],
		['ability', 'exists', true, false, 'deleted'],
		['agent', 'name', 'Hearth', 'Ha\u{1B}[31mll\nway', 'name: Hearth → Hall way'],
		['installed', 'triggers', ['a', 'b'], [], 'triggers: a, b → none'],
		['agent', 'abilities', ['pantry'], ['pantry', 'lamps'], 'abilities: pantry → pantry, lamps'],
		['agent', 'prompt', 'one\ntwo', 'one\nthree', 'prompt: 2 lines → 2 lines (1 changed)'],
		['agent', 'prompt', '', longText(1200), 'prompt: empty → 1,200 characters'],
		['agent', 'prompt', longText(1001), longText(1200), 'prompt: 1,001 → 1,200 characters'],
		['ability', 'description', longText(1001), 'short', 'description: 1,001 characters → short'],
		['ability', 'version', '1', '2', 'version: 1 → 2'],
	];
	assert.deepEqual(
		cases.map(([kind, field, from, to]) => doneText({kind, field, from, to})),
		cases.map(row => row[4]),
	);
});
