import {type TSchema, Type} from 'typebox';
import {abilityLimits} from '../interface/ability-package/limits.ts';
import {categoryMeanings, categoryWords} from '../interface/categories.ts';

/*
The shape of the state file, as editors check it and as the reader does. What a schema cannot say (names in any case that are
equal, paths) the reader checks alone.
*/

const record = (value: TSchema, description: string): TSchema =>
	Type.Object({}, {additionalProperties: value, propertyNames: {pattern: String.raw`\S`}, description});

const fields = (properties: Readonly<Record<string, TSchema>>, options: object = {}): TSchema =>
	Type.Object(properties, {additionalProperties: false, ...options});

const enabled = Type.Unsafe<'on' | 'off' | boolean>({enum: ['on', 'off', true, false], description: 'Whether the ability is on.'});

/** The rules of uploads (`names.ts`). */
const triggers = Type.Array(Type.String({
	maxLength: 200,
	pattern: String.raw`^(?=(?:[^\p{L}]*\p{L}){4})[\p{Nd}\p{L}\p{M} '-]*$`,
}), {
	maxItems: abilityLimits.triggerPhrases,
	description: 'The trigger phrases, all of them: letters, digits, spaces, \' and -, with at least four letters each.',
});

const installed = Type.Union([enabled, fields({
	enabled: Type.Optional(enabled),
	triggers: Type.Optional(triggers),
})]);

const ability = fields({
	source: Type.String({minLength: 1, description: 'The folder or zip of the ability, relative to this file. Uploaded, or released anew where it differs.'}),
	category: Type.Optional(Type.Unsafe<string>({
		enum: [...categoryWords],
		description: `Counts when the ability is created. ${Object.entries(categoryMeanings).map(([category, meaning]) => `${category}: ${meaning}`).join('; ')}.`,
	})),
	description: Type.Optional(Type.String({maxLength: abilityLimits.descriptionLength, description: 'Counts when the ability is created.'})),
	triggers: Type.Optional({...triggers, description: 'The trigger phrases. Count when the ability is created; later, change them under “installed”.'}),
});

const agent = fields({
	name: Type.Optional(Type.String({pattern: String.raw`\S`, description: 'Its name from now on.'})),
	prompt: Type.Optional(Type.String({description: 'Its prompt.'})),
	prompt_file: Type.Optional(Type.String({minLength: 1, description: 'A file with its prompt, relative to this file.'})),
	abilities: Type.Optional(Type.Array(Type.String({pattern: String.raw`\S`}), {description: 'The abilities that it has, by name: exactly these.'})),
}, {not: {required: ['prompt', 'prompt_file']}});

/** JSON Schema of the state file, in the draft that all editors take. */
export const stateSchema: TSchema = {
	// eslint-disable-next-line unicorn/prefer-https -- The name of the draft, not an address to read.
	$schema: 'http://json-schema.org/draft-07/schema#',
	title: 'Switchboard state',
	...fields({
		version: Type.Literal(1, {description: 'The version of this format.'}),
		installed: Type.Optional(record(installed, 'Installed abilities, by name: on, off, or a mapping. With --prune, those that are not named here are switched off.')),
		abilities: Type.Optional(record(ability, 'Abilities that are uploaded from a folder or a zip, by name.')),
		agents: Type.Optional(record(agent, 'Agents, by their present name.')),
	}, {description: 'What a state file does not name is left alone.'}),
};
