import type {HelpTopic} from './topic.ts';

export const ssh: HelpTopic = [
	'ssh-serve lets others use Switchboard over SSH. They need an SSH client and a key pair, and neither Switchboard nor an API key. Sign in as the profile that they use, add their public keys to authorized_keys in the settings folder, and start it; Ctrl+C or SIGTERM stops it:',
	{lines: ['switchboard login --profile default', 'cat anna.pub >> ~/.config/switchboard/authorized_keys', 'switchboard ssh-serve --host 0.0.0.0']},
	'They open the terminal UI, or run a command:',
	{lines: ['ssh -p 2222 box.example.net', 'ssh -p 2222 box.example.net disable nightwatch']},
	'With this in their ~/.ssh/config, “ssh box” is enough:',
	{lines: ['Host box', '  HostName box.example.net', '  Port 2222']},
	'Any user name will do: the key says who it is. ssh-serve prints the fingerprint of its own key, which ssh asks about at the first connection.',
	'A line of authorized_keys is a public key as OpenSSH writes it. Options may stand before it, separated by commas:',
	{
		items: [
			['profile="NAME"', 'the stored profile that they use; without it the one named “default”. They cannot choose another'],
			['read-only', 'they can change nothing; ssh-serve --read-only means it for everyone'],
			['from="LIST"', 'the addresses that they may come from: networks such as 10.0.0.0/8, patterns with * and ?, and ! before what is not allowed; names of machines match nothing'],
		],
	},
	{lines: ['profile="home",read-only,from="10.0.0.0/8" ssh-ed25519 AAAAC3Nz… anna']},
	'A line with any other option is refused, also with one of OpenSSH\'s own, such as command= and restrict: what it asks for would not be done. So is a whole file that others may write. The log names the line. The file is read again when it changes; sessions of a key that is removed or restricted end. So do those of a profile that is removed, signed out or changed, and those whose API key the service refuses.',
	{
		heading: 'Commands that work there:',
		items: [
			['to look', 'agents, abilities, abilities get, installed, status, watch (without --exec), wait, export, plan, help, version'],
			['to change', 'agents edit, agents restore, abilities delete, installed edit, enable, disable, toggle, install, uninstall, apply'],
		],
	},
	'Files stay on the machine of whoever runs the command: “-” is its standard input, and no other file or folder can be named, also not in a state. Pipes and exit codes are as they are everywhere; add --yes to what asks:',
	{lines: ['ssh box export > home.yaml', 'ssh box apply - --yes < home.yaml', 'ssh box installed --json | jq length']},
	'Refused, with exit code 2: every other command, and --profile, --base-url, --insecure-http and --debug. The terminal UI there has no uploads, sign-in or other profiles, and prompts are edited in a field of its own.',
	'Only public keys are accepted, no passwords. There is no forwarding, sftp or agent, and of the environment only TERM, LANG, LC_*, NO_COLOR and COLORTERM count. Failed log-ins are slowed down. There is room for 200 sessions, and one ends after a day without a key.',
	'Each session and command is a line of the log on standard error: who, from where, how long and the exit code, but no contents; so is each log-in that was refused. --log json makes each line an object. “switchboard help serving” has a filter for fail2ban. To keep it running after you log out, let systemd run it; the first lines of this unit say how:',
	{lines: ['switchboard help ssh --unit']},
	'All options: switchboard ssh-serve --help',
];
