import assert from 'node:assert/strict';
import test from 'node:test';
import {checkAbilityFiles, type PackageLayout} from '../../../source/interface/ability-package/check-ability-files.ts';

const complaints = (paths: readonly string[], layout: PackageLayout = 'folder', category = 'skill'): readonly string[] =>
	checkAbilityFiles(paths.map(path => ({path, size: 1})), {category, layout}).map(({message}) => message);

test('an ability in one folder is valid', () => {
	assert.deepEqual(complaints(['lamps/main.py', 'lamps/__init__.py', 'lamps/sounds/bell.mp3']), []);
});

test('the same files are valid at the root only for a release', () => {
	assert.deepEqual(complaints(['main.py', '__init__.py'], 'root'), []);
	assert.deepEqual(complaints(['main.py', '__init__.py']), ['The files are not in one top-level folder.']);
	assert.deepEqual(complaints(['lamps/main.py', 'lamps/__init__.py'], 'root'), ['main.py is missing.', '__init__.py is missing.']);
});

test('two top-level folders are refused', () => {
	assert.deepEqual(complaints(['lamps/main.py', 'lamps/__init__.py', 'lampshade/x.py']), ['The files are not in one top-level folder.']);
	assert.deepEqual(complaints(['lamps/main.py', 'lamps/__init__.py', 'README.md']), ['The files are not in one top-level folder.']);
});

test('each missing file is named', () => {
	assert.deepEqual(complaints(['lamps/other.py']), ['main.py is missing in the folder “lamps”.', '__init__.py is missing in the folder “lamps”.']);
	assert.deepEqual(complaints(['lamps/sub/main.py', 'lamps/__init__.py']), ['main.py is missing in the folder “lamps”.']);
});

test('only a daemon needs background.py', () => {
	const paths = ['lamps/main.py', 'lamps/__init__.py'];
	assert.deepEqual(complaints(paths, 'folder', 'background_daemon'), ['background.py is missing in the folder “lamps”.']);
	assert.deepEqual(complaints([...paths, 'lamps/background.py'], 'folder', 'background_daemon'), []);
	assert.deepEqual(['skill', 'brain_skill', 'local', 'something_new'].flatMap(category => complaints(paths, 'folder', category)), []);
});

test('an empty package has one problem', () => {
	assert.deepEqual(complaints([]), ['It contains no files.']);
});

test('every problem names the field and has a documented kind', () => {
	const found = checkAbilityFiles([{path: '../x', size: 1e9}], {category: 'skill', layout: 'folder'});
	assert.deepEqual([...new Set(found.map(({field}) => field))], ['zip_file']);
	assert.deepEqual([...new Set(found.map(({kind}) => kind))].toSorted(), ['refused', 'too-large']);
});

test('thousands of bad names are reported as a short list', () => {
	assert.ok(complaints(Array.from({length: 1900}, (_value, index) => `a/..${index}/../x`)).length < 30);
});
