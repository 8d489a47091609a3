/* Things that most tests take, on one line: Node.js, and what they do with lists. */

export {addTo, assertMapped, assertNone, assertSome} from './lists.ts';
export {default as assert} from 'node:assert/strict';
export {Buffer} from 'node:buffer';
export {execFileSync, fork, spawn, spawnSync, type ChildProcess} from 'node:child_process';
export {createHash, randomBytes} from 'node:crypto';
export {once} from 'node:events';
export {
	chmodSync,
	copyFileSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
export {mkdir, readFile, writeFile} from 'node:fs/promises';
export {createServer, request, type IncomingMessage, type ServerResponse} from 'node:http';
export {connect, default as net, type AddressInfo, type Socket} from 'node:net';
export {default as path} from 'node:path';
export {default as process} from 'node:process';
export {createInterface} from 'node:readline';
export {DatabaseSync} from 'node:sqlite';
export {Writable} from 'node:stream';
export {text} from 'node:stream/consumers';
export {after, afterEach, before, describe, suite, test, type TestContext} from 'node:test';
export {setImmediate as nextTurn, setTimeout as delay} from 'node:timers/promises';
export {stripVTControlCharacters} from 'node:util';
