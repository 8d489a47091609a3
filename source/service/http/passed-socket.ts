import {once} from 'node:events';
import {readFileSync, readlinkSync} from 'node:fs';
import {type Server} from 'node:net';
import {reasonOf, SwitchboardError} from '../../interface/errors.ts';

/** The path of a Unix socket, which Node.js does not tell (proc_pid_fd(5), proc_pid_net(5)): Num RefCount Protocol Flags Type St Inode Path. */
const pathOf = (descriptor: number): string => {
	const inode = /^socket:\[(?<inode>\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.groups!['inode'];
	const line = readFileSync('/proc/self/net/unix', 'utf8').split('\n').find(text => text.split(/ +/, 7)[6] === inode);
	return /^(?:\S+ +){7}(?<path>\S.*)$/.exec(line ?? '')?.groups!['path'] ?? '';
};

/**
Listens on a socket that is open already, as systemd passes it.

@returns its path for a Unix socket, else its address.
@throws SwitchboardError `usage` if that is not possible.
*/
export const listenOnPassedSocket = async (server: Server, descriptor: number): Promise<{readonly socketPath: string} | {readonly host: string; readonly port: number}> => {
	try {
		server.listen({fd: descriptor});
		await once(server, 'listening');
	} catch (error) {
		throw new SwitchboardError('usage', `Cannot listen on the socket that systemd has passed: ${reasonOf(error)}.`, {
			nextStep: 'The socket unit needs one ListenStream= and no Accept=yes.', cause: error,
		});
	}

	const address = server.address();
	return address === null || typeof address === 'string' ? {socketPath: address ?? pathOf(descriptor)} : {host: address.address, port: address.port};
};
