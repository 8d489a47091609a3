import {assert, test} from '../../helpers/node.ts';
import {SwitchboardError, type ErrorDetails, type ErrorKind} from '../../../source/interface/errors.ts';
import {abilityLookup} from '../../../source/interface/installed-lookup.ts';
import {decodeRecord} from '../../../source/interface/records.ts';
import type {Inspection} from '../../../source/tui/hooks/inspection.ts';
import {emptyTexts, fieldOf, validateUpload, type UploadField} from '../../../source/tui/screens/ability/upload-form.ts';
import {visibleRows} from '../../../source/tui/screens/form.tsx';
import {createForm} from '../../../source/tui/state/form.ts';

const refused = (kind: ErrorKind, details: ErrorDetails = {}) => fieldOf(new SwitchboardError(kind, 'No.', details));

test('a refusal is shown at the field that it names', () => {
	const fields = {
		zip_file: 'path',
		name: 'name',
		description: 'description',
		category: 'category',
		trigger_words: 'phrases',
		image_file: 'image',
		personality_id: 'agent',
	};
	for (const [field, expected] of Object.entries(fields)) {
		assert.equal(refused('refused', {field}), expected);
	}
});

test('a refusal that names no field is shown at the field that its kind implies, or below all fields', () => {
	assert.equal(refused('conflict'), 'name');
	assert.equal(refused('too-large'), 'path');
	assert.equal(refused('refused'), undefined);
	assert.equal(refused('refused', {field: 'a_field_of_its_own'}), undefined);
});

test('a refusal disappears when its field is edited, and stays when another is', () => {
	const form = createForm<UploadField>('path');
	form.refuse('No.', 'name');
	assert.equal(form.get().focus, 'name');
	form.edit({description: 'x'});
	assert.equal(form.get().refusal?.text, 'No.');
	form.edit({name: 'x'});
	assert.equal(form.get().refusal, undefined);
	form.refuse('No.');
	form.edit({description: 'x'});
	assert.equal(form.get().refusal, undefined);
});

test('a failed save is shown in the form, which is busy until then', async () => {
	const form = createForm<UploadField>('path');
	const saving = form.run('saving…', async signal => {
		assert.equal(signal.aborted, false);
		throw new SwitchboardError('refused', 'No.');
	});
	assert.equal(form.get().busy?.text, 'saving…');
	await saving;
	assert.deepEqual([form.get().busy, form.get().refusal?.text], [undefined, 'No.']);
});

test('a problem with an image is gone once another image is typed', () => {
	const inspection: Inspection = {
		kind: 'ability',
		ability: {
			name: 'lamps',
			description: '',
			category: 'skill',
			triggerPhrases: [],
			files: [],
			leftOut: [],
			notes: [],
			sizeBytes: 0,
			problems: [new SwitchboardError('refused', 'It is a folder.', {field: 'image_file'})],
		},
		imagePath: '/images',
		tie: undefined,
	};
	const noteOf = (image: string) =>
		validateUpload({focus: 'image', isSubmitted: false, typed: {image}, texts: {...emptyTexts, image}}, inspection).image?.text;
	assert.equal(noteOf('/images'), 'It is a folder.');
	assert.equal(noteOf('/images/face.png'), undefined);
});

const names = ['a', 'b', 'c', 'd', 'e'] as const;

const noted = names.map(field => ({field, note: {text: `about ${field} and more`, isProblem: field === 'b'}}));

const drawn = (focus: (typeof names)[number], height: number): readonly string[] =>
	visibleRows(noted, focus, 12, height).flatMap(({field, below, isProblem}) => [
		`${field}${isProblem && below.length === 0 ? '!' : ''}`,
		...below.map(line => `  ${line}`),
	]);

test('where there is room, each field has its note', () => {
	assert.equal(drawn('a', 15).length, 15);
	assert.deepEqual(drawn('a', 15).slice(3, 6), ['b', '  ! about b', '  and more']);
});

test('where there is no room, the focused field has its note and the others a mark', () => {
	assert.deepEqual(drawn('a', 14), ['a', '  about a and', '  more', 'b!', 'c', 'd', 'e']);
	assert.deepEqual(drawn('b', 4), ['a', 'b', '  ! about b', '  and more']);
	assert.deepEqual(drawn('e', 4), ['d', 'e', '  about e and', '  more']);
	assert.deepEqual(drawn('c', 2), ['c', '  about c and']);
});

test('at any height the focused field is visible and the rows fit', () => {
	for (let height = 1; height <= 15; height++) {
		for (const focus of names) {
			const lines = drawn(focus, height);
			assert.ok(lines.length <= height, `${focus} in ${height}`);
			assert.ok(
				lines.some(line => line.startsWith(focus)),
				`${focus} in ${height}`,
			);
		}
	}
});

test('an installed record is matched to its ability by id, else by name', () => {
	const abilities = [{id: 1, name: 'lamps'}, {id: 2, name: 'desk'}, {id: 3}].map(raw => decodeRecord('abilities', raw)!);
	const abilityOf = abilityLookup(abilities);
	const idOf = (raw: Readonly<Record<string, string | number>>): number | undefined =>
		abilityOf(decodeRecord('installed', {id: 9, ...raw})!)?.id;
	assert.equal(idOf({name: 'lamps', capability_id: 2}), 2);
	assert.equal(idOf({name: 'lamps'}), 1);
	assert.equal(idOf({name: 'porch'}), undefined);
	assert.equal(idOf({name: 'lamps', capability_id: 7}), undefined);
	assert.equal(idOf({}), undefined);
});
