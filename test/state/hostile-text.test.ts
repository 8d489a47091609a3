import {assert, test} from '../helpers/node.ts';
import {problemsOf, read} from './reading.ts';

/*
What takes a YAML parser minutes or gigabytes. That each ends at all is what is tested, under the limit of the test.
*/

/** Those of a small account, which 22,200 words and signs reach. */
const readSmallLimits = async () => ({names: 600, parts: 700});

const mebibyte = 1024 * 1024;

const fill = (part: string, length = mebibyte / 4): string => part.repeat(Math.floor((length - 64) / part.length));

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
		assert.notDeepEqual(await problemsOf(text, {readLimits: readSmallLimits}), []);
	});
}

test('a file that is too large, or nested too deeply, is told which of the two it is', async () => {
	assert.deepEqual(await problemsOf(fill('[', mebibyte)), ['home.yaml:1:1: The file is too large: it may have 400,000 words and signs.']);
	const [problem] = await problemsOf('['.repeat(20_000) + ']'.repeat(20_000));
	assert.match(problem ?? '', /^home\.yaml:1:\d+: This is nested too deeply to be read\.$/);
});

test('a file may have 20,000 names, or what its account is worth', async () => {
	const names = (count: number): string => Array.from({length: count}, (_, index) => `  a${index}: on\n`).join('');
	assert.deepEqual(await problemsOf(`version: 1\ninstalled:\n${names(20_001)}`), [
		'home.yaml:1:1: The file is too large: it may have 20,000 agents and abilities.',
	]);
	let lookCount = 0;
	const readLimits = async () => {
		lookCount++;
		return readSmallLimits();
	};

	const phrases = (count: number): string =>
		`version: 1\ninstalled: {pantry: {triggers: [${Array.from({length: count}, (_, index) => `phrase ${index}`).join(', ')}]}}`;
	const tooMany = (what: string): readonly string[] => [`home.yaml:1:1: The file is too large: it may have ${what}.`];
	for (const [text, problems, looks] of [
		[`version: 1\ninstalled:\n${names(500)}`, [], 0],
		[`version: 1\ninstalled:\n${names(600)}`, [], 1],
		[`version: 1\ninstalled:\n${names(601)}`, tooMany('600 agents and abilities'), 1],
		[`version: 1\ninstalled: {${'x: on, '.repeat(601)}}`, tooMany('600 agents and abilities'), 1],
		[phrases(720), tooMany('700 trigger phrases and abilities of agents'), 1],
		[`version: 1\ninstalled: {a: {${'x: on, '.repeat(705)}}}`, tooMany('700 trigger phrases and abilities of agents'), 1],
		[`version: 1\nother: [${'[], '.repeat(10_000)}]`, tooMany('22,200 words and signs'), 1],
	] as const) {
		lookCount = 0;
		assert.deepEqual(await problemsOf(text, {readLimits}), problems);
		assert.equal(lookCount, looks);
	}
});

test('a large file takes turns with everything else', async () => {
	let turnCount = 0;
	let isDone = false;
	const count = (): void => {
		turnCount++;
		if (!isDone) {
			setImmediate(count);
		}
	};

	setImmediate(count);
	// A scalar has two signs, so that there are 80,000 and more.
	await problemsOf(`version: 1\ninstalled:\n${'  a: on\n'.repeat(10_000)}`);
	isDone = true;
	assert.ok(turnCount >= 40, String(turnCount));
});

test('a file of more than 1 MB is refused, one below it is read', async () => {
	const prompts = Array.from({length: 10}, (_, index) => `  agent${index}: {prompt: ${'x'.repeat(100_000)}}\n`).join('');
	const {agents} = await read(`version: 1\nagents:\n${prompts}`);
	assert.equal(agents.length, 10);
	assert.deepEqual(await problemsOf(`version: 1\nagents: {A: {prompt: ${'x'.repeat(mebibyte)}}}\n`), [
		'usage',
		'home.yaml is larger than 1 MB, the limit for a text. Nothing was done.',
	]);
});
