import assert from 'node:assert/strict';
import {test} from 'node:test';
import {problemsOf, read} from './reading.ts';

/*
What takes a YAML parser minutes or gigabytes. That each ends at all is what is tested, under the limit of the test.
*/

const mebibyte = 1024 * 1024;

const fill = (part: string): string => part.repeat(Math.floor((mebibyte - 64) / part.length));

const hostile: Readonly<Record<string, string>> = {
	brackets: fill('['),
	braces: fill('{'),
	'closing brackets': fill(']'),
	commas: `[${fill(',')}`,
	dashes: fill('- '),
	'question marks': fill('? '),
	colons: fill('a: '),
	anchors: fill('&a '),
	tags: fill('!a '),
	directives: fill('%a\n'),
	documents: fill('---\n'),
	comments: fill('#\n'),
	'empty lines': fill('\n'),
	quotes: fill('"a" '),
	'reserved signs': fill('a: @\n'),
	'deep indentation': Array.from({length: 1400}, (_, index) => `${' '.repeat(index)}a:`).join('\n'),
	aliases: `a: &a [x]\n${Array.from({length: 30}, (_, index) => `a${index}: &a${index} [${'*a,'.repeat(9)}]`).join('\n')}`,
};

for (const [what, text] of Object.entries(hostile)) {
	test(`a file of ${what} is refused in the end`, async () => {
		assert.notDeepEqual(await problemsOf(text), []);
	});
}

test('a file that is too large, or nested too deeply, is told which of the two it is', async () => {
	assert.deepEqual(await problemsOf(fill('[')), ['home.yaml:1:1: The file is too large: it may have 400,000 words and signs.']);
	const [problem] = await problemsOf('['.repeat(20_000) + ']'.repeat(20_000));
	assert.match(problem ?? '', /^home\.yaml:1:\d+: This is nested too deeply to be read\.$/);
});

test('a file of more than 1 MiB is refused, one below it is read', async () => {
	const names = Array.from({length: 10_000}, (_, index) => `  ability${index}: {enabled: on, triggers: []}\n`).join('');
	const {installed} = await read(`version: 1\ninstalled:\n${names}`);
	assert.equal(installed.length, 10_000);
	assert.deepEqual(await problemsOf(`version: 1\nagents: {A: {prompt: ${'x'.repeat(mebibyte)}}}\n`), ['usage', 'home.yaml is larger than 1 MiB, the limit for a text. Nothing was done.']);
});
