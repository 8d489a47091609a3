import {test, type TestContext} from 'node:test';
import {SwitchboardError, type ErrorDetails, type ErrorKind} from '../../../source/interface/errors.ts';
import {decodeRecord} from '../../../source/interface/records.ts';
import {visibleRows} from '../../../source/tui/screens/ability/form-rows.ts';
import {
	emptyForm,
	reduceUpload,
	type UploadAction,
	type UploadForm,
} from '../../../source/tui/screens/ability/upload-form.ts';
import {tieAbility} from '../../../source/tui/screens/tie-installed.ts';

const after = (...actions: readonly UploadAction[]): UploadForm => {
	let form = emptyForm;
	for (const action of actions) {
		form = reduceUpload(form, action);
	}

	return form;
};

const refused = (kind: ErrorKind, details: ErrorDetails = {}): UploadForm =>
	after({type: 'refuse', error: new SwitchboardError(kind, 'No.', details), nextStep: details.nextStep});

test('a refusal goes to the field that it names, and the focus with it', (t: TestContext) => {
	const fields = {
		zip_file: 'path', name: 'name', description: 'description', category: 'category', trigger_words: 'phrases', image_file: 'image', personality_id: 'agent',
	};
	for (const [field, expected] of Object.entries(fields)) {
		const form = refused('refused', {field});
		t.assert.strictEqual(form.focus, expected);
		t.assert.strictEqual(form.refusal?.field, expected);
	}
});

test('a refusal that names no field goes where its kind points to', (t: TestContext) => {
	t.assert.strictEqual(refused('conflict').focus, 'name');
	t.assert.strictEqual(refused('too-large').focus, 'path');
	t.assert.strictEqual(refused('refused').focus, 'upload');
	t.assert.strictEqual(refused('refused', {field: 'a_field_of_its_own'}).focus, 'upload');
});

test('what was refused is gone once its field is changed, and not by a change of another', (t: TestContext) => {
	const form = refused('conflict');
	t.assert.strictEqual(reduceUpload(form, {type: 'edit', field: 'description', value: 'x'}).refusal?.text, 'No.');
	t.assert.strictEqual(reduceUpload(form, {type: 'edit', field: 'name', value: 'x'}).refusal, undefined);
	t.assert.strictEqual(reduceUpload(refused('refused'), {type: 'edit', field: 'description', value: 'x'}).refusal, undefined);
});

test('the folder fills in what the person has not, also where they have emptied it', (t: TestContext) => {
	const ability = {name: 'lamps', triggerPhrases: ['lamps please', 'it is dark']};
	const form = after({type: 'prefill', ability});
	t.assert.strictEqual(form.name, 'lamps');
	t.assert.strictEqual(form.phrases, 'lamps please, it is dark');
	const emptied = after({type: 'prefill', ability}, {type: 'edit', field: 'name', value: ''}, {type: 'prefill', ability: {name: 'desk', triggerPhrases: []}});
	t.assert.strictEqual(emptied.name, '');
	t.assert.strictEqual(emptied.phrases, '');
});

test('the focus goes round from the last to the first', (t: TestContext) => {
	t.assert.strictEqual(after({type: 'step', by: -1}).focus, 'upload');
	t.assert.strictEqual(after({type: 'focus', field: 'upload'}, {type: 'step', by: 1}).focus, 'path');
});

const names = ['a', 'b', 'c', 'd', 'e'] as const;

const noted = names.map(field => ({field, note: {text: `about ${field} and more`, isProblem: field === 'b'}}));

const drawn = (focus: typeof names[number], height: number): readonly string[] =>
	visibleRows(noted, focus, 12, height).flatMap(({field, below, isProblem}) => [`${field}${isProblem && below.length === 0 ? '!' : ''}`, ...below.map(line => `  ${line}`)]);

test('where there is room, all that is to be said about each field is said', (t: TestContext) => {
	t.assert.strictEqual(drawn('a', 15).length, 15);
	t.assert.deepStrictEqual(drawn('a', 15).slice(3, 6), ['b', '  ! about b', '  and more']);
});

test('where there is none, the field with the focus has its remarks and the others a mark', (t: TestContext) => {
	t.assert.deepStrictEqual(drawn('a', 14), ['a', '  about a and', '  more', 'b!', 'c', 'd', 'e']);
	t.assert.deepStrictEqual(drawn('b', 4), ['a', 'b', '  ! about b', '  and more']);
	t.assert.deepStrictEqual(drawn('e', 4), ['d', 'e', '  about e and', '  more']);
	t.assert.deepStrictEqual(drawn('c', 2), ['c', '  about c and']);
});

test('whatever the height, the focused field is on the screen and nothing is higher than it', (t: TestContext) => {
	for (let height = 1; height <= 15; height++) {
		for (const focus of names) {
			const lines = drawn(focus, height);
			t.assert.ok(lines.length <= height, `${focus} in ${height}`);
			t.assert.ok(lines.some(line => line.startsWith(focus)), `${focus} in ${height}`);
		}
	}
});

test('an installed record belongs to the ability whose id it has, else to the one of its name, else to none', (t: TestContext) => {
	const abilities = [{id: 1, name: 'lamps'}, {id: 2, name: 'desk'}, {id: 3}].map(raw => decodeRecord('abilities', raw)!);
	const abilityOf = tieAbility(abilities);
	const idOf = (raw: Readonly<Record<string, string | number>>): number | undefined => abilityOf(decodeRecord('installed', {id: 9, ...raw})!)?.id;
	t.assert.strictEqual(idOf({name: 'lamps', capability_id: 2}), 2);
	t.assert.strictEqual(idOf({name: 'lamps'}), 1);
	t.assert.strictEqual(idOf({name: 'porch'}), undefined);
	t.assert.strictEqual(idOf({name: 'lamps', capability_id: 7}), undefined);
	t.assert.strictEqual(idOf({}), undefined);
});
