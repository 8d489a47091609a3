import {assert, existsSync, mkdirSync, path, readdirSync, readFileSync, statSync, suite, test, writeFileSync} from '../helpers/node.ts';
import {createIsolatedHome, type IsolatedHome} from '../helpers/isolated-home.ts';
import {runCommand} from '../helpers/run-command.ts';
import {openUi} from './open-ui.ts';

const key = 'sb-key-that-no-report-has';

const reportFolder = ({env}: IsolatedHome): string => path.join(env['XDG_STATE_HOME']!, 'switchboard');

const reportsIn = (home: IsolatedHome): readonly string[] =>
	existsSync(reportFolder(home)) ? readdirSync(reportFolder(home)).filter(name => name.startsWith('crash-')) : [];

/** A fault in the program: a module that Node.js loads before it, with this code. */
function withFault(home: IsolatedHome, code: string): Readonly<Record<string, string>> {
	const file = path.join(home.folder, 'fault.mjs');
	writeFileSync(file, `import {isMainThread} from 'node:worker_threads';\nif (isMainThread) {\n${code}\n}\n`);
	return {NODE_OPTIONS: `--import ${file}`, SWITCHBOARD_API_KEY: key, SWITCHBOARD_BASE_URL: 'http://127.0.0.1:9'};
}

function assertReport(home: IsolatedHome, output: string, reason: string): void {
	const [name, ...others] = reportsIn(home);
	assert.deepEqual(others, []);
	const file = path.join(reportFolder(home), name!);
	assert.ok(output.replaceAll(/\s/g, '').includes(`Areportisin${file}`), output);
	assert.ok(output.includes(`Unexpected error: ${reason}`), output);
	const report = readFileSync(file, 'utf8');
	assert.match(report, /^Switchboard \d+\.\d+\.\d+ on Node\.js 24\./);
	assert.match(report, /\n {4}at .+/);
	assert.ok(report.includes(reason));
	assert.ok(!`${report}${output}`.includes(key));
	// eslint-disable-next-line no-bitwise -- Flags and modes are made of bits.
	assert.equal(statSync(file).mode & 0o777, 0o600);
}

/** Carried out once the program is ready for a fault and the file is there. */
const onceWanted = (statement: string): string => `const timer = setInterval(() => {
	if (process.listenerCount('uncaughtException') > 0 && process.getBuiltinModule('fs').existsSync(process.env.FAULT_FILE)) {
		clearInterval(timer);
		${statement}
	}
}, 5);`;

const faults: ReadonlyArray<readonly [title: string, statement: string]> = [
	['an uncaught error', `throw new Error('wires crossed by ${key}');`],
	['a rejected promise that nobody waits for', `Promise.reject(new Error('wires crossed by ${key}'));`],
	['an error while the screen is drawn', `String.prototype.repeat = () => { throw new Error('wires crossed by ${key}'); };`],
];

suite('a fault of the program', () => {
	for (const [title, statement] of faults) {
		test(`${title} in the UI gives the terminal back and names a report`, async () => {
			const home = createIsolatedHome();
			const faultFile = path.join(home.folder, 'now');
			await using ui = openUi(home, {env: {...withFault(home, onceWanted(statement)), FAULT_FILE: faultFile}, columns: 100});
			await ui.waitFor('3 Installed');
			writeFileSync(faultFile, '');
			const pressing = setInterval(() => {
				ui.press('tab');
			}, 50);
			void ui.exited.finally(() => clearInterval(pressing));
			assert.deepEqual(await ui.exited, {exitCode: 1, signal: undefined});
			assert.equal(ui.isAlternateScreen, false);
			assert.equal(ui.cursor.isHidden, false);
			assertReport(home, ui.screen().join('\n'), 'wires crossed by [key]');
		});
	}

	test('in a command it is one sentence and the place of a report; no more than ten reports are kept', async () => {
		const home = createIsolatedHome();
		mkdirSync(reportFolder(home));
		for (let count = 10; count < 30; count++) {
			writeFileSync(path.join(reportFolder(home), `crash-2020-01-01T00-00-${count}-000Z-1.txt`), '');
		}

		writeFileSync(path.join(reportFolder(home), 'requests-1.log'), '');
		const env = {...home.env, ...withFault(home, onceWanted(faults[1]![1])), FAULT_FILE: home.folder};
		const {exitCode, stderr} = await runCommand(['serve', '--port', '0'], {env});
		assert.equal(exitCode, 1);
		assert.match(stderr, /Unexpected error: wires crossed by \[key\][\s\S]*A report is in/);
		const left = reportsIn(home);
		assert.equal(left.length, 10);
		assert.ok(left.some(name => !name.startsWith('crash-2020')));
		assert.ok(existsSync(path.join(reportFolder(home), 'requests-1.log')));
	});

	test('a wait that can never end is a fault as well, with the exit code of one', async () => {
		const home = createIsolatedHome();
		const env = {
			...home.env,
			...withFault(
				home,
				'const {Readable} = process.getBuiltinModule("stream"); Object.defineProperty(process, "stdin", {value: new Readable({read() {}})});',
			),
		};
		const {exitCode, stdout, stderr} = await runCommand(['login', '--base-url', 'http://127.0.0.1:9', '--api-key-stdin'], {env});
		assert.deepEqual(
			[exitCode, stdout, stderr],
			[1, '', 'Switchboard waits for something that can no longer happen.\nLook at what was done so far before you run it again.\n'],
		);
	});
});
