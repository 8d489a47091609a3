import {spawn} from 'node:child_process';
import {once} from 'node:events';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {DatabaseSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';
import {isExecutable} from '../../../platform/executable.ts';
import {busyTimeoutMilliseconds} from './open-database.ts';

type Answer = {readonly rows: readonly string[]} | {readonly message: string; readonly errcode: number};

/** Plain JavaScript for another process, which imports nothing of ours. */
const program = `
	import {DatabaseSync} from 'node:sqlite';
	const [url, pragma, timeout] = process.argv.slice(1);
	let answer;
	try {
		const database = new DatabaseSync(new URL(url), {readOnly: true, timeout: Number(timeout)});
		answer = {rows: database.prepare(pragma).all().map(row => String(Object.values(row)[0]))};
	} catch ({message, errcode = 1}) {
		answer = {message, errcode};
	}
	process.stdout.write(JSON.stringify(answer));
`;

/** A file to be read only, and as one that nobody else uses if it is `immutable`: then without a WAL. */
export const readOnlyUrl = (file: string, isImmutable: boolean): URL => {
	const url = pathToFileURL(file);
	url.search = isImmutable ? '?immutable=1' : '';
	return url;
};

/** A process of its own session, so that Ctrl+C in a terminal reaches only us. */
const runElsewhere = async (url: URL, pragma: string, signal: AbortSignal): Promise<Answer> => {
	const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', program, url.href, pragma, String(busyTimeoutMilliseconds)], {
		stdio: ['ignore', 'pipe', 'ignore'], detached: true, signal, killSignal: 'SIGKILL',
	});
	const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
	return JSON.parse(output) as Answer;
};

/**
The rows of a pragma that reads a whole database, such as `integrity_check`, of which each is a text. A query of SQLite hears of no
signal, so it runs in another process, which a signal ends. The executable has no other program to run: there it ends when it is done.

@throws the error of SQLite, or the reason of the signal.
*/
export const runPragma = async (file: string, pragma: string, {signal, isImmutable = false}: {readonly signal: AbortSignal; readonly isImmutable?: boolean}): Promise<readonly string[]> => {
	const url = readOnlyUrl(file, isImmutable);
	if (isExecutable) {
		using database = new DatabaseSync(url, {readOnly: true, timeout: busyTimeoutMilliseconds});
		return database.prepare(`pragma ${pragma}`).all().map(row => String(Object.values(row)[0]));
	}

	let answer: Answer;
	try {
		answer = await runElsewhere(url, `pragma ${pragma}`, signal);
	} catch (error) {
		signal.throwIfAborted();
		throw error;
	}

	if ('rows' in answer) {
		return answer.rows;
	}

	throw Object.assign(new Error(answer.message), {errcode: answer.errcode});
};
