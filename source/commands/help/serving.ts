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
	'While the disk is full, changes are answered with 507 (no-room) and reading goes on; once there is room, changes work again.',
	'A database that is damaged, deleted or replaced is noticed. Standard error and service.log in the data folder say what is wrong.',
	'An account may hold 500 MB: its texts, images and the files of all versions, and 500 bytes for each of them. --quota sets another limit in bytes, or “off”.',
	'Beyond it, what adds to it is answered with 507 (quota). Deleting gives the room back to the disk.',
	'The data folder must be yours alone and hold nothing else when it is new. Links in it are not followed.',
	'The OpenAPI document is at /openapi.json. All options: switchboard serve --help, switchboard keys --help',
];
