import path from 'node:path';
import {SwitchboardError} from '../../interface/errors.ts';
import {takePassedSockets} from '../../platform/systemd-socket.ts';
import type {ServiceOptions} from '../../service/service.ts';
import type {Context} from '../context.ts';
import {wrongValue} from '../wrong-value.ts';

/** The options that say where `serve` listens. */
export type ListenOptions = {
	readonly host?: string;
	readonly port?: number;
	readonly socket?: string;
};

/** The absolute path of `--socket`. It is the first line of the output, so it must be one. */
export const parseSocketPath = (text: string): string => {
	if (text === '' || /\p{Control}/u.test(text)) {
		throw wrongValue('--socket', text, 'a path, such as /run/switchboard/socket');
	}

	return path.resolve(text);
};

/** Where to listen, by the options or as systemd has opened a socket. */
export const chooseListenTarget = (context: Context, {host, port, socket}: ListenOptions): Pick<ServiceOptions, 'host' | 'port' | 'socket'> => {
	const passed = takePassedSockets();
	if (passed.isForAnother) {
		context.note('Warning: systemd has passed a socket to another process, which has started this one. Start this process directly, as the unit from “switchboard help serving --unit” does.');
	}

	if (passed.count > 1) {
		throw new SwitchboardError('usage', `systemd has passed ${passed.count} sockets.`, {nextStep: 'Give the socket unit a single ListenStream=.'});
	}

	const given = Object.entries({'--host': host, '--port': port, '--socket': socket}).filter(([, value]) => value !== undefined).map(([name]) => name);
	if (passed.count === 1 && given.length > 0) {
		throw new SwitchboardError('usage', `systemd has passed a socket, so ${given.join(' and ')} cannot be used.`, {
			nextStep: `Leave ${given.length === 1 ? 'it' : 'them'} out, or stop the socket unit.`,
		});
	}

	if (passed.count === 1) {
		return {socket: {descriptor: passed.descriptor}};
	}

	if (socket !== undefined && given.length > 1) {
		throw new SwitchboardError('usage', `--socket and ${given[0]!} cannot be used together.`, {nextStep: 'Use --socket, or --host and --port.'});
	}

	return socket === undefined ? {host: host ?? '127.0.0.1', port: port ?? 8787} : {socket: {socketPath: socket}};
};
