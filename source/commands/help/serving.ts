import type {HelpTopic} from './topic.ts';

export const serving: HelpTopic = [
	'The bundled service is an HTTP service for a team or a test machine, with its data in a SQLite file or in PostgreSQL. Create a key, then start it; Ctrl+C or SIGTERM stops it when the answers under way are sent:',
	{lines: ['switchboard keys create', 'switchboard serve --sample']},
	'Use it from another terminal with the key that was printed:',
	{lines: ['switchboard login --base-url http://127.0.0.1:8787', 'switchboard installed']},
	'The OpenAPI document is at /openapi.json. Every error is JSON with a “detail”. All options: switchboard serve --help, switchboard keys --help',

	{title: 'Accounts and data'},
	'An account has its own agents and abilities. It is created with its first key, and empty but for one agent; --sample fills the account “default”:',
	{lines: ['switchboard keys create --account guests --name laptop', 'switchboard keys list', 'switchboard keys revoke laptop']},
	'A key may do less: only read, or only list and switch. It may end by itself, and rotate makes another one with its name, rights and end in its place; --grace lets the one before work a while longer. keys list shows when each was used last:',
	{lines: ['switchboard keys create --name wall --only switch --expires 90d', 'switchboard keys rotate wall --grace 1h']},
	'A revoked key stops at once, also what it has under way: a change is refused when it would be stored, and streams and downloads are cut within a second.',
	'--data chooses the data folder; give the same one to serve and to keys. It must be yours alone and hold nothing else when it is new. Links in it are not followed. --read-only refuses every change. A change that was answered is on disk: it survives a kill of the service at any moment, and two services may share a data folder. A change that was cut off is there as a whole or not at all.',

	{title: 'TLS'},
	'Other machines reach the service with --host. Give it a certificate, so that keys are not sent in plain text:',
	{lines: ['switchboard serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem']},

	{title: 'As a service of systemd'},
	'These print units for this installation; the first lines of each say how to use it. systemd may open the socket: then serve takes it over and prints where it listens:',
	{lines: ['switchboard help serving --unit', 'switchboard help serving --socket-unit']},
	'Start the service without npm or a shell in between: they pass on neither sockets nor signals.',

	{title: 'PostgreSQL'},
	'With PostgreSQL, any number of processes can serve the same accounts; put a proxy in front, which may send a request to any of them. The tables are created at the first start. Put a password in the variable or in the file that PGPASSFILE names, not on the command line:',
	{lines: ['SWITCHBOARD_DATABASE_URL=postgres://user:password@host/home switchboard serve']},

	{title: 'Conversations'},
	'Clients such as openhome-cli, and switchboard say, chat and logs, talk to an agent. The service says what ability a phrase would start, and runs none.',

	'Limits, proxies, TLS to PostgreSQL, backups, logs: switchboard help operating',
];
