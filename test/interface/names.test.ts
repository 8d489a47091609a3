import {assert, test} from '../helpers/node.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {
	abilityNameProblem,
	isPlainAbilityName,
	packageName,
	refuseField,
	splitTriggerPhrases,
	storedTextProblem,
	triggerPhraseProblem,
} from '../../source/interface/names.ts';

const names: ReadonlyArray<readonly [name: string, isPlain: boolean, packaged: string]> = [
	['lamps', true, 'lamps'],
	['L', true, 'L'],
	['Lamps2', true, 'Lamps2'],
	['a'.repeat(101), true, 'a'.repeat(100)],
	['2lamps', false, 'lamps'],
	['my lamps', false, 'mylamps'],
	['-my_lamps/1', false, 'mylamps1'],
	['élan', false, 'elan'],
	['日本語', false, 'ability'],
	['👍', false, 'ability'],
	['lamps\u{1B}[2J\u{202E}', false, 'lamps2J'],
	['\u{212A}elvin', false, 'Kelvin'],
];

for (const [name, isPlain, packaged] of names) {
	test(`the name ${JSON.stringify(name.slice(0, 20))} is ${isPlain ? '' : 'not '}plain, and is ${packaged.slice(0, 20)} in a package`, () =>
		assert.deepEqual([abilityNameProblem(name), isPlainAbilityName(name), packageName(name)], [undefined, isPlain, packaged]));
}

test('no service can take a name without a character, or with one that is no text', () =>
	assert.deepEqual(
		['', ' ', 'a\0', '\u{D800}'].map(name => abilityNameProblem(name)),
		['is needed', 'is needed', 'contains the character U+0000', 'contains half of a surrogate pair, which is not a character'],
	));

const phrases: ReadonlyArray<readonly [phrase: string, complaint: string | undefined]> = [
	['lamps please', undefined],
	["what's up 2-day", undefined],
	['guten Abend, Haus'.replace(',', ''), undefined],
	['доброе утро', undefined],
	['सुप्रभात', undefined],
	['on', 'must have at least four letters'],
	['', 'must have at least four letters'],
	['1234567', 'must have at least four letters'],
	['a b c', 'must have at least four letters'],
	['lamps, please', "may contain only letters, digits, spaces, ' and -, not “,”"],
	['lamps!', "may contain only letters, digits, spaces, ' and -, not “!”"],
	['lamps\tplease', "may contain only letters, digits, spaces, ' and -, not an invisible character"],
	['lamps\u{202E}please', "may contain only letters, digits, spaces, ' and -, not an invisible character"],
	['lamps\u{D800}please', "may contain only letters, digits, spaces, ' and -, not an invisible character"],
	['lamps \u{2126} please\u{2260}', "may contain only letters, digits, spaces, ' and -, not “\u{2260}”"],
	['lamps '.repeat(40), 'may be at most 200 characters long'],
];

for (const [phrase, complaint] of phrases) {
	test(`the trigger phrase ${JSON.stringify(phrase.slice(0, 20))} ${complaint ?? 'is valid'}`, () =>
		assert.equal(triggerPhraseProblem(phrase), complaint));
}

test('a list of phrases is split at its commas, each phrase once', () => {
	assert.deepEqual(splitTriggerPhrases(' lamps please ,it is dark,, lamps please'), ['lamps please', 'it is dark']);
	assert.deepEqual(splitTriggerPhrases(''), []);
	assert.deepEqual(splitTriggerPhrases(' , '), []);
});

test('a problem becomes a refusal that names the field', () => {
	assert.throws(
		() => refuseField('name', 'The name', 'is needed'),
		(error: unknown) =>
			error instanceof SwitchboardError && error.kind === 'refused' && error.field === 'name' && error.message === 'The name is needed.',
	);
	refuseField('name', 'The name', undefined);
});

test('text with U+0000 or half of a surrogate pair cannot be stored', () => {
	assert.equal(storedTextProblem('a\0'), 'contains the character U+0000');
	for (const text of ['\u{D800}', 'a\u{DFFF}b', '\u{DC00}\u{D800}']) {
		assert.equal(storedTextProblem(text), 'contains half of a surrogate pair, which is not a character');
	}
});

test('any other text can be stored', () => {
	for (const text of ['', 'plain', '\u{1}\u{7F}\u{FFFD}\u{FFFE}', '\u{1F469}\u{200D}\u{1F467}', '\u{10FFFF}']) {
		assert.equal(storedTextProblem(text), undefined);
	}
});
