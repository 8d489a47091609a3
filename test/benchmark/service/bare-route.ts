import {readFileSync} from 'node:fs';
import process from 'node:process';
import fastify from 'fastify';

/* Answers `GET /` with the text of the file that it is given, as JSON. */

const body = readFileSync(process.argv[2]!, 'utf8');
const app = fastify();
app.get('/', async (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
console.log(`listening on ${await app.listen({host: '127.0.0.1', port: 0})}`);
