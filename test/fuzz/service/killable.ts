import {type ChildProcess, fork, once} from '../../helpers/node.ts';

/** A program that is killed and started again. */
export type Killable = {
	readonly isRunning: boolean;
	/** The first message of the program. */
	readonly greeting: string;
	start(): Promise<void>;
	/** Gives it no chance to do anything more. */
	kill(): Promise<void>;
	/** Sends a message, and resolves with the next one from it; rejects if it ends before. */
	ask(message: string): Promise<string>;
};

const nextMessage = async (child: ChildProcess): Promise<string> =>
	new Promise((resolve, reject) => {
		const end = (): void => {
			reject(new Error('The program has ended'));
		};

		child.once('exit', end);
		child.once('message', message => {
			child.off('exit', end);
			resolve(message as string);
		});
	});

export const createKillable = (program: string, programArguments: readonly string[]): Killable => {
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
		async kill() {
			const killed = child;
			child = undefined;
			if (!(killed?.exitCode === null && killed.signalCode === null)) {
				return;
			}

			killed.kill('SIGKILL');
			await once(killed, 'exit');
		},
		async ask(message) {
			if (child === undefined) {
				throw new Error('The program is not running');
			}

			const answer = nextMessage(child);
			child.send(message, () => undefined);
			return answer;
		},
	};
};
