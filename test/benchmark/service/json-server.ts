import {createRequire} from 'node:module';
import type {AddressInfo, Server} from 'node:net';
import path from 'node:path';
import process from 'node:process';

/* Serves the file of JSON in its second argument with the json-server that is installed in the folder of the first. */

/** What is used of it; it brings no types. */
type JsonServer = {
	create(): {use(handler: unknown): void; listen(port: number, host: string, ready: () => void): Server};
	defaults(options: {readonly logger: boolean}): unknown;
	router(file: string): unknown;
};

const [toolFolder = '', file = ''] = process.argv.slice(2);
const jsonServer = createRequire(path.join(toolFolder, 'package.json'))('json-server') as JsonServer;
const app = jsonServer.create();
app.use(jsonServer.defaults({logger: false}));
app.use(jsonServer.router(file));
const server = app.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`));
