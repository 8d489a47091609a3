import {createServer, type AddressInfo} from 'node:net';
import process from 'node:process';
import ssh from 'ssh2';

/*
The least that a server over SSH can do, in a process of its own: it lets everyone in, prints a screen and ends with the first
key. Its argument is the host key.
*/

const screen = Array.from(
	{length: 23},
	(_, index) => `off  row ${index + 1}`.padEnd(30) + 'skill      a phrase, another phrase       2 days',
).join('\r\n');

const server = new ssh.Server({hostKeys: [process.argv[2]!]}, connection => {
	connection.on('authentication', context => context.accept());
	// A client that goes away is no matter.
	connection.on('error', () => undefined);
	connection.on('session', accept => {
		const session = accept();
		session.on('pty', acceptTerminal => acceptTerminal());
		session.on('shell', acceptShell => {
			const channel = acceptShell();
			channel.write(`\u{1B}[2J\u{1B}[H${screen}`);
			channel.once('data', () => {
				channel.exit(0);
				channel.end();
			});
		});
	});
});

// Without it the two wait for each other's acknowledgements, several times 40 ms.
const listener = createServer({noDelay: true}, socket => server.injectSocket(socket));

listener.listen(0, '127.0.0.1', () => {
	process.send!((listener.address() as AddressInfo).port);
});
process.on('disconnect', () => {
	process.exit();
});
