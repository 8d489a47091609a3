import {assert, test} from '../helpers/node.ts';
import {Value} from 'typebox/value';
import {parse} from 'yaml';
import {topicTexts} from '../../source/commands/help/topics.ts';
import {stateSchema} from '../../source/state/schema.ts';
import {problemsOf} from './reading.ts';

/** The example of the help. */
const [example = []] = topicTexts['state']!.flatMap(part =>
	typeof part === 'object' && 'lines' in part && part.lines[0] === 'version: 1' ? [part.lines] : [],
);

const good: readonly string[] = [
	example.join('\n'),
	'version: 1',
	'{"version": 1, "installed": {"pantry": true, "desk": {"enabled": false, "triggers": ["open the desk"]}}}',
	'version: 1\ninstalled: {}\nabilities: {}\nagents: {}\n',
	'version: 1\ninstalled: {pantry: on, desk: off, cellar: true, attic: false, hall: {}, 1: on, __proto__: on}\n',
	"version: 1\ninstalled: {desk: {triggers: [Grüße an alle, it's - so]}}\n",
	'version: 1\nabilities: {a: {source: lamplighter, category: background_daemon, description: "", triggers: [it’s so], create: true}}\n',
	'version: 1\nagents: {A: {}, B: {name: C, prompt: "", abilities: []}, D: {prompt_file: hearth.md}}\n',
];

const bad: readonly string[] = [
	'installed: {}',
	'version: 2',
	'version: "1"',
	'version: 1\npantry: on\n',
	'version: 1\n__proto__: {}\n',
	'version: 1\ninstalled: [pantry]\n',
	'version: 1\ninstalled:\n',
	'version: 1\ninstalled: {pantry: yes}\n',
	'version: 1\ninstalled: {pantry: On}\n',
	'version: 1\ninstalled: {pantry: 1}\n',
	'version: 1\ninstalled: {pantry: }\n',
	'version: 1\ninstalled: {"": on}\n',
	'version: 1\ninstalled: {pantry: {enabled: maybe}}\n',
	'version: 1\ninstalled: {pantry: {trigger: []}}\n',
	'version: 1\ninstalled: {pantry: {triggers: what is there}}\n',
	'version: 1\ninstalled: {pantry: {triggers: [12345]}}\n',
	'version: 1\ninstalled: {pantry: {triggers: [abc]}}\n',
	'version: 1\ninstalled: {pantry: {triggers: ["lamps, please"]}}\n',
	`version: 1\ninstalled: {pantry: {triggers: [${'x'.repeat(201)}]}}\n`,
	'version: 1\nabilities: {a: {}}\n',
	'version: 1\nabilities: {a: ./lamplighter}\n',
	'version: 1\nabilities: {a: {source: ""}}\n',
	'version: 1\nabilities: {a: {source: [lamplighter]}}\n',
	'version: 1\nabilities: {a: {source: lamplighter, category: toy}}\n',
	'version: 1\nabilities: {a: {source: lamplighter, create: yes}}\n',
	'version: 1\nabilities: {a: {source: lamplighter, enabled: on}}\n',
	'version: 1\nagents: {A: Hearth}\n',
	'version: 1\nagents: {A: {name: " "}}\n',
	'version: 1\nagents: {A: {prompt: [a]}}\n',
	'version: 1\nagents: {A: {prompt: a, prompt_file: hearth.md}}\n',
	'version: 1\nagents: {A: {prompt_file: ""}}\n',
	'version: 1\nagents: {A: {abilities: pantry}}\n',
	'version: 1\nagents: {A: {abilities: [1]}}\n',
	'version: 1\nagents: {A: {abilities: [""]}}\n',
];

/** As an editor sees the file. */
const isValid = (text: string): boolean => Value.Check(stateSchema, parse(text));

test('the schema and the reader take the same files', async () => {
	for (const text of good) {
		assert.deepEqual([isValid(text), await problemsOf(text)], [true, []], text);
	}
});

test('the schema and the reader refuse the same files', async () => {
	for (const text of bad) {
		assert.equal(isValid(text), false, text);
		assert.notDeepEqual(await problemsOf(text), [], text);
	}
});

test('the schema is of a draft that editors know, and describes every field', () => {
	const schema = stateSchema as Readonly<Record<string, unknown>>;
	assert.equal(schema['$schema'], 'http://json-schema.org/draft-07/schema#');
	const undescribed = (value: unknown, path: string): readonly string[] =>
		typeof value === 'object' && value !== null
			? Object.entries(value).flatMap(([key, inner]) => [
					...(path.endsWith('/properties') && !('description' in (inner as object)) ? [`${path}/${key}`] : []),
					...undescribed(inner, `${path}/${key}`),
				])
			: [];
	assert.deepEqual(undescribed(schema, ''), []);
});
