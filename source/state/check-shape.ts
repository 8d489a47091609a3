import {cleanText} from '../interface/clean-text.ts';
import {nearestWord} from '../interface/nearest-word.ts';
import {type PlacedMapping, type PlacedValue} from './placed.ts';
import {type Problem} from './problems.ts';

/** The part of a JSON Schema that decides what kind of value stands where; the rest is checked with better words elsewhere. */
export type Shape = {
	readonly type?: string;
	readonly const?: string | number;
	readonly enum?: ReadonlyArray<string | boolean>;
	readonly anyOf?: readonly Shape[];
	readonly items?: Shape;
	readonly properties?: Readonly<Record<string, Shape>>;
	readonly required?: readonly string[];
	readonly additionalProperties?: boolean | Shape;
};

const quoted = (text: string): string => `“${cleanText(text, 80)}”`;

const isState = ({enum: values = []}: Shape): boolean => values.includes('on');

/** What a shape expects, for a sentence. */
const expected = (shape: Shape): string => {
	if (shape.anyOf !== undefined) {
		return shape.anyOf.map(alternative => expected(alternative)).join(', or ');
	}

	if (shape.enum !== undefined) {
		return isState(shape) ? 'on or off' : `one of ${shape.enum.join(', ')}`;
	}

	if (shape.const !== undefined) {
		return String(shape.const);
	}

	return shape.type === 'object' ? 'a mapping' : (shape.type === 'array' ? 'a list' : 'text');
};

const kinds = {
	mapping: 'object', list: 'array', scalar: undefined, unread: undefined,
} as const;

const fits = (shape: Shape, value: PlacedValue): boolean => {
	if (shape.anyOf !== undefined) {
		return shape.anyOf.some(alternative => fits(alternative, value));
	}

	if (value.kind !== 'scalar') {
		return shape.type === kinds[value.kind];
	}

	const allowed: readonly unknown[] | undefined = shape.enum ?? (shape.const === undefined ? undefined : [shape.const]);
	return allowed === undefined ? shape.type === 'string' && typeof value.value === 'string' : allowed.includes(value.value);
};

/** The words that other versions of YAML, and people, take for a boolean. */
const stateWords: ReadonlyArray<readonly [RegExp, string]> = [[/^(?:on|yes|y|true|1)$/i, 'on'], [/^(?:off|no|n|false|0)$/i, 'off']];

const hint = (shape: Shape, value: PlacedValue): string => {
	if (value.kind !== 'scalar' || value.value === null) {
		return '';
	}

	const word = String(value.value);
	const shapes = shape.anyOf ?? [shape];
	const stateWord = shapes.some(one => isState(one)) ? stateWords.find(([pattern]) => pattern.test(word))?.[1] : undefined;
	if (stateWord !== undefined) {
		return ` Write ${stateWord}.`;
	}

	const near = typeof value.value === 'string' ? nearestWord(word, shapes.flatMap(one => one.enum ?? []).filter(one => typeof one === 'string')) : undefined;
	const isUnquoted = typeof value.value !== 'string' && shapes.some(one => one.type === 'string');
	return near === undefined ? (isUnquoted ? ' Put it in quotes.' : '') : ` Write ${near}.`;
};

const found = (value: PlacedValue): string => value.kind === 'scalar'
	? (value.value === null ? 'empty' : quoted(String(value.value)))
	: `a ${value.kind}`;

const unknownField = (key: string, known: readonly string[]): string => {
	const near = nearestWord(key, known);
	return `There is no field ${quoted(key)} here. ${near === undefined ? `Known fields: ${known.join(', ')}.` : `Did you mean “${near}”?`}`;
};

const checkMapping = ({properties = {}, required = [], additionalProperties}: Shape, mapping: PlacedMapping, what: string): readonly Problem[] => {
	const seen = new Set<string>();
	const entryProblems = mapping.entries.flatMap(({key, keyPlace, value}): readonly Problem[] => {
		const shape = Object.hasOwn(properties, key) ? properties[key] : (typeof additionalProperties === 'object' ? additionalProperties : undefined);
		// The names of a record have rules of their own.
		const repeated = seen.has(key) && Object.hasOwn(properties, key) ? [{place: keyPlace, message: `${quoted(key)} is here twice.`}] : [];
		seen.add(key);
		return shape === undefined
			? [{place: keyPlace, message: unknownField(key, Object.keys(properties))}]
			: [...repeated, ...checkShape(shape, value, quoted(key))];
	});
	const missing = required.filter(key => !seen.has(key)).map(key => {
		const example = properties[key]?.const === undefined ? '' : `: write “${key}: ${expected(properties[key])}”`;
		return {place: mapping.place, message: `${what} needs the field “${key}”${example}.`};
	});
	return [...missing, ...entryProblems];
};

/** Every place where a value is of another kind than its schema says, and every field that the schema does not have. */
export const checkShape = (shape: Shape, value: PlacedValue, what: string): readonly Problem[] => {
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
};
