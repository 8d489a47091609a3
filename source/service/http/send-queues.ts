import {readFileSync} from 'node:fs';

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

const portOf = (address: string | undefined): number => Number.parseInt(address?.split(':', 2)[1] ?? '', 16);

/** Bytes by `connectionName`. */
export type SendQueues = ReadonlyMap<string, number>;

/** Names a connection by its two ports: they differ for nearly all that are open at once. One of a Unix socket has none, and is in no table. */
export const connectionName = ({localPort, remotePort}: {readonly localPort?: number | undefined; readonly remotePort?: number | undefined}): string => `${localPort} ${remotePort}`;

const readTable = (file: string): string => {
	try {
		return readFileSync(file, 'latin1');
	} catch {
		return '';
	}
};

/**
How many bytes the kernel has sent, or has still to send, without the other end having taken them, by `connectionName`
(proc_net_tcp in the documentation of Linux). A kernel takes megabytes from a program at once, and a slow reader needs minutes for
them: without this it would look as if it took nothing.

@returns none for a system that does not show it.
*/
export const readSendQueues = (): SendQueues => {
	const queues = new Map<string, number>();
	for (const line of tables.flatMap(file => readTable(file).split('\n').slice(1))) {
		const [, local, remote, , lengths] = line.trim().split(/\s+/, 5);
		const bytes = Number.parseInt(lengths ?? '', 16);
		if (bytes > 0) {
			queues.set(connectionName({localPort: portOf(local), remotePort: portOf(remote)}), bytes);
		}
	}

	return queues;
};
