import type {HelpTopic} from './topic.ts';

export const serving: HelpTopic = [
	'The bundled service is an HTTP service over a SQLite file, for a team or a test machine. Create a key, then start it; Ctrl+C or SIGTERM stops it:',
	{lines: ['switchboard keys create', 'switchboard serve --sample']},
	'Use it from another terminal with the key that was printed:',
	{lines: ['switchboard login --base-url http://127.0.0.1:8787', 'switchboard installed']},
	'Other machines reach it with --host. Give it a certificate, so that keys are not sent in plain text:',
	{lines: ['switchboard serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem']},
	'An account has its own agents and abilities. It is created with its first key, and empty but for one agent; --sample fills the account “default”:',
	{lines: ['switchboard keys create --account guests --name laptop', 'switchboard keys list', 'switchboard keys revoke laptop']},
	'--data chooses the data folder; give the same one to serve and to keys. --rate-limit sets the requests per minute and key (default: 600). --read-only refuses every change.',
	'A change that was answered is on disk: it survives a kill of the service at any moment, and two services may share a data folder. A change that was cut off is there as a whole or not at all.',
	'An upload is checked by the same rules as in the client. Version control history, virtual environments and files that may contain a key are refused; compiled files and the like are left out.',
	'Every error is JSON with a “detail”. Text with U+0000, half of a surrogate pair or bytes that are not UTF-8 is refused, not changed.',
	'The OpenAPI document is at /openapi.json. All options: switchboard serve --help, switchboard keys --help',
];
