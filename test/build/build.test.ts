import {assert, path, process, test} from '../helpers/node.ts';
import {cpSync, existsSync, readdirSync, readFileSync, symlinkSync} from 'node:fs';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {nodeProgram, runCommand} from '../helpers/run-command.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('two builds at once make one whole program, and leave nothing else behind', async () => {
	const project = temporaryFolder();
	for (const name of ['package.json', 'package-lock.json', 'source', 'docs']) {
		cpSync(path.join(root, name), path.join(project, name), {recursive: true});
	}

	symlinkSync(path.join(root, 'node_modules'), path.join(project, 'node_modules'), process.platform === 'win32' ? 'junction' : 'dir');
	const before = readdirSync(project);
	const {env} = createIsolatedHome();
	const build = async () => runCommand([], {env, cwd: project, program: nodeProgram(path.join(project, 'source/build/build.ts'))});
	for (const {exitCode, stderr} of await Promise.all([build(), build()])) {
		assert.equal(exitCode, 0, stderr);
	}

	assert.deepEqual(readdirSync(project).toSorted(), [...before, 'dist'].toSorted());
	assert.ok(existsSync(path.join(project, 'dist/.built')));
	// The same sources give the same bytes, wherever they are built.
	const [bill, other] = [path.join(project, 'dist/bom.cdx.json'), path.join(root, 'dist/bom.cdx.json')].map(file =>
		readFileSync(file, 'utf8'),
	);
	assert.equal(bill, other);
	const {exitCode, stderr} = await runCommand(['installed', '--profile', 'local'], {
		env,
		program: nodeProgram(path.join(project, 'dist/cli.js')),
	});
	assert.equal(exitCode, 0, stderr);
});
