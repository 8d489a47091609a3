import {type ChildProcess, fork, once} from '../../helpers/node.ts';

const nextMessage = async (child: ChildProcess): Promise<string> =>
	new Promise((resolve, reject) => {
		const end = (): void => reject(new Error('The program has ended'));

		child.once('exit', end);
		child.once('message', message => {
			child.off('exit', end);
			resolve(message as string);
		});
	});

export function createKillable(program: string, programArguments: readonly string[]) {
	let child: ChildProcess | undefined;
	let greeting = '';

	return {
		get isRunning() {
			return child !== undefined;
		},
		get greeting() {
			return greeting;
		},
		async start() {
			child = fork(program, programArguments);
			greeting = await nextMessage(child);
		},
		/** Gives it no chance to do anything more. */
		async kill() {
			const killed = child;
			child = undefined;
			if (!(killed?.exitCode === null && killed.signalCode === null)) {
				return;
			}

			killed.kill('SIGKILL');
			await once(killed, 'exit');
		},
		/** Sends a message, and resolves with the next one from it; rejects if it ends before. */
		async ask(message: string) {
			if (child === undefined) {
				throw new Error('The program is not running');
			}

			const answer = nextMessage(child);
			child.send(message, () => undefined);
			return answer;
		},
	};
}

export type Killable = ReturnType<typeof createKillable>;
