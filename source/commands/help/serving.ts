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

/** For whoever keeps a bundled service running: `serving` has the first steps. */
export const operating: HelpTopic = [
	{title: 'Data'},
	'An account may hold 500 MB (524,288,000 bytes): its texts, images and the files of all versions, and 500 bytes for each of them. --quota sets another limit in bytes, or “off”. Beyond it, what adds to it is answered with 507 (quota). Deleting gives the room back to the disk.',
	'The service keeps who changed what, when, with which key and from where, and what it was before: for 400 days, and the last 100,000 entries of an account. --history sets another number of days, or “off”: then nothing is written and nothing of it is served. Beyond the limit of the account its oldest entries go; no change is refused for them. Where much would go at once, as after the clock was set wrong or a limit made smaller, it waits for 24 hours, and service.log says so. It is in backups and copies, and goes with its account. switchboard history reads it.',
	'While the disk is full, changes are answered with 507 (no-room) and reading goes on; once there is room, changes work again. A database that is damaged, deleted or replaced is noticed: nothing more is changed in it, and standard error and service.log in the data folder say what is wrong. End such a process as usual: it leaves the files as they are, but for a deleted log, which it moves into the database first, and exits with 1. On Linux, commands refuse a database that another process has open with other files, and name that process. Elsewhere, or of a process in another container, they cannot know: stop the service before you touch its files.',
	'“switchboard accounts” lists them with what they hold. “switchboard accounts delete guests” revokes the keys of that account at once and removes its data from the file, which is written anew: in a large one, changes are refused (503) meanwhile. In PostgreSQL its rows are deleted; PostgreSQL uses their room again after VACUUM. Backups that were made before keep it.',

	{title: 'PostgreSQL'},
	'The database needs the encoding UTF8; in any other, no tables are made. One that has them in another encoding can only be checked and copied (copy --from); in SQL_ASCII a service goes on, with a warning.',
	'keys, accounts, check and migrate use the variable or --database-url, too. While the database cannot be reached, requests are answered with 503 and the code nothing-changed; where nobody knows whether a change was stored, the answer says so instead.',
	'On another machine, the database is spoken to with TLS, and its certificate and name are checked with the authorities of the system. sslrootcert=FILE in the URL names others (postgres://user@host/home?sslrootcert=/etc/root.crt); sslcert and sslkey name a certificate for the user. sslmode in the URL, or else PGSSLMODE, chooses:',
	{
		items: [
			['verify-full', 'check the certificate and its name; the default beyond loopback and Unix sockets'],
			['verify-ca', 'check the certificate alone; needs sslrootcert=FILE'],
			['require', 'encrypt, but check nothing, unless sslrootcert=FILE is given; each start of the service warns of it'],
			['disable', 'plain text. To another machine it must be in the URL, and each start of the service warns of it'],
		],
	},
	'allow and prefer are refused: they fall back to plain text. So is any other value. channel_binding=require works with TLS and a password of the kind scram-sha-256, where no pooler is in between. Where synchronous_commit is off for the user or the database, it is on for Switchboard: what was answered survives a crash of the server.',
	'A pooler such as PgBouncer is not needed: a process has at most 10 connections. How its pool modes fit:',
	{
		items: [
			['session', 'works; the pool needs 10 connections for each process'],
			['transaction', 'refused at the start: settings belong to a session'],
			['statement', 'refused at the start: there are no transactions'],
		],
	},
	'copy copies all accounts from SQLite to PostgreSQL or back, and compares the two at the end. A service may run on the source, but what it changes after the copy has begun is not in the copy; stop it first if you move:',
	{lines: ['switchboard copy --from ~/.local/share/switchboard --to postgres://host/home']},

	{title: 'Certificates and proxies'},
	'SIGHUP makes the service read the files of --tls-cert and --tls-key again, for new connections. If they are not valid, the old certificate stays in use. Clients need TLS 1.3, or 1.2 with an AEAD cipher. Without a certificate SIGHUP does nothing, but in a terminal it ends the service.',
	'A proxy on the same machine needs no port. The folder of the socket must exist; only its owner can use it:',
	{
		lines: [
			'switchboard serve --socket /run/switchboard/socket --trust-proxy unix',
			'curl --unix-socket /run/switchboard/socket http://localhost/openapi.json',
		],
	},
	'All requests seem to come from the proxy. --trust-proxy names it, so that the senders in its X-Forwarded-For count instead, or in its Forwarded where that is missing, with a port or without: “unix” on a Unix socket, else addresses or networks. A proxy of another user, such as nginx, needs a socket that systemd opens for its group (switchboard help serving --socket-unit):',
	{
		lines: [
			'server {',
			'  listen 443 ssl;',
			'  server_name voice.example.com;',
			'  ssl_certificate /etc/ssl/voice.example.com.pem;',
			'  ssl_certificate_key /etc/ssl/private/voice.example.com.key;',
			'  ssl_protocols TLSv1.2 TLSv1.3;',
			'  client_max_body_size 40m;',
			'  proxy_http_version 1.1;',
			'  proxy_set_header Host $host;',
			'  proxy_set_header X-Forwarded-For $remote_addr;',
			'',
			'  location / {',
			'    proxy_pass http://unix:/run/switchboard.sock:;',
			'  }',
			'',
			'  location = /events {',
			'    proxy_pass http://unix:/run/switchboard.sock:;',
			'    proxy_buffering off;',
			'    proxy_read_timeout 5m;',
			'  }',
			'',
			'  location /websocket/ {',
			'    access_log off;',
			'    error_log /dev/null crit;',
			'    proxy_pass http://unix:/run/switchboard.sock:;',
			'    proxy_set_header Host $host;',
			'    proxy_set_header X-Forwarded-For $remote_addr;',
			'    proxy_set_header Upgrade $http_upgrade;',
			'    proxy_set_header Connection upgrade;',
			'    proxy_read_timeout 5m;',
			'  }',
			'}',
		],
	},
	'Paths below /websocket/ have the API key in them. So nginx writes nothing of conversations: neither who holds one nor why one fails, for example that the service cannot be reached. The log of the service has both, without keys. A server of yours on port 80 needs the same two lines.',
	'Switchboard itself speaks to addresses only, not to sockets.',

	{title: 'Backup'},
	'backup copies the database while the service runs. restore checks such a file and puts it in the place of the database, which is set aside; no process may have that open. Back up PostgreSQL with pg_dump. Rehearse it with a folder of its own:',
	{lines: ['switchboard backup home.db', 'switchboard restore home.db --data rehearsal', 'switchboard check --data rehearsal']},
	'Where systemd runs the service, only its user may open the data:',
	{
		lines: [
			'sudo -u switchboard switchboard backup /tmp/b.db --data /var/lib/switchboard',
			'sudo systemctl stop switchboard',
			'sudo -u switchboard switchboard restore /tmp/b.db --data /var/lib/switchboard',
			'sudo systemctl start switchboard',
		],
	},
	'Do not copy switchboard.db alone: the last changes are in switchboard.db-wal, of a new database all of them. Copies of both made while the service writes may not fit together.',

	{title: 'Upgrade'},
	{
		lines: [
			'1. back up: switchboard backup home.db (PostgreSQL: pg_dump); check it',
			'2. install the new version; look: switchboard migrate --dry-run',
			'3. stop serve and every UI on the data folder (PostgreSQL: let them run)',
			'4. start the new serve; on PostgreSQL restart the others, one by one',
			'5. run: switchboard check',
		],
	},
	'The new serve brings a database of an earlier version up to date and says so in one line; switchboard migrate does the same without serving, and the terminal UI where nobody else uses the folder. All other commands leave such a database alone. The SQLite file as it was before is kept as switchboard.db.before-1.1.0. To go back, stop serve, move the database with its -wal and -shm files away, rename the copy to switchboard.db (or restore the dump), and start the earlier version: changes since then are lost.',
	'On PostgreSQL, processes of two versions run side by side as long as both use the same version of the database. Once a newer one has changed it, the earlier ones go on reading where they still can, and answer changes and /readyz with 503. They end streams, so that a proxy sends clients elsewhere. A migration waits for the changes under way. Processes from before 1.0.0 do not look: stop them first.',

	{title: 'Logs and metrics'},
	'--log text or --log json writes a line for each request to standard error: time, method, path without its values, status, duration, account, the id of the key, the address of the client, the id of the request and that of the record in the path. The answer has the id of the request as X-Request-Id; a proxy that is trusted may choose it. The status is 499 if the client left before the answer. Keys that are created or revoked are logged, too. Lines that nobody reads are dropped, and counted. Errors are in service.log in the data folder, too.',
	'With --log text (and --trust-proxy behind a proxy), fail2ban can ban addresses that try keys, also those of ssh-serve, by this filter:',
	{
		lines: [
			'[Definition]',
			String.raw`_begin = ^(?:\S+ \S+: \S+Z)?\s*`,
			String.raw`failregex = %(_begin)s[A-Z]+ \S+ 401 \S+ account=- key=- address=<ADDR>\s`,
			String.raw`            %(_begin)srefused "(?:[^"\\]|\\.)*" from <ADDR>: (?!there are)`,
		],
	},
	'--metrics serves metrics for Prometheus under /metrics on an address of its own, without a key: requests, their durations, failed keys, open connections, the time of database queries. They name no account and no key:',
	{lines: ['switchboard serve --log json --metrics 127.0.0.1:9090']},
	'/healthz answers 200 while the service runs; use it to decide on a restart. /readyz answers 503 while the database cannot be used or takes no changes: it is away, read-only, locked, of a newer version, or lacks tables or rights; use it to take the process out of a proxy. Neither needs a key.',
	'The service that the terminal UI starts logs the same JSON lines to requests.log in the data folder. Above 1 MiB it is renamed to requests.log.1.',

	{title: 'Changes as they happen'},
	'GET /events, with a key, is a stream of server-sent events. Each names a list of the account and its new version: first the current ones, then each change by any process on the same database. The stream ends when its key is revoked or the service stops. A key may have 10 streams at once, a process 3,072; one more is answered with 429.',
	'The terminal UI, watch and wait each follow this stream where a service has it. They poll where it does not, and while the stream is cut. While it is open, they read a list when an event names it, and every five minutes in case something on the way holds events back. Where the service keeps a history, watch and wait read from it what was changed, and by whom, and miss nothing. Otherwise changes that cancel each other out between two reads may be missed.',

	{title: 'Conversations'},
	'Nothing of a conversation is stored. Whoever is connected to the same agent hears it: with PostgreSQL through any process, with SQLite through the same one. The key stands in the path /websocket/voice-stream/KEY/AGENT and in the query of /websocket/logs. The log of the service has neither; that of a proxy in front may, unless it is told not to. A proxy must pass on the headers Upgrade and Connection (see Certificates and proxies, above).',
	'Each phrase counts as a request of its key. A key may have 20 conversations at once, an address 128, a process 2,000; one more is answered with 429. A client that answers no ping for 60 s is cut off.',

	{title: 'Limits'},
	'--rate-limit sets the requests per minute and key (default: 600). After 30 wrong keys in a minute from an address (a Unix socket without a forwarded one counts as one), more wrong ones are answered with 429. A right key always works. Each process counts for itself.',
	'A zip may have 34 MB, and hold 2000 files of 32 MB in all. An upload is checked by the same rules as in the client. Version control history, virtual environments and files that may contain a key are refused; compiled files and the like are left out. Text with U+0000, half of a surrogate pair or bytes that are not UTF-8 is refused, not changed.',
	'A process takes 4,096 connections at once. Bodies under way may take 84 MB, and unread answers 96 MB; one key has half of each at most, and half of the connections for its requests. A connection is closed after 30 s without a request, or two minutes in which no byte moves. A request may take 30 minutes to arrive, one that has the key in its body 10 s, and what is left of one that is answered 10 s. A connection that sends more than 32 requests at once is closed. One address can take all of this: to give each its share, put a proxy in front.',
];
