import {realpathSync} from 'node:fs';
import process from 'node:process';
import {shellWord} from '../../platform/shell-word.ts';
import {isExecutable} from '../../platform/program.ts';

const homeFolders = /^\/(?:home|root|run\/user)\//;

/** Returns the unit that runs `serve` of this installation. */
export function serviceUnit(words: readonly string[] = ownWords()): string {
	return `\
# The bundled service of Switchboard for systemd. As root:
#   useradd --system --shell /usr/sbin/nologin switchboard
#   switchboard help serving --unit > /etc/systemd/system/switchboard.service
#   systemctl daemon-reload
#   systemctl enable --now switchboard
# Its data is in /var/lib/switchboard, or in the database that SWITCHBOARD_DATABASE_URL
# in /etc/switchboard.env names. Create keys as its user, who finds the same one:
#   systemd-run --quiet --collect --wait --pipe --uid=switchboard \\
#     --property=EnvironmentFile=-/etc/switchboard.env --setenv=XDG_DATA_HOME=/var/lib \\
#     ${typed(words)} keys create

[Unit]
Description=Switchboard, a service for voice agents
Wants=network-online.target
After=network-online.target postgresql.service

[Service]
Type=exec
User=switchboard
# Add options such as --host, --tls-cert and --rate-limit here.
ExecStart=${started(words)} serve
# Reads the certificate again.
ExecReload=/bin/kill -HUP $MAINPID
# Answers under way have 20 seconds.
TimeoutStopSec=30
Restart=on-failure
RestartSec=2
# A mistake in the options stays one.
RestartPreventExitStatus=2

# For SWITCHBOARD_DATABASE_URL, with its password: mode 0600.
EnvironmentFile=-/etc/switchboard.env
Environment=XDG_DATA_HOME=%S XDG_CACHE_HOME=%C
StateDirectory=switchboard
StateDirectoryMode=0700
CacheDirectory=switchboard
CacheDirectoryMode=0700
${hardening(words, '# The queues of /proc/net/tcp tell slow readers from dead ones: no ProcSubset=pid.')}

[Install]
WantedBy=multi-user.target`;
}

/** The words that run this installation without a shell or npm in between: systemd passes sockets and signals to what it starts. */
const ownWords = (): readonly string[] => (isExecutable ? [process.execPath] : [process.execPath, realpathSync(process.argv[1]!)]);

/** The words as a shell takes them after `systemd-run`, which has its own variables. */
const typed = (words: readonly string[]): string => words.map(word => shellWord(word.replaceAll('$', '$$$$'))).join(' ');

/** The words as ExecStart= takes them. */
const started = (words: readonly string[]): string => words.map(word => unitWord(word)).join(' ');

/** Returns a word of ExecStart= (systemd.service(5), Command lines). */
function unitWord(word: string): string {
	const escaped = word.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`).replaceAll('%', '%%').replaceAll('$', '$$$$');
	return /[\s"';\\]/.test(word) ? `"${escaped}"` : escaped;
}

/** Settings that deny a service all rights that it does not need. */
const hardening = (words: readonly string[], procSubset: string): string => `\
UMask=0077

# For a port below 1024 write CAP_NET_BIND_SERVICE here and after
# AmbientCapabilities=, and leave PrivateUsers out.
CapabilityBoundingSet=
PrivateUsers=yes
NoNewPrivileges=yes
LockPersonality=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
${words.some(word => homeFolders.test(word)) ? '# The program lies in a home folder, which the user needs to reach.\nProtectHome=read-only' : 'ProtectHome=yes'}
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
${procSubset}
ProtectSystem=strict
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
# MemoryDenyWriteExecute= is impossible: V8 writes the machine code that it runs.`;

/** Returns the unit that runs `ssh-serve` of this installation. */
export function sshUnit(words: readonly string[] = ownWords()): string {
	return `\
# ssh-serve of Switchboard for systemd. As root:
#   useradd --system --shell /usr/sbin/nologin switchboard-ssh
#   switchboard help ssh --unit > /etc/systemd/system/switchboard-ssh.service
#   systemctl daemon-reload
#   systemctl enable --now switchboard-ssh
# Then sign in as its user, who keeps the settings, and list public keys:
#   systemd-run --quiet --collect --wait --pty --uid=switchboard-ssh \\
#     --setenv=XDG_CONFIG_HOME=/var/lib/switchboard-ssh/config \\
#     ${typed(words)} login --profile default --base-url URL
#   cat anna.pub >> /var/lib/switchboard-ssh/config/switchboard/authorized_keys

[Unit]
Description=Switchboard over SSH
Wants=network-online.target
After=network-online.target

[Service]
Type=exec
User=switchboard-ssh
# Add options such as --port, --log json and --read-only here.
ExecStart=${started(words)} ssh-serve --host 0.0.0.0
# Sessions hear that it stops.
TimeoutStopSec=30
Restart=on-failure
RestartSec=2
# A mistake in the options stays one.
RestartPreventExitStatus=2

Environment=XDG_CONFIG_HOME=%S/switchboard-ssh/config XDG_CACHE_HOME=%C/switchboard-ssh
Environment=XDG_DATA_HOME=%S/switchboard-ssh/data XDG_STATE_HOME=%S/switchboard-ssh/state
StateDirectory=switchboard-ssh
StateDirectoryMode=0700
CacheDirectory=switchboard-ssh
CacheDirectoryMode=0700
${hardening(words, 'ProcSubset=pid')}

[Install]
WantedBy=multi-user.target`;
}

/** Returns the unit that runs `timers run` of this installation for a person, who has the settings and the timers. */
export function timersUnit(words: readonly string[] = ownWords()): string {
	return `\
# Keeps the timers of a service that keeps none, for the person who enables it:
#   switchboard help timers run --unit > ~/.config/systemd/user/switchboard-timers.service
#   systemctl --user daemon-reload
#   systemctl --user enable --now switchboard-timers
# It also runs while they are not logged in after: loginctl enable-linger

[Unit]
Description=The timers of Switchboard

[Service]
Type=exec
# For another profile than the current one add --profile NAME here.
ExecStart=${started(words)} timers run
Restart=on-failure
RestartSec=10
# A mistake in the options stays one.
RestartPreventExitStatus=2

[Install]
WantedBy=default.target`;
}

/** The unit of a socket that systemd opens for the service, and keeps open while that restarts. */
export const socketUnit = `\
# The socket of switchboard.service, which systemd keeps open while the service
# restarts. ExecStart= there then has neither --host nor --port nor --socket;
# behind a proxy it has --trust-proxy unix.
#   switchboard help serving --socket-unit > /etc/systemd/system/switchboard.socket
#   systemctl daemon-reload
#   systemctl enable --now switchboard.socket

[Unit]
Description=The socket of Switchboard

[Socket]
# Or an address: 127.0.0.1:8787
ListenStream=/run/switchboard.sock
# The group of the reverse proxy; on Debian nginx runs as www-data.
SocketMode=0660
SocketGroup=www-data

[Install]
WantedBy=sockets.target`;
