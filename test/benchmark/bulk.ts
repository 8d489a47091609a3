import {once} from 'node:events';
import {createServer} from 'node:http';
import {type AddressInfo} from 'node:net';
import process from 'node:process';
import {createIsolatedHome} from '../helpers/isolated-home.ts';
import {openPseudoTerminal} from '../helpers/pseudo-terminal.ts';
import {programFile} from '../helpers/run-command.ts';

/** A service with so many installed abilities, all on, that answers at once. */
const startService = async (rowCount: number) => {
	const records = Array.from({length: rowCount}, (_, index) => ({
		installed_cap_id: index + 1, name: `ability ${index + 1}`, category: 'skill', trigger_words: ['a phrase', 'another phrase'], enabled: true,
	}));
	const server = createServer((request, response) => {
		const id = /edit-installed-capability\/(?<id>\d+)/.exec(request.url!)?.groups?.['id'];
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(id === undefined ? records : {...records[Number(id) - 1], enabled: false}));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		baseAddress: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
};

/** Milliseconds from the key that switches all of so many marked rows off until the screen shows it. */
export const measureBulkSwitch = async (rowCount: number): Promise<number> => {
	await using service = await startService(rowCount);
	const home = createIsolatedHome();
	await using terminal = openPseudoTerminal({
		command: process.execPath,
		args: [programFile],
		env: {...home.env, SWITCHBOARD_BASE_URL: service.baseAddress, SWITCHBOARD_API_KEY: 'benchmark-key'},
	});
	await terminal.waitFor(`${rowCount} installed`, {deadlineMilliseconds: 60_000});
	terminal.press('a');
	await terminal.waitFor(`${rowCount} marked`, {deadlineMilliseconds: 60_000});
	const start = performance.now();
	terminal.press('D');
	await terminal.waitFor('off~', {deadlineMilliseconds: 60_000});
	const milliseconds = performance.now() - start;
	terminal.kill('SIGKILL');
	await terminal.exited;
	return milliseconds;
};
