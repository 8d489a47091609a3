import {type Buffer, execFileSync, path, process} from './node.ts';
import {cpSync, existsSync, readFileSync, renameSync, symlinkSync} from 'node:fs';
import {nodeProgram, type Program} from './run-command.ts';
import {temporaryFolder} from './temporary-folder.ts';

/** The last commit that writes the homes of `earlier-homes.ts`. */
const commit = '826f082f1d4f40d8f25d53f39702945156f50878';

const root = path.resolve(import.meta.dirname, '../..');

const folder = path.join(root, 'node_modules/.cache', `switchboard-${commit.slice(0, 12)}`);

/** Why the tests with the earlier program are skipped; false if they are not. For `test(…, {skip})`. */
export const skipWithoutHistory: string | false =
	existsSync(folder) || isInHistory() ? false : `the commit ${commit.slice(0, 12)} is not in this checkout`;

/** The earlier program, built from its commit at the first use. */
export function buildEarlierProgram(): Program {
	if (!existsSync(folder)) {
		// Node.js runs no TypeScript below node_modules.
		const checkout = temporaryFolder();
		const archive = execFileSync('git', ['archive', commit], {cwd: root, maxBuffer: 256 * 1024 * 1024});
		execFileSync('tar', ['-x'], {cwd: checkout, input: archive});
		const lockIn = (place: string): Buffer => readFileSync(path.join(place, 'package-lock.json'));
		if (lockIn(checkout).equals(lockIn(root))) {
			symlinkSync(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'));
		} else {
			execFileSync('npm', ['ci', '--include=dev', '--ignore-scripts'], {cwd: checkout, stdio: 'pipe'});
		}

		execFileSync(process.execPath, ['source/build/build.ts'], {cwd: checkout, stdio: 'pipe'});
		const unfinished = `${folder}.${process.pid}`;
		cpSync(path.join(checkout, 'dist'), unfinished, {recursive: true});
		renameSync(unfinished, folder);
	}

	return nodeProgram(path.join(folder, 'cli.js'));
}

function isInHistory(): boolean {
	try {
		execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], {cwd: root, stdio: 'ignore'});
		return true;
	} catch {
		return false;
	}
}
