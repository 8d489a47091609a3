import {exitCodes as codesByKind, type ErrorKind} from '../../interface/errors.ts';
import {filterSyntax} from '../../interface/filter.ts';
import {createKeymap, keyRows} from '../../words/keymap.ts';
import type {KeyScope} from '../../words/key-table.ts';
import {signRows} from '../../words/signs.ts';
import {operating, serving} from './serving.ts';
import type {HelpItem, HelpTopic} from './topic.ts';

const environment: HelpTopic = [
	{
		heading: 'Service and key:',
		items: [
			['SWITCHBOARD_PROFILE', 'the profile to use; the other variables for the service and the key are then ignored'],
			['SWITCHBOARD_BASE_URL', 'the address of the service'],
			['SWITCHBOARD_API_KEY', 'the API key for it'],
			['OPENHOME_API_BASE', 'the address of the service where nothing else gives one'],
			['OPENHOME_API_KEY', 'the API key for OPENHOME_API_BASE, or else for https://app.openhome.com; sent nowhere else'],
			[
				'OPENHOME_JWT',
				'a session token of the dashboard, which lives for minutes; sent there too, without the key, for what refuses the key',
			],
		],
	},
	'The address comes from the first of: --base-url, --profile, SWITCHBOARD_PROFILE, SWITCHBOARD_BASE_URL, the current profile, OPENHOME_API_BASE, and in the terminal UI the profile “local”.',
	'The key comes from the profile that --profile or SWITCHBOARD_PROFILE names, else from the first of: SWITCHBOARD_API_KEY, the stored key for the address, OPENHOME_API_KEY.',
	'OPENHOME_JWT is not used with --profile or SWITCHBOARD_PROFILE, over SSH, by mcp, or over plain http to another machine. Its first use is said; before its first change the agents are read with both, and where they differ nothing is sent.',
	{
		heading: 'In the program that watch --exec runs:',
		items: [
			['SWITCHBOARD_CHANGE_AT', 'when the change was seen, in ISO 8601; with a history, when it was made'],
			['SWITCHBOARD_CHANGE_KIND', '“agent”, “ability” or “installed”'],
			['SWITCHBOARD_CHANGE_NAME', 'the name of what changed'],
			['SWITCHBOARD_CHANGE_FIELD', 'the field, as in switchboard help json'],
			['SWITCHBOARD_CHANGE_FROM', 'its value before, empty if it is not known'],
			['SWITCHBOARD_CHANGE_TO', 'its value now'],
			['SWITCHBOARD_CHANGE_BY', 'who made the change, where the service keeps a history; else empty'],
		],
	},
	{
		heading: 'The bundled service:',
		items: [
			[
				'SWITCHBOARD_DATABASE_URL',
				'the URL of the PostgreSQL database to use in place of the data folder, as in postgres://user@host/home; it may hold a password',
			],
			['SWITCHBOARD_MODEL_KEY', 'a key for a model; Switchboard does not use it, and passes it to no other program'],
			['PGPASSFILE', 'the file with the passwords of databases, as in PostgreSQL; by default ~/.pgpass'],
			['PGSSLMODE, PGSSLROOTCERT', 'TLS to the database, where its URL says nothing of it: switchboard help operating'],
		],
	},
	'The database comes from the first of: --data, --database-url, SWITCHBOARD_DATABASE_URL, the data folder. The profile “local” and the terminal UI always use the data folder.',
	'The editor and the programs that Switchboard runs get neither SWITCHBOARD_DATABASE_URL, SWITCHBOARD_MODEL_KEY nor the API keys and OPENHOME_JWT.',
	{
		heading: 'Network:',
		items: [
			['HTTP_PROXY, HTTPS_PROXY', 'the proxy for requests'],
			['NO_PROXY', 'hosts to reach without the proxy'],
			['NODE_EXTRA_CA_CERTS', 'a PEM file with more certificates to trust'],
		],
	},
	{
		heading: 'Terminal:',
		items: [
			['NO_COLOR', 'no colour, unless empty'],
			['FORCE_COLOR', 'colour also in a pipe, and in spite of NO_COLOR, but not of --no-color; 0 means none'],
			['CLICOLOR_FORCE', 'colour also in a pipe, unless 0 or NO_COLOR is set; records, JSON and YAML stay plain'],
			['TERM', 'with “dumb” lines without escape sequences; with “linux” and no locale ASCII characters only'],
			['ACCESSIBLE', 'output for screen readers, unless empty or 0'],
			['SWITCHBOARD_CLIPBOARD', 'how to copy: “native” by the tools of the desktop, “osc52” through the terminal'],
			['SWITCHBOARD_WRITER', 'with “plain” the screen is drawn whole at every change, for a terminal that shows it wrong otherwise'],
			[
				'VISUAL, EDITOR',
				'the editor for prompts, on the screens and for agents edit; if neither is set, the screens have one of their own',
			],
		],
	},
	{
		heading: 'Prompts that are replaced, and changes:',
		items: [
			[
				'SWITCHBOARD_JOURNAL',
				'with “off” they are not kept; otherwise the last 20 prompts of each agent are, and the last 10,000 changes (8 MB; 30 days where the service keeps a history), in a file for each profile (at most 50 MB) that only you can read, until you sign out of it, and the files of deleted abilities for 30 days (64 MB) beside it; undo and u after a restart read them',
			],
		],
	},
	'Prompts are kept before the change is sent. Where one cannot be kept, nothing is changed without --yes. To bring one back: switchboard agents restore AGENT. Changes are noted once they are made, and those that a screen or watch sees, by “elsewhere”: switchboard history. Over SSH the server keeps both, for all who use a profile.',
	{
		heading: 'Folders, on Linux:',
		items: [
			['XDG_CONFIG_HOME', 'the parent of the settings folder'],
			['XDG_DATA_HOME', 'the parent of the data folder of the bundled service'],
			['XDG_CACHE_HOME', 'the parent of the cache folder'],
			['XDG_STATE_HOME', 'the parent of the folder of the prompts and changes that are kept, and of the request logs that --debug writes'],
		],
	},
];

const meanings: Readonly<Record<(typeof codesByKind)[ErrorKind], string>> = {
	1: 'an unexpected error',
	2: 'wrong usage, a question answered with no, or input that the service or switchboard refused',
	3: 'no API key, or one that the service does not accept',
	4: 'not found',
	5: 'the service is unreachable, failed, answered too late or did nothing, or a disk is full',
	6: 'some of several items failed',
	129: 'SIGHUP: the terminal hung up',
	130: 'SIGINT: interrupted',
	143: 'SIGTERM: terminated',
};

const kindsOf = (code: string): string =>
	Object.entries(codesByKind)
		.filter(([, ownCode]) => String(ownCode) === code)
		.map(([kind]) => kind)
		.join(', ');

const items: readonly HelpItem[] = [
	['0', 'success'],
	['10', 'success, and there is a difference (abilities diff; plan and presets diff with --exit-code)'],
	...Object.entries(meanings).map(([code, meaning]): HelpItem => [code, `${meaning} (${kindsOf(code)})`]),
];

const exitCodes: HelpTopic = [
	{items: items.toSorted(([first], [second]) => Number(first) - Number(second))},
	'The kinds of errors are in parentheses. With --json, a command that fails prints the kind and a message as the last line of standard error:',
	{lines: ['{"error": {"kind": "not-found", "message": "…"}}']},
	{
		heading: 'How long a command waits at most:',
		items: [
			['an answer', '15 s; a request is tried at most three times'],
			['a list', '2 minutes, 500 pages, 100,000 records and 64 MiB'],
			['an upload', 'as long as it needs, but no minute without progress'],
			[
				'--timeout DURATION',
				'limits all requests of a command together, and how long an upload makes no progress; in the terminal UI, in watch and in chat each answer',
			],
		],
	},
	'The last quarter of --timeout, at most 5 s, is kept for looking up changes that got no answer.',
	'The exit code of a pipe is that of its last command. After set -o pipefail (bash, zsh) it is not 0 if any of its commands failed. A command that takes names from standard input (“-”) succeeds if none come, or with --require-names fails, exit 2:',
	{lines: ['set -o pipefail', 'grep -v porch names.txt | switchboard disable - --require-names']},
	'Output to a pipe that its reader has closed (| head -1) is no failure. A full disk is one, and so is a standard output that is closed from the beginning (>&-).',
];

const json: HelpTopic = [
	'With --json a command prints one JSON value on standard output and nothing else:',
	{
		items: [
			['agents', 'array of records, each with “personality_id”'],
			['agents get, agents edit, agents restore', 'the record'],
			[
				'agents restore --list',
				'[{"version", "at", "via", "personality_id", "name", "bytes", "prompt"}]; “via” is what replaced the prompt, “name” what the agent was called then',
			],
			['abilities', 'array of records, each with “capability_id”'],
			['abilities get', 'the record'],
			['abilities edit', 'the record as it is listed afterwards, without the keys that are linked to it'],
			['abilities new', '{"folder", "name", "category", "files"}'],
			[
				'abilities check',
				'[{"folder", "ok", "findings": [{"severity", "rule", "file", "line", "message"}]}]; “severity” is “error” or “warning”, “file” and “line” may be null',
			],
			['abilities versions', '[{"version", "in_use", "draft"}]; null where the service does not show it'],
			['abilities restore', '{"capability_id", "name", "action", "version"}; “action” is “updated” or “unchanged”'],
			['abilities upload', '{"capability_id", "name", "detail"}; with --dry-run also “findings”, as of abilities check'],
			['abilities push', '[{"capability_id", "name", "action", "version"}]; “action” is “created”, “updated”, “drafted” or “unchanged”'],
			['abilities pull', '{"capability_id", "name", "folder", "files"}, with the paths of all files'],
			[
				'abilities diff',
				'{"same", "files": [{"path", "change"}]}; “change” is “added”, “removed” or “changed”, from the service to the folder',
			],
			['abilities delete', '[{"capability_id", "name", "deleted"}]'],
			['installed', 'array of records, each with “installed_cap_id” and “enabled”'],
			['installed edit', '[{"installed_cap_id", "name", "trigger_words", "changed"}]'],
			['enable, disable, toggle', '[{"installed_cap_id", "name", "enabled", "changed"}]'],
			['install', '[{"capability_id", "name", "installed", "changed"}]'],
			['uninstall', '[{"installed_cap_id", "name", "installed", "changed"}]'],
			['export', 'the state itself (switchboard help state)'],
			['plan, presets diff', '{"changes": [{"kind", "name", "field", "from", "to"}], "unchanged"}'],
			['apply, presets apply', 'the same, each change with “done”'],
			['state check', '{"ok", "findings": [{"line", "column", "kind", "message"}]}'],
			['presets', '[{"name", "on", "off"}]'],
			['presets save', '{"name", "on", "off"}'],
			['presets delete', '{"name", "deleted"}'],
			[
				'history',
				'[{"id", "at", "by", "via", "kind", "name", "record", "field", "from", "to", "key"}]; a text of more than 1,000 characters is {"characters", "sha256", "start"}',
			],
			['history show', 'one of these, with whole texts'],
			['history revert', 'the same as apply'],
			['undo', 'the same, and “overtaken”: [{"kind", "name", "field", "by", "at"}], what somebody changed since'],
			[
				'say',
				'{"agent", "phrase", "answer", "seconds", "events": [{"kind", "level" or "role", "text"}], "personality_id"}; no agent and 0: the default one of the account',
			],
			['chat', 'a line of that for each phrase in a pipe; “answer” is null where none came'],
			[
				'logs',
				'a line for each event: {"at", "kind", "level" or "role", "text"}; “kind” is turn, log, action, progress, question or fault, with --calls call',
			],
			['phrases', '[{"phrase", "installed_cap_id", "name", "enabled", "agents", "heard", "collisions", "within"}]; no agents: all'],
			[
				'phrases SENTENCE',
				'[{"agent", "personality_id", "starts": {"installed_cap_id", "name", "phrase"}, "collisions", "shorter", "off"}]',
			],
			[
				'test',
				'[{"capability_id", "name", "phrase", "result", "seconds", "agent", "personality_id", "answer"}]; “result” is “named”, “answered” or “silent”; null in a dry run',
			],
			['wait', '[{"installed_cap_id", "name", "enabled"}]'],
			[
				'watch',
				'a line for each change: {"at", "kind", "name", "field", "from", "to"}; the field may also be the “version” in use. Where the service keeps a history, “by” is at the end',
			],
			[
				'status',
				'{"profile", "profile_source", "base_url", "base_url_source", "key_last4", "key_source", "reachable", "key_accepted", "accepted": {"agents", "abilities", "installed", "verify"}, "session_token", "operations", "key_rights", "key_expires_at"}; “key_accepted” is false only where all refused the key',
			],
			['login, logout', '{"profile", "base_url"}; logout also "prompts": {"kept", "deleted"}'],
			['profiles [use|remove]', '[{"name", "base_url", "current", "key_last4", "in_use"}]'],
			['keys create', '{"key", "id", "name", "account", "rights", "for_ssh", "expires_at"}; “rights” is “all”, “read-only” or “switch”'],
			['keys rotate', 'the same, of the new key'],
			['keys list', '[{"id", "name", "account", "created_at", "rights", "for_ssh", "last_used_at", "expires_at"}]'],
			['keys revoke', '[{"id", "name", "revoked"}]'],
			['accounts', '[{"name", "keys", "bytes"}]'],
			['accounts delete', '[{"name", "keys", "bytes", "deleted"}]'],
			['backup', '{"file", "bytes"}'],
			['restore', '{"file", "set_aside"}; “set_aside” is null where there was nothing to set aside'],
			[
				'check',
				'{"ok", "findings": [{"severity", "kind", "message"}]}; “severity” is “problem” or “note”, and “ok” is false where there is a problem',
			],
			['copy', '{"counts": {"accounts", …}}, the rows of each table'],
			['migrate', '{"from", "to", "changed"}, the versions of the database before and after'],
			['api', 'the body of the answer; as a text where it is not JSON, null where it is empty'],
			['version', '{"version"}'],
		],
	},
	'Records stand as the service returned them; the ids named above are always there, as integers. “enabled” is true, false, or null where the service does not show it.',
	'An array has an entry for each item. A failed one carries {"error": {"kind", "message"}}. “changed”, “deleted” or “done” is null where the answer was lost and the change may still arrive.',
	'A change is looked up in the lists, except on a service like the bundled one, which needs no check. The error no-effect is that of a change that the service said yes to, and that the list does not show. “noticed”, [{"kind", "name", "id"}], is there where a record with nearly the same name “appeared”, or one “disappeared”.',
	'“action” is null for every folder that was not pushed, or where that is not known.',
	'In a change “kind” is agent, ability or installed, “field” is enabled, name, triggers, category, description, prompt, abilities or source, and installed or exists where something came or is gone.',
	'Lists take --format and --columns. With --columns a record has these columns alone; with --format jsonl each record is a line, with --format yaml it is YAML.',
	'With --dry-run it is what would be, in the same shape.',
	'Errors: switchboard help exit-codes',
];

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

const state: HelpTopic = [
	'A state file says in YAML or JSON how the agents and abilities of an account should be. Keep it in git: export writes it, plan shows what apply would change, apply changes it.',
	{lines: ['switchboard export home.yaml', 'switchboard plan home.yaml', 'switchboard apply home.yaml']},
	'An example:',
	{lines: stateExample},
	{
		items: [
			['version', 'always 1; a file without it is refused, and so is an empty one'],
			[
				'installed',
				'installed abilities by name: on, off, or a mapping with “enabled” and “triggers” (all trigger phrases). An ability that is not installed yet is installed',
			],
			[
				'abilities',
				'abilities by name, each with the folder or zip in “source”: uploaded where they do not exist, released anew where they differ. “category”, “description” and “triggers” count only at creation. One whose name is that of another ability but for case, spaces, “-” and “_” is created only with “create: true”',
			],
			['agents', 'agents by their present name: “prompt” or “prompt_file”, “abilities” (exactly these, by name), “name” (its new name)'],
		],
	},
	'What the file does not name is left alone: an ability, an agent, a field. With --prune, apply switches off each installed ability that the file does not name; that needs an “installed” that is not empty.',
	'A name spelled exactly as one record’s is that record; otherwise it counts in any case. One that fits nothing, or several records, is an error before anything is changed, as is an unknown field. Every error has its line and column. Names are looked up on the service once the file itself has no errors.',
	'Paths are relative to the folder of the file. A path that leaves it (“..”, an absolute one, a link) is refused unless --allow-outside is given. From standard input (“-”), paths are relative to the current folder.',
	'A file has at most 1 MiB and names at most 20,000 agents and abilities. Only on, off, true and false are states: “yes” is refused. Anchors, aliases, tags and merge keys are refused.',
	'Each prompt that apply replaces is kept (switchboard agents restore AGENT). One that would become empty is refused without --yes.',
	'Export leaves out what the service does not show, so apply leaves that alone, and records whose names others have exactly: it names their ids, writes the rest and exits with 6. It writes prompts into the file and has no “abilities”, unless it writes a folder: home.yaml, a file for each prompt and, with --sources, a folder for each ability. It may be run again, and with git in between it shows what changed:',
	{lines: ['switchboard export --into home --sources', 'switchboard plan home/home.yaml']},
	'Files of an earlier export are replaced or removed if nobody has changed them since (.switchboard-export.json lists them); others need --force. Without --sources the folders of abilities stay as they are.',
	'plan and apply show below each change how a prompt or a source would differ, unless --no-diff is given. To check the file, its prompt files and its sources without a service:',
	{lines: ['switchboard state check home.yaml']},
	'Presets are smaller: only which installed abilities are on and off, stored on this machine (switchboard presets --help).',
	'The JSON Schema, and a first line that lets editors with the YAML language server check and complete the file:',
	{lines: ['switchboard help state --schema > state.schema.json', '# yaml-language-server: $schema=./state.schema.json']},
];

const ssh: HelpTopic = [
	'ssh-serve lets others use Switchboard over SSH. They need an SSH client and a key pair, and neither Switchboard nor an API key. Sign in under the profile that they use, add their public keys to authorized_keys in the settings folder, and start it; Ctrl+C or SIGTERM stops it:',
	{
		lines: [
			'switchboard login --profile default',
			'cat anna.pub >> ~/.config/switchboard/authorized_keys',
			'switchboard ssh-serve --host 0.0.0.0',
		],
	},
	'They open the terminal UI, or run a command:',
	{lines: ['ssh -p 2222 box.example.net', 'ssh -p 2222 box.example.net disable nightwatch']},
	'With this in their ~/.ssh/config, “ssh box” is enough:',
	{lines: ['Host box', '  HostName box.example.net', '  Port 2222']},
	'Any user name will do: the key says who comes. ssh-serve prints the fingerprint of its own key, which ssh asks about at the first connection.',
	'A line of authorized_keys is a public key as OpenSSH writes it. Options may stand before it, separated by commas:',
	{
		items: [
			['profile="NAME"', 'the stored profile that they use, not “local”; without it the one named “default”. They cannot choose another'],
			['read-only', 'they can change nothing; ssh-serve --read-only means it for everyone'],
			[
				'from="LIST"',
				'the addresses that they may come from: networks such as 10.0.0.0/8, patterns with * and ?, and ! before what is not allowed; names of machines match nothing',
			],
		],
	},
	{lines: ['profile="home",read-only,from="10.0.0.0/8" ssh-ed25519 AAAAC3Nz… anna']},
	"A line with any other option is refused, also with one of OpenSSH's own, such as command= and restrict: what it asks for would not be done. So is a whole file that others may write. The log names the line. The file is read again when it changes; sessions of a key that is removed or restricted end. So do those of a profile that is removed, signed out or changed, and those whose API key the service refuses.",
	{
		heading: 'Commands that work there:',
		items: [
			[
				'to look',
				'agents, agents get, abilities, abilities get, abilities versions, installed, phrases, logs, history, history show, status, watch (without --exec), wait, export, plan, presets, presets diff, help, version',
			],
			[
				'to change',
				'agents edit, agents restore, abilities edit, abilities restore, abilities delete, installed edit, enable, disable, toggle, install, uninstall, history revert, undo, apply, presets apply, presets save, presets delete',
			],
			['to talk', 'say, chat, test'],
		],
	},
	'The history of a bundled service names the person: by the text behind the public key, of which the first 60 characters count, else by the fingerprint. Two people with the same text cannot be told apart. For this, sign in with an API key made for it; other services are not told who it is:',
	{lines: ['switchboard keys create --name hut --for-ssh']},
	'Presets are on the server, for all who use a profile.',
	'Files stay on the machine of whoever runs the command: “-” is its standard input, and no other file or folder can be named, also not in a state. Pipes and exit codes are as they are everywhere; add --yes to what asks:',
	{lines: ['ssh box export > home.yaml', 'ssh box apply - --yes < home.yaml', 'ssh box installed --json | jq length']},
	'A state file may name 500 agents and abilities, or twice as many as the account has and 500 more; what export prints always fits. The files and lists of names that one key sends are worked on one after another: eight wait, and more are refused (rate-limited, exit code 5).',
	'Refused, with exit code 2: every other command, and --profile, --base-url, --insecure-http and --debug. The terminal UI there has no uploads, sign-in or other profiles, and prompts are edited on the screen.',
	"The client is OpenSSH from 6.5 on, or Dropbear's dbclient from 2020.79 on. It needs the key exchange curve25519, the host key ssh-ed25519, AES in GCM or CTR mode, and a MAC with SHA-2; chacha20-poly1305, SHA-1 and CBC are not offered. Keys may be ssh-ed25519, ecdsa-sha2-nistp256, -384 and -521, and ssh-rsa from 2,048 bits on. For dbclient, dropbearconvert turns a key of OpenSSH into one of its form.",
	'Only public keys are accepted, no passwords. There is no forwarding, sftp or agent, and of the environment only TERM, LANG, LC_*, NO_COLOR and COLORTERM count. Failed log-ins are slowed down. There is room for 200 sessions, and one ends after a day without a key.',
	'Each session and command is a line of the log on standard error: who, from where, how long and the exit code, but no contents; so is each log-in that was refused. --log json makes each line an object. “switchboard help operating” has a filter for fail2ban. To keep it running after you log out, let systemd run it; the first lines of this unit say how:',
	{lines: ['switchboard help ssh --unit']},
	'All options: switchboard ssh-serve --help',
];

const filter: HelpTopic = [
	'/ filters the list as you type; Enter keeps the filter, Escape clears it. The list shows what fits all words and terms:',
	{items: filterSyntax.map(({term, description}) => [term, description])},
	'A whole word of the name matches best, then the start of one, a part of one, trigger phrases and other fields.',
	'A word that occurs nowhere matches by its letters: mlt finds morninglights.',
	'Quote a value that contains a space:',
	{lines: ['is:off category:skill agent:"Front Porch"']},
];

const headings: Readonly<Record<KeyScope, string>> = {
	everywhere: 'Everywhere:',
	list: 'On every screen:',
	switches: 'On Abilities and Installed:',
	agents: 'On Agents:',
	abilities: 'On Abilities:',
	installed: 'On Installed:',
	text: 'In the editor of a prompt, if no other editor is set:',
};

const rows = keyRows(createKeymap());

const widest = (texts: readonly string[]): number => Math.max(...texts.map(({length}) => length));

const keysWidth = widest(rows.map(row => row.keys));
const nameWidth = widest(rows.map(row => row.name));
const signWidth = widest(signRows.map(({sign}) => sign));

const itemsOf = (scope: string): readonly HelpItem[] =>
	rows
		.filter(row => row.scope === scope)
		.map(({keys: ownKeys, name, description}) => [`${ownKeys.padEnd(keysWidth)}  ${name.padEnd(nameWidth)}`, description]);

const keys: HelpTopic = [
	'The keys of the terminal UI, with the names of their actions. In the UI, ? shows the daily keys of the current screen, and pressed again all keys.',
	...Object.entries(headings).map(([scope, heading]) => ({heading, items: itemsOf(scope)})),
	'A row starts with its state, on or off. The signs of the rows and of the lines above them:',
	{lines: signRows.map(({sign, description}) => `${sign.padEnd(signWidth)}  ${description}`)},
	'To bind your own keys, add them to config.json in the settings folder, by the names of the actions: a key, a list of keys, or null for none.',
	{lines: ['{"keys": {"toggle": ["space", "ctrl+t"], "refresh": "f5", "delete": null}}']},
	'Binding a key takes it from the action that has it by default. Conflicting or unknown bindings are ignored and reported at start-up, with their line. Ctrl+C always quits.',
	'With --mouse, or {"mouse": true} in that file, a click on a row or a tab goes there, one on a state switches it, and the wheel scrolls. Most terminals then select text with Shift held.',
	'API keys of the bundled service: switchboard keys --help',
];

export const topicTexts = {keys, filter, environment, 'exit-codes': exitCodes, json, state, serving, operating, ssh} satisfies Readonly<
	Record<string, HelpTopic>
>;
