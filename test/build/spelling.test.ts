import {assert, path, process, readFileSync, test, writeFileSync} from '../helpers/node.ts';
import {execFile} from 'node:child_process';
import {provideTool} from '../../source/build/provide-tool.ts';
import {temporaryFolder} from '../helpers/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

const dictionaries = {en_us: 'en_us', 'en-gb': 'en-gb-mit', softwareTerms: 'software-terms', companies: 'companies'};

test('the pages have no word that neither a dictionary nor words.txt knows', async () => {
	const folder = path.join(await provideTool('spelling'), 'node_modules');
	const settings = path.join(temporaryFolder(), 'cspell.json');
	writeFileSync(
		settings,
		JSON.stringify({
			version: '0.2',
			language: 'en-GB,en',
			// All dictionaries take twice as long to load.
			import: Object.values(dictionaries).map(name => path.join(folder, `@cspell/dict-${name}/cspell-ext.json`)),
			dictionaries: Object.keys(dictionaries),
			words: readFileSync(path.join(root, 'source/build/tools/spelling/words.txt'), 'utf8').trim().split('\n'),
			// Code, the targets of links, and comments.
			ignoreRegExpList: ['/```[\\s\\S]*?```/g', '/`[^`\\n]*`/g', '/\\]\\([^)]*\\)/g', '/<!--[\\s\\S]*?-->/g'],
		}),
	);
	const options = ['--no-default-configuration', '--no-progress', '--no-summary', '--no-color', '--config', settings];
	const [unknown, exitCode] = await new Promise<readonly [string, unknown]>(resolve => {
		execFile(process.execPath, [path.join(folder, 'cspell/bin.mjs'), ...options, '*.md', 'docs/*.md'], {cwd: root}, (error, ...texts) => {
			resolve([texts.join(''), error?.code ?? 0]);
		});
	});
	assert.deepEqual([unknown, exitCode], ['', 0]);
});
