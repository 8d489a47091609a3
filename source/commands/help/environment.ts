import type {HelpTopic} from './topic.ts';

export const environment: HelpTopic = [
	{
		heading: 'Service and key:',
		items: [
			['SWITCHBOARD_PROFILE', 'the profile to use; the other variables for the service and the key are then ignored'],
			['SWITCHBOARD_BASE_URL', 'the address of the service'],
			['SWITCHBOARD_API_KEY', 'the API key for it'],
			['OPENHOME_API_BASE', 'the address of the service where nothing else gives one'],
			['OPENHOME_API_KEY', 'the API key for OPENHOME_API_BASE, or else for https://app.openhome.com; sent nowhere else'],
		],
	},
	'The address comes from the first of: --base-url, --profile, SWITCHBOARD_PROFILE, SWITCHBOARD_BASE_URL, the current profile, OPENHOME_API_BASE, and in the terminal UI the profile “local”.',
	'The key comes from the profile that --profile or SWITCHBOARD_PROFILE names, else from the first of: SWITCHBOARD_API_KEY, the stored key for the address, OPENHOME_API_KEY.',
	{
		heading: 'In the program that watch --exec runs:',
		items: [
			['SWITCHBOARD_CHANGE_AT', 'when the change was seen, in ISO 8601'],
			['SWITCHBOARD_CHANGE_KIND', '“agent”, “ability” or “installed”'],
			['SWITCHBOARD_CHANGE_NAME', 'the name of what changed'],
			['SWITCHBOARD_CHANGE_FIELD', 'the field, as in switchboard help json'],
			['SWITCHBOARD_CHANGE_FROM', 'its value before, empty if it is not known'],
			['SWITCHBOARD_CHANGE_TO', 'its value now'],
		],
	},
	{
		heading: 'The bundled service (serve, keys, backup, restore, check):',
		items: [
			['SWITCHBOARD_DATABASE_URL', 'the URL of the PostgreSQL database to use in place of the data folder, as in postgres://user@host/home; it may hold a password'],
			['PGPASSFILE', 'the file with the passwords of databases, as in PostgreSQL; by default ~/.pgpass'],
			['PGSSLMODE, PGSSLROOTCERT', 'how the database is spoken to, where its URL does not say so: switchboard help serving'],
		],
	},
	'The database comes from the first of: --data, --database-url, SWITCHBOARD_DATABASE_URL, the data folder. The profile “local” and the terminal UI always use the data folder.',
	'The editor and the programs that Switchboard runs get neither that variable nor the API keys.',
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
			['TERM', 'with “dumb” no colour; with “linux” and no locale ASCII characters only'],
			['ACCESSIBLE', 'output for screen readers, unless empty or 0'],
			['SWITCHBOARD_CLIPBOARD', 'how to copy: “native” by the tools of the desktop, “osc52” through the terminal'],
			['SWITCHBOARD_WRITER', 'with “plain” the screen is drawn whole at every change, for a terminal that shows it wrong otherwise'],
			['VISUAL, EDITOR', 'the editor for prompts; if neither is set, they are edited on the screen'],
		],
	},
	{
		heading: 'Prompts that are replaced:',
		items: [
			['SWITCHBOARD_JOURNAL', 'with “off” they are not kept; otherwise the last 20 of each agent are, in a file for each profile (at most 50 MB) that only you can read, until you sign out of it'],
		],
	},
	'They are kept before the change is sent. Where one cannot be kept, nothing is changed without --yes. To bring one back: switchboard agents restore AGENT. Over SSH the server keeps them, for all who use a profile.',
	{
		heading: 'Folders, on Linux:',
		items: [
			['XDG_CONFIG_HOME', 'the parent of the settings folder'],
			['XDG_DATA_HOME', 'the parent of the data folder of the bundled service'],
			['XDG_CACHE_HOME', 'the parent of the cache folder'],
			['XDG_STATE_HOME', 'the parent of the folder of the prompts that are kept, and of the request logs that --debug writes'],
		],
	},
];
