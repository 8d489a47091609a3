import * as Type from 'typebox';
import {Settings} from 'typebox/system';
import {Errors} from 'typebox/value';
import {abilityLimits} from '../interface/ability-package/limits.ts';
import {categoryMeanings, categoryWords} from '../interface/categories.ts';
import {isJsonObject, type JsonValue} from '../interface/json.ts';
import {nearestWord} from '../interface/name-index.ts';
import {straightenPhrase, tidyTriggerPhrases} from '../interface/names.ts';
import {descriptionProblems, newNameProblems, phraseProblems, promptProblems} from './field-problems.ts';
import {pointerTo, quoted, type Parsed, type Placed} from './parse.ts';
import type {Problem} from './state.ts';

/*
The shape of the state file, for editors and for the reader. The reader also checks the rules that need more than one value (names, paths).
*/

const record = (value: Type.TSchema, description: string): Type.TSchema =>
	Type.Record(Type.String({pattern: String.raw`\S`}), value, {additionalProperties: false, description});

const fields = (properties: Type.TProperties, options: object = {}): Type.TObject =>
	Type.Object(properties, {additionalProperties: false, ...options});

const enabled = Type.Unsafe<'on' | 'off' | boolean>({enum: ['on', 'off', true, false], description: 'Whether the ability is on.'});

/** The rules of uploads (`names.ts`). */
const triggers = (description: string): Type.TSchema =>
	Type.Optional(
		Type.Array(Type.String({maxLength: 200, pattern: String.raw`^(?=(?:[^\p{L}]*\p{L}){4})[\p{Nd}\p{L}\p{M} '’-]*$`}), {
			maxItems: abilityLimits.triggerPhrases,
			description,
		}),
	);

const installed = fields({
	enabled: Type.Optional(enabled),
	triggers: triggers("The trigger phrases, all of them: letters, digits, spaces, ' and -, with at least four letters each."),
});

const ability = fields({
	source: Type.String({
		minLength: 1,
		description: 'The folder or zip of the ability, relative to this file. Uploaded, or released anew where it differs.',
	}),
	category: Type.Optional(
		Type.Unsafe<string>({
			enum: [...categoryWords, ...categoryWords.filter(word => word.includes('_')).map(word => word.replaceAll('_', ' '))],
			description: `Counts when the ability is created. ${Object.entries(categoryMeanings)
				.map(([category, meaning]) => `${category}: ${meaning}`)
				.join('; ')}.`,
		}),
	),
	description: Type.Optional(Type.String({maxLength: abilityLimits.descriptionLength, description: 'Counts when the ability is created.'})),
	triggers: triggers('The trigger phrases. Count when the ability is created; later, change them under “installed”.'),
	create: Type.Optional(
		Type.Unsafe<boolean>({
			enum: [true, false],
			description: 'Create it also where another ability has the same name but for case, spaces, “-” and “_”.',
		}),
	),
});

const agent = fields(
	{
		name: Type.Optional(Type.String({pattern: String.raw`\S`, description: 'Its name from now on.'})),
		prompt: Type.Optional(Type.String({description: 'Its prompt.'})),
		prompt_file: Type.Optional(Type.String({minLength: 1, description: 'A file with its prompt, relative to this file.'})),
		abilities: Type.Optional(
			Type.Array(Type.String({pattern: String.raw`\S`}), {description: 'The abilities that it has, by name: exactly these.'}),
		),
	},
	{not: {required: ['prompt', 'prompt_file']}},
);

const state = fields(
	{
		version: Type.Literal(1, {description: 'The version of this format.'}),
		installed: Type.Optional(
			record(
				Type.Union([enabled, installed]),
				'Installed abilities, by name: on, off, or a mapping. With --prune, those that the file does not name are switched off.',
			),
		),
		abilities: Type.Optional(record(ability, 'Abilities that are uploaded from a folder or a zip, by name.')),
		agents: Type.Optional(record(agent, 'Agents, by their present name.')),
	},
	{description: 'Anything that a state file does not name is left as it is.'},
);

/** JSON Schema of the state file, in the draft that all editors support. */
export const stateSchema: Type.TSchema = {$schema: 'http://json-schema.org/draft-07/schema#', title: 'Switchboard state', ...state};

const entries: Readonly<Record<string, Type.TObject>> = {installed, abilities: ability, agents: agent};

/** Words for a boolean in other versions of YAML, and in common use. */
const stateWords: ReadonlyArray<readonly [RegExp, string]> = [
	[/^(?:on|yes|y|true|1)$/i, 'on'],
	[/^(?:off|no|n|false|0)$/i, 'off'],
];

type ShapeError = ReturnType<typeof Errors>[number];

type KindError = Extract<ShapeError, {readonly keyword: 'type' | 'enum' | 'const'}>;

/** Returns every problem that the schema finds in a file. */
export function checkShape({values}: Parsed): readonly Problem[] {
	// By default TypeBox stops after eight.
	Settings.Set({maxErrors: 100_000});
	const errors = Map.groupBy(Errors(stateSchema, values.get('')!.value), ({instancePath}) => instancePath);
	return [
		...[...errors].flatMap(([pointer, found]) => describe(pointer, found, values)),
		...[...values].flatMap(([pointer, {value, place}]) => ruleProblems(pointer, value).map(message => ({place, message}))),
	];
}

function describe(pointer: string, errors: readonly ShapeError[], values: Parsed['values']): readonly Problem[] {
	const placed = values.get(pointer)!;
	const {what, value, place, keyPlace} = placed;
	const [, section = '', ...rest] = pointer.split('/');
	// A mapping is one of the alternatives, and only its fields are wrong.
	const isAlternative = isJsonObject(value) && errors.some(({keyword}) => keyword === 'anyOf');
	const kinds = isAlternative ? [] : errors.filter((error): error is KindError => ['type', 'enum', 'const'].includes(error.keyword));
	return [
		...(kinds.length === 0 ? [] : [{place, message: kindMessage(kinds, placed)}]),
		...errors.flatMap((error): readonly Problem[] => {
			switch (error.keyword) {
				// The schema of a field that is not known.
				case 'boolean': {
					return rest.length === 1
						? []
						: [{place: keyPlace, message: unknownField(what, rest.at(-1) ?? section, rest.length === 0 ? state : entries[section]!)}];
				}

				case 'required': {
					return error.params.requiredProperties.map(key => ({
						place,
						message: `${what} needs the field “${key}”${key === 'version' ? ': write “version: 1”' : ''}.`,
					}));
				}

				case 'not': {
					return [
						{place: values.get(pointerTo(pointer, 'prompt_file'))!.place, message: '“prompt” and “prompt_file” cannot be used together.'},
					];
				}

				// Patterns and lengths: `ruleProblems` has better messages.
				default: {
					return [];
				}
			}
		}),
	];
}

/** Returns the problems with a value of the right kind that JSON Schema knows at most as a pattern or a length. */
function ruleProblems(pointer: string, value: JsonValue): readonly string[] {
	const field = pointer.split('/')[3];
	if (field === 'triggers' && Array.isArray(value)) {
		const phrases = tidyTriggerPhrases(value.filter(item => typeof item === 'string'));
		return phrases.length > abilityLimits.triggerPhrases ? phraseProblems(phrases).slice(0, 1) : [];
	}

	return typeof value === 'string' ? (textRules.get(field)?.(value) ?? []) : [];
}

const textRules: ReadonlyMap<string | undefined, (text: string) => readonly string[]> = new Map([
	['name', newNameProblems],
	['prompt', promptProblems],
	['description', descriptionProblems],
	['triggers', (phrase: string) => phraseProblems([straightenPhrase(phrase.trim())])],
]);

function kindMessage(errors: readonly KindError[], {what, value}: Placed): string {
	const expected = errors.map(error => expectedBy(error)).filter(words => words !== undefined);
	const found =
		typeof value === 'object' ? (value === null ? 'empty' : Array.isArray(value) ? 'a list' : 'a mapping') : quoted(String(value));
	return `${what} must be ${expected.join(', or ')}, but is ${found}.${typeof value === 'object' ? '' : hint(errors, value)}`;
}

/** Returns the values that a schema expects, for a sentence. */
function expectedBy({keyword, params}: KindError): string | undefined {
	if (keyword === 'enum') {
		return params.allowedValues.includes('on') ? 'on or off' : `one of ${params.allowedValues.join(', ')}`;
	}

	return keyword === 'const' ? String(params.allowedValue) : {object: 'a mapping', array: 'a list', string: 'text'}[String(params.type)];
}

function hint(errors: readonly KindError[], value: unknown): string {
	const allowed = errors.flatMap(({keyword, params}) => (keyword === 'enum' ? params.allowedValues : []));
	const word = String(value);
	const better = allowed.includes('on') ? stateWords.find(([pattern]) => pattern.test(word))?.[1] : undefined;
	if (typeof value !== 'string' && errors.some(({params}) => 'type' in params && params.type === 'string')) {
		return ' Put it in quotes.';
	}

	const words = typeof value === 'string' ? allowed.filter(one => typeof one === 'string') : [];
	const near = better ?? nearestWord(word, words);
	return near === undefined ? '' : ` Write ${near}.`;
}

function unknownField(what: string, key: string, {properties}: Type.TObject): string {
	const known = Object.keys(properties);
	const near = nearestWord(key, known);
	return `There is no field ${what} here. ${near === undefined ? `Known fields: ${known.join(', ')}.` : `Did you mean “${near}”?`}`;
}
