import type {Random} from '../targets.ts';
import type {Schema} from '../../helpers/openapi-operations.ts';

export function pick<T>(random: Random, list: readonly T[]): T {
	return list[random(list.length)]!;
}

/** Text that some step on the way to the disk and back may not survive. `\u{FFFD}` is missing: it tells that one did not. */
const oddTexts = [
	'',
	' ',
	'\0',
	'a\0b',
	'\u{D800}',
	'a\u{DFFF}b',
	'\u{DC00}\u{D800}',
	'\u{FEFF}a',
	'\u{202E}evil',
	'\u{1B}[2J\u{1B}]0;owned\u{7}',
	'e' + '\u{301}'.repeat(5000),
	'\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}',
	'\u{10FFFF}',
	'\r\n--x\r\n',
	'%00%ff%s%n',
	"'; drop table accounts; --",
	'" onload="x',
	'../../etc/passwd',
	'__proto__',
	'constructor',
	'true',
	'null',
	'NaN',
	'1e999',
	'-1',
	'0',
	'9'.repeat(400),
	'9007199254740993',
	'x'.repeat(70_000),
];

const words = ['lamps', 'on', 'off', 'pantry', 'dusk', '日本', 'né'];

export function randomText(random: Random): string {
	return random(3) === 0
		? pick(random, oddTexts)
		: Array.from({length: random(6)}, () => (random(8) === 0 ? pick(random, oddTexts) : pick(random, words))).join(
				pick(random, [' ', ', ', '', '\n']),
			);
}

const oddNumbers = [0, -0, -1, 1.5, 1e21, 1e308, -1e308, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1, 2 ** 31, 2 ** 63];

/** Any JSON value. */
export function randomJson(random: Random, depth = 0): unknown {
	switch (random(depth > 3 ? 5 : 8)) {
		case 0: {
			return null;
		}

		case 1: {
			return random(2) === 0;
		}

		case 2: {
			return pick(random, oddNumbers);
		}

		case 5: {
			return Array.from({length: random(4)}, () => randomJson(random, depth + 1));
		}

		case 6: {
			return Object.fromEntries(Array.from({length: random(4)}, () => [randomText(random).slice(0, 40), randomJson(random, depth + 1)]));
		}

		case 7: {
			return Array.from({length: 300}, () => random(9));
		}

		default: {
			return randomText(random);
		}
	}
}

/** The ids of what an account has, by what they are called in a path or a body. */
export type Ids = Readonly<Record<string, readonly number[]>>;

const oddIds = [0, -1, 999_999, Number.MAX_SAFE_INTEGER, '01', '1e3', '+1', '9'.repeat(400), ' 1', '١'];

/** An id that fits the name; seldom that of something else, or of nothing. */
export function randomId(random: Random, name: string, ids: Ids): number | string {
	const fitting = ids[name] ?? [];
	return fitting.length > 0 && random(8) > 0 ? pick(random, fitting) : pick(random, [...Object.values(ids).flat(), ...oddIds]);
}

/** What the ids in a list are called where one stands alone. */
const idNames: Readonly<Record<string, string>> = {
	'capability_ids[]': 'capability_id',
	'matching_capabilities[]': 'capability_id',
	id: 'capability_id',
};

export function idNameOf(name: string): string {
	return idNames[name] ?? name;
}

const fittingTexts: Readonly<Record<string, (random: Random) => string>> = {
	name: random => `lamps${random(1_000_000)}`,
	trigger_words: () => 'lamps please, it is dark',
	'trigger_words[]': random => `lamps number ${random(100)}`,
	image_file: () => '\u{89}PNG\r\n\u{1A}\n',
};

/**
The fields of a body as the schema says.

@param isOdd - true for some of a wrong type, some missing, some that the service does not know.
*/
export function randomFields(random: Random, {properties = {}}: Schema, ids: Ids, isOdd: boolean): Record<string, unknown> {
	const fields = Object.entries(properties).flatMap(([name, schema]): Array<[string, unknown]> => {
		switch (isOdd ? random(8) : 7) {
			case 0: {
				return [];
			}

			case 1: {
				return [[name, randomJson(random)]];
			}

			case 2: {
				return [[name, randomText(random)]];
			}

			default: {
				return unchangeable(name, schema) ? [] : [[name, fittingValue(random, name, schema, ids)]];
			}
		}
	});
	const surplus: Array<[string, unknown]> = isOdd && random(4) === 0 ? [[randomText(random).slice(0, 300), randomJson(random)]] : [];
	return Object.fromEntries([...fields, ...surplus]);
}

/** The optional fields of an installed ability that belong to the ability itself: a client leaves them out, or sends them back unchanged. */
const unchangeable = (name: string, {type}: Schema): boolean => ['name', 'category'].includes(name) && Array.isArray(type);

/** A value that the schema allows, and mostly the service as well. */
function fittingValue(random: Random, name: string, {type, enum: choices, items}: Schema, ids: Ids): unknown {
	const [only = 'string'] = [type ?? 'string'].flat();
	if (choices !== undefined) {
		return pick(random, choices);
	}

	if (only === 'array') {
		return Array.from({length: 1 + random(2)}, () => fittingValue(random, `${name}[]`, items ?? {}, ids));
	}

	if (only === 'boolean') {
		return random(2) === 0;
	}

	return only === 'integer' ? randomId(random, idNameOf(name), ids) : (fittingTexts[name]?.(random) ?? pick(random, words));
}
