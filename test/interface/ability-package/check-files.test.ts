import {assert, assertNone, Buffer, test} from '../../helpers/node.ts';
import {checkAbilityFiles, detectImageType, type PackageLayout} from '../../../source/interface/ability-package/check-files.ts';
import {isJunk, isVirtualEnvironment} from '../../../source/interface/ability-package/junk.ts';

const complaints = (paths: readonly string[], layout: PackageLayout = 'folder', category = 'skill'): readonly string[] =>
	checkAbilityFiles(
		paths.map(path => ({path, size: 1})),
		{category, layout},
	).map(({message}) => message);

test('an ability in one folder is valid', () =>
	assert.deepEqual(complaints(['lamps/main.py', 'lamps/__init__.py', 'lamps/sounds/bell.mp3']), []));

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
	assert.deepEqual(complaints(['lamps/other.py']), [
		'main.py is missing in the folder “lamps”.',
		'__init__.py is missing in the folder “lamps”.',
	]);
	assert.deepEqual(complaints(['lamps/sub/main.py', 'lamps/__init__.py']), ['main.py is missing in the folder “lamps”.']);
});

test('only a daemon needs background.py', () => {
	const paths = ['lamps/main.py', 'lamps/__init__.py'];
	assert.deepEqual(complaints(paths, 'folder', 'background_daemon'), ['background.py is missing in the folder “lamps”.']);
	assert.deepEqual(complaints([...paths, 'lamps/background.py'], 'folder', 'background_daemon'), []);
	assert.deepEqual(
		['skill', 'brain_skill', 'local', 'something_new'].flatMap(category => complaints(paths, 'folder', category)),
		[],
	);
});

test('an empty package has one problem', () => assert.deepEqual(complaints([]), ['It contains no files.']));

test('every problem names the field and has a documented kind', () => {
	const found = checkAbilityFiles([{path: '../x', size: 1e9}], {category: 'skill', layout: 'folder'});
	assert.deepEqual([...new Set(found.map(({field}) => field))], ['zip_file']);
	assert.deepEqual([...new Set(found.map(({kind}) => kind))].toSorted(), ['refused', 'too-large']);
});

test('thousands of bad names are reported as a short list', () =>
	assert.ok(complaints(Array.from({length: 1900}, (_value, index) => `a/..${index}/../x`)).length < 30));

test('an image is recognised by its bytes', () => {
	assert.equal(detectImageType(Buffer.from('89504e470d0a1a0a0000000d', 'hex')), 'image/png');
	assert.equal(detectImageType(Buffer.from('ffd8ffe000104a464946', 'hex')), 'image/jpeg');
});

test('other files are not accepted as images', () => {
	const pretenders = ['', 'GIF89a', '<svg xmlns="…">', '\u{89}PNG', 'PK\u{3}\u{4}'];
	assertNone(pretenders, bytes => detectImageType(Buffer.from(bytes)) !== undefined);
});

const leftOut = [
	['__pycache__/main.cpython-312.pyc', 'lib/fast.SO', '.git/config', 'lib/.git', '.venv/bin/python', 'venv/'],
	['.pytest_cache/v/cache', 'lamps.egg-info/PKG-INFO', 'web/node_modules/x/index.js', '.vscode/settings.json', 'main.py~'],
	['.main.py.swp', '.DS_Store', '__MACOSX/._main.py', 'data/Thumbs.db', '.env', '.env.production'],
	['certificates/server.key', '.ssh/id_ed25519', '.env.', '.OpenHome.json', '.gitignore', '.github/workflows/test.yml', '.gitkeep'],
	// Names of the same folder on some systems.
	['.g\u{200C}it/config', '.git./config', '.git /config', 'git~1/config'],
].flat();

for (const path of leftOut) {
	test(`${path} stays out`, () => assert.equal(isJunk(path), true));
}

const kept = [
	['main.py', '__init__.py', 'background.py', 'config.json', 'README.md', 'requirements.txt', '.env.example'],
	['env/settings.py', 'environment.py', 'build/page.html', 'dist/page.js', 'keys.py', 'monkey.py', 'gitlog.py'],
	['.env.sample', '.flake8', '.python-version', '.pylintrc', 'git~x.py', 'x.git'],
	['sounds/bell.mp3', 'data/cache.json', 'swp.py', 'venv.py', 'sofa.so.txt'],
].flat();

for (const path of kept) {
	test(`${path} goes in`, () => assert.equal(isJunk(path), false));
}

test('a virtual environment is recognised under any name', () => {
	assert.ok(isVirtualEnvironment(['bin', 'lib', 'pyvenv.cfg']));
	assert.ok(!isVirtualEnvironment(['bin', 'lib']));
});
