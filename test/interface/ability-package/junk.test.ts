import assert from 'node:assert/strict';
import test from 'node:test';
import {isJunk, isVirtualEnvironment, junkReason} from '../../../source/interface/ability-package/junk.ts';

const leftOut: ReadonlyArray<readonly [path: string, reason: string]> = [
	['__pycache__/main.cpython-312.pyc', 'compiled'],
	['lib/fast.SO', 'compiled'],
	['.git/config', 'version control'],
	['lib/.git', 'version control'],
	['.venv/bin/python', 'virtual environment'],
	['venv/', 'virtual environment'],
	['.pytest_cache/v/cache', 'cache'],
	['lamps.egg-info/PKG-INFO', 'cache'],
	['web/node_modules/x/index.js', 'installed packages'],
	['.vscode/settings.json', 'editor'],
	['main.py~', 'editor'],
	['.main.py.swp', 'editor'],
	['.DS_Store', 'operating system'],
	['__MACOSX/._main.py', 'operating system'],
	['data/Thumbs.db', 'operating system'],
	['.env', 'secret'],
	['.env.production', 'secret'],
	['certificates/server.key', 'secret'],
	['.ssh/id_ed25519', 'secret'],
];

for (const [path, reason] of leftOut) {
	test(`${path} stays out`, () => {
		assert.equal(junkReason(path), reason);
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

test('a virtual environment is known under any name', () => {
	assert.ok(isVirtualEnvironment(['bin', 'lib', 'pyvenv.cfg']));
	assert.ok(!isVirtualEnvironment(['bin', 'lib']));
});
