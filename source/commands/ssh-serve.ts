import {SwitchboardError} from '../interface/errors.ts';
import {examples, type DefineCommand} from './command.ts';
import {parseHost, parsePort} from './options.ts';
import type {Context} from './context.ts';
import {logOption} from './serve.ts';
import type {SshServeOptions} from './ssh/serve-over-ssh.ts';

const sshServe = async (context: Context, options: SshServeOptions): Promise<void> => {
	const {serveOverSsh} = await import('./ssh/serve-over-ssh.ts');
	await serveOverSsh(context, options);
};

/** An empty name, such as a script's unset variable, is no file. */
const parseFile =
	(name: string) =>
	(text: string): string => {
		if (text === '') {
			throw new SwitchboardError('usage', `${name} needs the name of a file.`, {
				nextStep: 'Leave it out for the file in the settings folder.',
			});
		}

		return text;
	};

export const defineSshServe: DefineCommand = (parent, run) =>
	parent
		.command('ssh-serve')
		.description('let others use Switchboard over SSH, without an API key of their own')
		.option('--host <host>', 'the address to listen on', parseHost, '127.0.0.1')
		.option('--port <port>', 'the port to listen on; 0 means any free one', parsePort, 2222)
		.option(
			'--authorized-keys <file>',
			'the public keys of those who may use it, one a line (default: authorized_keys in the settings folder)',
			parseFile('--authorized-keys'),
		)
		.option(
			'--host-key <file>',
			'the ed25519 key of this server, made if it is missing (default: ssh_host_ed25519_key in the settings folder)',
			parseFile('--host-key'),
		)
		.addOption(logOption('write the lines on standard error as text or as JSON (default: text)'))
		.addHelpText(
			'after',
			examples(
				['switchboard login --profile default', 'the profile that a key without profile="NAME" gets'],
				['switchboard ssh-serve', 'serve on port 2222 of this machine'],
				['switchboard ssh-serve --host 0.0.0.0', 'serve for other machines'],
				['ssh -p 2222 HOST', 'open the screens from another machine'],
				['ssh -p 2222 HOST installed --json', 'run a command from there'],
			),
		)
		.action(run(sshServe, {isEndedBySignal: true}));
