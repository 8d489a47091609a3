import {assert, test} from '../helpers/node.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';
import {
	abilityNameProblem,
	refuseField,
	splitTriggerPhrases,
	storedTextProblem,
	triggerPhraseProblem,
} from '../../source/interface/names.ts';

const names: ReadonlyArray<readonly [name: string, complaint: string | undefined]> = [
	['lamps', undefined],
	['L', undefined],
	['Lamps2', undefined],
	['a'.repeat(100), undefined],
	['', 'is needed'],
	['2lamps', 'must begin with a letter (A to Z)'],
	['_lamps', 'must begin with a letter (A to Z)'],
	['élan', 'must begin with a letter (A to Z)'],
	['my lamps', 'may contain only letters and digits, not a space'],
	['my-lamps', 'may contain only letters and digits, not “-”'],
	['my_lamps', 'may contain only letters and digits, not “_”'],
	['lampé', 'may contain only letters and digits, not “é”'],
	['lamp👍', 'may contain only letters and digits, not “👍”'],
	['lamps\n', 'may contain only letters and digits, not an invisible character'],
	['lamps\u{1B}[2J', 'may contain only letters and digits, not an invisible character'],
	['lamps\u{200B}', 'may contain only letters and digits, not an invisible character'],
	['\u{212A}elvin', 'must begin with a letter (A to Z)'],
	['a'.repeat(101), 'may be at most 100 characters long'],
];

for (const [name, complaint] of names) {
	test(`the name ${JSON.stringify(name.slice(0, 20))} ${complaint ?? 'is valid'}`, () => {
		assert.equal(abilityNameProblem(name), complaint);
	});
}

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
	test(`the trigger phrase ${JSON.stringify(phrase.slice(0, 20))} ${complaint ?? 'is valid'}`, () => {
		assert.equal(triggerPhraseProblem(phrase), complaint);
	});
}

test('a list of phrases is split at its commas, each phrase once', () => {
	assert.deepEqual(splitTriggerPhrases(' lamps please ,it is dark,, lamps please'), ['lamps please', 'it is dark']);
	assert.deepEqual(splitTriggerPhrases(''), []);
	assert.deepEqual(splitTriggerPhrases(' , '), []);
});

test('a problem becomes a refusal that names the field', () => {
	assert.throws(
		() => {
			refuseField('name', 'The name', 'is needed');
		},
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
