import {mkdir, path, writeFile} from './node.ts';
import {createServer, type Socket} from 'node:net';
import {listen} from './listen.ts';
import {runCommand} from './run-in-process.ts';

/** Sends the number of its words, the folder, its words and its standard input; reads the exit code in a line, then the output. */
const programText = (port: number): string => `#!/bin/bash
exec 3<>/dev/tcp/127.0.0.1/${port}
{ printf '%s\\0' "$#" "$PWD" "$@"; [ -t 0 ] || cat; printf '\\0'; } >&3
read -r code <&3
cat <&3
exit "$code"
`;

/**
Puts a `switchboard` into a folder that has its commands run in this process, for shells: a start of the program costs ten times as much.

@returns A list that grows with what the commands print.
*/
export async function provideProgram(
	runner: Parameters<typeof listen>[0],
	{folder, env}: {readonly folder: string; readonly env: Readonly<Record<string, string>>},
): Promise<readonly string[]> {
	const printed: string[] = [];
	const answer = async (socket: Socket): Promise<void> => {
		let asked = '';
		for await (const chunk of socket.setEncoding('utf8').iterator({destroyOnReturn: false}) as AsyncIterable<string>) {
			asked += chunk;
			const [count = '', cwd = '', ...rest] = asked.split('\0');
			// The words, the standard input, and nothing behind the last zero.
			if (rest.length === Number(count) + 2) {
				const words = rest.slice(0, -2);
				const {exitCode, stdout, stderr} = await runCommand(words, {env, cwd, stdin: rest.at(-2)});
				printed.push(`$ switchboard ${words.join(' ')}`, stdout, stderr);
				socket.end(`${exitCode}\n${stdout}`);
				return;
			}
		}
	};

	const server = createServer(socket => {
		void answer(socket);
	});
	const port = await listen(runner, server);
	await mkdir(folder, {recursive: true});
	await writeFile(path.join(folder, 'switchboard'), programText(port), {mode: 0o755});
	return printed;
}
