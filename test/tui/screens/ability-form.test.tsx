import {assert, test} from '../../helpers/node.ts';
import {SwitchboardError, type ErrorDetails, type ErrorKind} from '../../../source/interface/errors.ts';
import {abilityLookup} from '../../../source/interface/installed-lookup.ts';
import {decodeRecord} from '../../../source/interface/records.ts';
import type {Inspection} from '../../../source/tui/hooks/inspection.ts';
import {createUploadForm, emptyForm, validateUpload} from '../../../source/tui/screens/ability/upload-form.ts';
import {visibleRows} from '../../../source/tui/screens/ability/upload-screen.tsx';

function refused(kind: ErrorKind, details: ErrorDetails = {}) {
	const form = createUploadForm();
	form.refuse(new SwitchboardError(kind, 'No.', details));
	return form;
}

test('a refusal is shown at the field that it names, which gets the focus', () => {
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
		const form = refused('refused', {field}).get();
		assert.equal(form.focus, expected);
		assert.equal(form.refusal?.field, expected);
	}
});

test('a refusal that names no field is shown at the field that its kind implies', () => {
	assert.equal(refused('conflict').get().focus, 'name');
	assert.equal(refused('too-large').get().focus, 'path');
	assert.equal(refused('refused').get().focus, 'upload');
	assert.equal(refused('refused', {field: 'a_field_of_its_own'}).get().focus, 'upload');
});

test('a refusal disappears when its field is edited, and stays when another is', () => {
	const form = refused('conflict');
	form.edit({description: 'x'});
	assert.equal(form.get().refusal?.text, 'No.');
	form.edit({name: 'x'});
	assert.equal(form.get().refusal, undefined);
	const below = refused('refused');
	below.edit({description: 'x'});
	assert.equal(below.get().refusal, undefined);
});

test('the folder fills in fields that the person has not edited, not even emptied', () => {
	const form = createUploadForm();
	form.prefill({name: 'lamps', category: 'background_daemon', triggerPhrases: ['lamps please', 'it is dark']});
	assert.equal(form.get().name, 'lamps');
	assert.equal(form.get().phrases, 'lamps please, it is dark');
	assert.equal(form.get().category, 'background_daemon');
	form.edit({name: '', category: 'local'});
	form.prefill({name: 'desk', category: 'skill', triggerPhrases: []});
	assert.deepEqual([form.get().name, form.get().phrases, form.get().category], ['', '', 'local']);
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
	};
	assert.equal(validateUpload({...emptyForm, image: '/images'}, inspection).image?.text, 'It is a folder.');
	assert.equal(validateUpload({...emptyForm, image: '/images/face.png'}, inspection).image, undefined);
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
