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

test('a file of more than 1 MiB is refused, one below it is read', async () => {
	const names = Array.from({length: 10_000}, (_, index) => `  ability${index}: {enabled: on, triggers: []}\n`).join('');
	const {installed} = await read(`version: 1\ninstalled:\n${names}`);
	assert.equal(installed.length, 10_000);
	assert.deepEqual(await problemsOf(`version: 1\nagents: {A: {prompt: ${'x'.repeat(mebibyte)}}}\n`), ['usage', 'home.yaml is larger than 1 MiB, the limit for a text. Nothing was done.']);
});
