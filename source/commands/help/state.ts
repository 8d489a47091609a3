import type {HelpTopic} from './topic.ts';

/** The example of the topic, which a test reads as a state file. */
export const stateExample = [
	'version: 1',
	'installed:',
	'  pantry: on',
	'  nightwatch:',
	'    enabled: off',
	'    triggers: [keep watch]',
	'abilities:',
	'  lamplighter: {source: ./lamplighter, category: skill, triggers: [light up]}',
	'agents:',
	'  Hearth:',
	'    prompt_file: ./hearth.md',
	'    abilities: [pantry, lamplighter]',
	'  Porch:',
	'    name: Terrace',
	'    prompt: |',
	'      You greet guests.',
	'      Be brief.',
];

export const state: HelpTopic = [
	'A state file says in YAML or JSON how the agents and abilities of an account should be. Keep it in git: export writes it, plan shows what apply would change, apply changes it.',
	{lines: ['switchboard export home.yaml', 'switchboard plan home.yaml', 'switchboard apply home.yaml']},
	'An example:',
	{lines: stateExample},
	{
		items: [
			['version', 'always 1; a file without it is refused, and so is an empty one'],
			['installed', 'installed abilities by name: on, off, or a mapping with “enabled” and “triggers” (all trigger phrases). An ability that is not installed yet is installed'],
			['abilities', 'abilities by name, each with the folder or zip in “source”: uploaded where they do not exist, released anew where they differ. “category”, “description” and “triggers” count only at creation'],
			['agents', 'agents by their present name: “prompt” or “prompt_file”, “abilities” (exactly these, by name), “name” (its new name)'],
		],
	},
	'What the file does not name is left alone: an ability, an agent, a field. With --prune, apply switches off each installed ability that the file does not name; that needs an “installed” that is not empty.',
	'Names are taken in any case. One that fits nothing, or several records, is an error before anything is changed, as is an unknown field. Every error has its line and column. Names are looked up on the service only once the file itself has no errors, so those come first.',
	'Paths are relative to the folder of the file. A path that leaves it (“..”, an absolute one, a link) is refused unless --allow-outside is given. From standard input (“-”), paths are relative to the current folder.',
	'A file has at most 1 MiB. Only on, off, true and false are states: “yes” is refused. Anchors, aliases, tags and merge keys are refused.',
	'Each prompt that apply replaces is kept (switchboard agents restore AGENT). One that would become empty is refused without --yes.',
	'Export writes prompts into the file and has no “abilities”: it knows no folders. It leaves out each field that the service does not show, so apply leaves that alone.',
	'Presets are smaller: only which installed abilities are on and off, stored on this machine (switchboard presets --help).',
	'The JSON Schema, and a first line that lets editors with the YAML language server check and complete the file:',
	{lines: ['switchboard help state --schema > state.schema.json', '# yaml-language-server: $schema=./state.schema.json']},
];
