import {assert, path, readdirSync, readFileSync, statSync, test} from '../helpers/node.ts';
import {hideKeys} from '../../source/commands/run-words.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {createIsolatedHome, runCommand} from './kit.ts';

/** As the bundled service makes them, as others do, and one of letters and digits alone. */
const keys = ['sb_0rN1Zq7cV5xYw3uT9sR8pO6nM4lK2jI1hG0fE_dC-bA', 'sk-live-a1b2c3d4e5f6', 'AQWSEDRFTGYH0123456789'];

const home = createIsolatedHome();

const filesIn = (folder: string): readonly string[] =>
	readdirSync(folder, {recursive: true, encoding: 'utf8'})
		.map(name => path.join(folder, name))
		.filter(file => statSync(file).isFile());

const linesWith = (key: string): ReadonlyArray<readonly string[]> => [
	['installed', `--api-key=${key}`],
	['installed', '--api-key', key],
	['--api-key', key, 'installed'],
	['login', `--api-key:${key}`],
	['login', `--key=${key}`],
	['installed', `-k${key}`],
	['installed', `--apikey${key}`],
	[`--json=${key}`],
	['login', key],
	['serve', key],
	['keys', 'create', key],
	['keys', 'list', key],
	[key],
	['help', key],
	['installed', key],
	['installed', '--', `--api-key=${key}`],
	['installed', '--timeout', key],
	['installed', `--base-url=${key}`],
	['completion', key],
];

test('a key on the command line is not repeated, in any form, with --json or --debug, nor logged', async () => {
	for (const key of keys) {
		// Every second one as JSON: each form comes both ways, with another key.
		const lines = linesWith(key).map((words, index) => ((index + keys.indexOf(key)) % 2 === 0 ? words : [...words, '--json', '--debug']));
		for (let start = 0; start < lines.length; start += 4) {
			await Promise.all(
				lines.slice(start, start + 4).map(async words => {
					const {stdout, stderr, exitCode} = await runCommand(words, {env: home.env});
					assert.equal(exitCode, 2, words.join(' '));
					assert.ok(!(stdout + stderr).includes(key), `${words.join(' ')}\n${stderr}`);
					assert.match(stderr, /Unknown|Unexpected|Invalid|not the address|no help|takes no value|needs/);
				}),
			);
		}
	}

	for (const file of filesIn(home.folder)) {
		assert.ok(
			keys.every(key => !readFileSync(file, 'utf8').includes(key)),
			file,
		);
	}
});

test('the key of the environment is hidden in any error, other words are kept', async () => {
	const env = {...home.env, SWITCHBOARD_API_KEY: 'correct-horse'};
	const {stderr} = await runCommand(['profiles', 'use', 'correct-horse'], {env});
	assert.match(stderr, /^There is no profile “\[key\]”\.\n/);
	assert.ok(!stderr.includes('correct-horse'));
	const kept = await runCommand(['instaled', 'weather-station-2'], {env});
	assert.match(kept.stderr, /^Unknown command “switchboard instaled”/);
});

test('a path or a name with digits is no key', () => {
	for (const word of ['./weather-station-2024-v2', '/home/someone/abilities2024/pantry', 'voice2.long-example-name.com']) {
		const error = new SwitchboardError('usage', `“${word}” cannot be used.`);
		assert.equal(hideKeys(error, {words: ['upload', word], env: {}, isMisplaced: false}), error);
	}
});
