import {assert, test, type TestContext} from '../../helpers/node.ts';
import {createServerFolders, startServers} from './remote-server.ts';
import {createRemoteClient, installedRecord, startLiveLikeService} from '../kit.ts';

const lines = (count: number, lineOf: (index: number) => string): string =>
	Array.from({length: count}, (_, index) => `${lineOf(index)}\n`).join('');

test('work behind one command is bounded, and refused beyond that', async (t: TestContext) => {
	const {connect} = await startServers(t, 'default');
	for (const [words, stdin, kind, pattern] of [
		[
			['plan', '-'],
			`version: 1\ninstalled:\n${lines(45_000, index => `  wrong${index}: on`)}`,
			2,
			/^standard input:1:1: The file is too large: it may have [\d,]+ words and signs\.\nNothing was done\.\n$/,
		],
		[
			['plan', '-'],
			`version: 1\ninstalled:\n${lines(300, index => `  wrong${index}: on`)}`,
			4,
			/^(?:standard input:\d+:3: There is no ability “wrong\d+”\.\n){20}standard input: and 280 more\nNothing was done\.\n$/,
		],
		[['enable', '-'], lines(20_001, index => `wrong${index}`), 2, /^Standard input has more than 20,000 names\. Nothing was done\.\n/],
		[['enable', ...Array.from({length: 1000}, () => '-')], lines(20_000, index => `wrong${index}`), 4, /^There is no installed ability/],
		[
			['enable', ...Array.from({length: 101}, (_, index) => `pantr?${'*'.repeat(index)}`)],
			'',
			2,
			/^There are more than 100 globs\. Nothing was done\.\n/m,
		],
		[['installed', '--filter', 'a '.repeat(501)], '', 2, /^--filter has more than 1,000 characters\.\n/],
		[['installed', '--search', 'a '.repeat(501)], '', 2, /^--search has more than 1,000 characters\.\n/],
		[['phrases', 'a'.repeat(4001)], '', 2, /^The sentence has more than 4,000 characters\.\n/],
	] as const) {
		const {exitCode, stdout, stderr} = await connect({stdin}).runWhole(words);
		assert.deepEqual([exitCode, stdout], [kind, ''], words.slice(0, 3).join(' '));
		assert.match(stderr, pattern);
	}
});

test('what export prints is taken by plan, whatever the account has', async (t: TestContext) => {
	const installed = Array.from({length: 700}, (_, index) => ({
		...installedRecord(index + 1, `lamp${index}`, true),
		trigger_words: ['light the lamp', `lamp ${index} please`],
	}));
	const service = await startLiveLikeService({home: {installed}});
	t.after(async () => service.close());
	const folders = await createServerFolders([{name: 'default', baseAddress: service.baseAddress, apiKey: service.apiKey}]);
	for (const format of [[], ['--json']]) {
		const exported = await createRemoteClient(folders).runWhole(['export', ...format]);
		const planned = await createRemoteClient(folders, {stdin: exported.stdout, isReadOnly: true}).runWhole(['plan', '-']);
		assert.deepEqual([planned.exitCode, planned.stdout.split('\n').at(-2)], [0, 'Nothing to do: 702 unchanged.'], planned.stderr);
	}
});
