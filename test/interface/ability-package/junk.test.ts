import assert from 'node:assert/strict';
import test from 'node:test';
import {isJunk, isVirtualEnvironment} from '../../../source/interface/ability-package/junk.ts';

const leftOut = [
	'__pycache__/main.cpython-312.pyc',
	'lib/fast.SO',
	'.git/config',
	'lib/.git',
	'.venv/bin/python',
	'venv/',
	'.pytest_cache/v/cache',
	'lamps.egg-info/PKG-INFO',
	'web/node_modules/x/index.js',
	'.vscode/settings.json',
	'main.py~',
	'.main.py.swp',
	'.DS_Store',
	'__MACOSX/._main.py',
	'data/Thumbs.db',
	'.env',
	'.env.production',
	'certificates/server.key',
	'.ssh/id_ed25519',
];

for (const path of leftOut) {
	test(`${path} stays out`, () => {
		assert.equal(isJunk(path), true);
	});
}

const kept = [
	'main.py',
	'__init__.py',
	'background.py',
	'config.json',
	'README.md',
	'requirements.txt',
	'.env.example',
	'env/settings.py',
	'environment.py',
	'build/page.html',
	'dist/page.js',
	'keys.py',
	'monkey.py',
	'gitlog.py',
	'sounds/bell.mp3',
	'data/cache.json',
	'swp.py',
	'venv.py',
	'sofa.so.txt',
];

for (const path of kept) {
	test(`${path} goes in`, () => {
		assert.equal(isJunk(path), false);
	});
}

test('a virtual environment is recognised under any name', () => {
	assert.ok(isVirtualEnvironment(['bin', 'lib', 'pyvenv.cfg']));
	assert.ok(!isVirtualEnvironment(['bin', 'lib']));
});
