import {Type, type TSchema} from 'typebox';
import {abilityLimits} from '../interface/ability-package/limits.ts';
import {categoryMeanings, categoryWords} from '../interface/categories.ts';
import {cleanText} from '../interface/clean-text.ts';
import {nearestWord} from '../interface/name-index.ts';
import type {PlacedMapping, PlacedValue, Problem} from './state.ts';

/*
The shape of the state file, for editors and for the reader. The reader also checks the rules that a schema cannot express (names that
differ only in case, paths).
*/

const record = (value: TSchema, description: string): TSchema =>
	Type.Object({}, {additionalProperties: value, propertyNames: {pattern: String.raw`\S`}, description});

const fields = (properties: Readonly<Record<string, TSchema>>, options: object = {}): TSchema =>
	Type.Object(properties, {additionalProperties: false, ...options});

const enabled = Type.Unsafe<'on' | 'off' | boolean>({enum: ['on', 'off', true, false], description: 'Whether the ability is on.'});

/** The rules of uploads (`names.ts`). */
const triggers = Type.Array(Type.String({maxLength: 200, pattern: String.raw`^(?=(?:[^\p{L}]*\p{L}){4})[\p{Nd}\p{L}\p{M} '’-]*$`}), {
	maxItems: abilityLimits.triggerPhrases,
	description: "The trigger phrases, all of them: letters, digits, spaces, ' and -, with at least four letters each.",
});

const installed = Type.Union([enabled, fields({enabled: Type.Optional(enabled), triggers: Type.Optional(triggers)})]);

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
	triggers: Type.Optional({
		...triggers,
		description: 'The trigger phrases. Count when the ability is created; later, change them under “installed”.',
	}),
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

/** JSON Schema of the state file, in the draft that all editors support. */
export const stateSchema: TSchema = {
	$schema: 'http://json-schema.org/draft-07/schema#',
	title: 'Switchboard state',
	...fields(
		{
			version: Type.Literal(1, {description: 'The version of this format.'}),
			installed: Type.Optional(
				record(
					installed,
					'Installed abilities, by name: on, off, or a mapping. With --prune, those that the file does not name are switched off.',
				),
			),
			abilities: Type.Optional(record(ability, 'Abilities that are uploaded from a folder or a zip, by name.')),
			agents: Type.Optional(record(agent, 'Agents, by their present name.')),
		},
		{description: 'Anything that a state file does not name is left as it is.'},
	),
};

const kinds = {mapping: 'object', list: 'array', scalar: undefined, unread: undefined} as const;

/** Words for a boolean in other versions of YAML, and in common use. */
const stateWords: ReadonlyArray<readonly [RegExp, string]> = [
	[/^(?:on|yes|y|true|1)$/i, 'on'],
	[/^(?:off|no|n|false|0)$/i, 'off'],
];

/** The part of a JSON Schema that decides the kind of value in each place; the rest is checked elsewhere with better messages. */
type Shape = {
	readonly type?: string;
	readonly const?: string | number;
	readonly enum?: ReadonlyArray<string | boolean>;
	readonly anyOf?: readonly Shape[];
	readonly items?: Shape;
	readonly properties?: Readonly<Record<string, Shape>>;
	readonly required?: readonly string[];
	readonly additionalProperties?: boolean | Shape;
};

/** Returns every value of a kind that its schema does not allow, and every field that the schema does not have. */
export function checkShape(shape: Shape, value: PlacedValue, what: string): readonly Problem[] {
	if (value.kind === 'unread') {
		return [];
	}

	if (!fits(shape, value)) {
		return [{place: value.place, message: `${what} must be ${expected(shape)}, but is ${found(value)}.${hint(shape, value)}`}];
	}

	const chosen = shape.anyOf?.find(alternative => fits(alternative, value)) ?? shape;
	if (value.kind === 'mapping') {
		return checkMapping(chosen, value, what);
	}

	return value.kind === 'list' ? value.items.flatMap(item => checkShape(chosen.items!, item, `An entry of ${what}`)) : [];
}

function fits(shape: Shape, value: PlacedValue): boolean {
	if (shape.anyOf !== undefined) {
		return shape.anyOf.some(alternative => fits(alternative, value));
	}

	if (value.kind !== 'scalar') {
		return shape.type === kinds[value.kind];
	}

	const allowed: readonly unknown[] | undefined = shape.enum ?? (shape.const === undefined ? undefined : [shape.const]);
	return allowed === undefined ? shape.type === 'string' && typeof value.value === 'string' : allowed.includes(value.value);
}

/** Returns the kinds that a shape expects, for a sentence. */
function expected(shape: Shape): string {
	if (shape.anyOf !== undefined) {
		return shape.anyOf.map(alternative => expected(alternative)).join(', or ');
	}

	if (shape.enum !== undefined) {
		return isState(shape) ? 'on or off' : `one of ${shape.enum.join(', ')}`;
	}

	if (shape.const !== undefined) {
		return String(shape.const);
	}

	return shape.type === 'object' ? 'a mapping' : shape.type === 'array' ? 'a list' : 'text';
}

const isState = ({enum: values = []}: Shape): boolean => values.includes('on');

const found = (value: PlacedValue): string =>
	value.kind === 'scalar' ? (value.value === null ? 'empty' : quoted(String(value.value))) : `a ${value.kind}`;

const quoted = (text: string): string => `“${cleanText(text, 80)}”`;

function hint(shape: Shape, value: PlacedValue): string {
	if (value.kind !== 'scalar' || value.value === null) {
		return '';
	}

	const word = String(value.value);
	const shapes = shape.anyOf ?? [shape];
	const stateWord = shapes.some(one => isState(one)) ? stateWords.find(([pattern]) => pattern.test(word))?.[1] : undefined;
	if (stateWord !== undefined) {
		return ` Write ${stateWord}.`;
	}

	const near =
		typeof value.value === 'string'
			? nearestWord(
					word,
					shapes.flatMap(one => one.enum ?? []).filter(one => typeof one === 'string'),
				)
			: undefined;
	const isUnquoted = typeof value.value !== 'string' && shapes.some(one => one.type === 'string');
	return near === undefined ? (isUnquoted ? ' Put it in quotes.' : '') : ` Write ${near}.`;
}

function checkMapping(
	{properties = {}, required = [], additionalProperties}: Shape,
	mapping: PlacedMapping,
	what: string,
): readonly Problem[] {
	const seen = new Set<string>();
	const entryProblems = mapping.entries.flatMap(({key, keyPlace, value}): readonly Problem[] => {
		const shape = Object.hasOwn(properties, key)
			? properties[key]
			: typeof additionalProperties === 'object'
				? additionalProperties
				: undefined;
		// The names of records have other rules.
		const repeated = seen.has(key) && Object.hasOwn(properties, key) ? [{place: keyPlace, message: `${quoted(key)} is here twice.`}] : [];
		seen.add(key);
		return shape === undefined
			? [{place: keyPlace, message: unknownField(key, Object.keys(properties))}]
			: [...repeated, ...checkShape(shape, value, quoted(key))];
	});
	const missing = required
		.filter(key => !seen.has(key))
		.map(key => {
			const example = properties[key]?.const === undefined ? '' : `: write “${key}: ${expected(properties[key])}”`;
			return {place: mapping.place, message: `${what} needs the field “${key}”${example}.`};
		});
	return [...missing, ...entryProblems];
}

function unknownField(key: string, known: readonly string[]): string {
	const near = nearestWord(key, known);
	return `There is no field ${quoted(key)} here. ${near === undefined ? `Known fields: ${known.join(', ')}.` : `Did you mean “${near}”?`}`;
}
