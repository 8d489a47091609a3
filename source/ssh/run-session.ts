import {AsyncLocalStorage} from 'node:async_hooks';
import type {Buffer} from 'node:buffer';
import {setTimeout as delay} from 'node:timers/promises';
import type {ServerChannel} from 'ssh2';
import {cleanText} from '../interface/clean-text.ts';
import {signalErrors, SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import type {Person} from '../interface/key-rights.ts';
import {splitShellWords} from '../platform/shell-word.ts';
import {flush} from '../platform/standard-streams.ts';
import {sessionFault} from '../settings/logs.ts';
import type {RemoteSession} from '../settings/remote-session.ts';
import type {TimeZone} from '../words/time-zone.ts';
import {ChannelInput, ChannelOutput, type RemoteTerminal, type RoundTrips} from './channel-streams.ts';

/** The programs of a session. Both resolve to its exit code. */
export type SessionPrograms = {
	readonly openUi: (session: RemoteSession) => Promise<number>;
	readonly runCommand: (session: RemoteSession, words: readonly string[]) => Promise<number>;
};

/** The request of a client on a channel: the screens, or a command. */
export type SessionRequest = {
	readonly stream: ServerChannel;
	/** The command line; none for the screens. */
	readonly command: string | undefined;
	readonly terminal: RemoteTerminal | undefined;
	readonly env: Readonly<Record<string, string>>;
};

/** For a session to end in order, for example to look up the outcome of a change. */
const endingMilliseconds = 30_000;

/** After an error in a session, it can hardly end in order. */
const endingAfterFaultMilliseconds = 2000;

/** For the last bytes. */
const flushMilliseconds = 10_000;

/** Resets all terminal modes that the screens set. */
const resetTerminal = '\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1049l\u{1B}[?25h\u{1B}[0m\r';

const noTerminal = new SwitchboardError('usage', 'The screens need a terminal.', {
	nextStep: 'Use ssh -t, or give a command, as in: ssh HOST installed. To list the commands: ssh HOST help',
});

const unclosed = new SwitchboardError('usage', 'The command has a quotation mark that is not closed, or ends with a backslash.', {
	nextStep: 'Quote it once more for the shell that runs ssh.',
});

/** The groups of commands, and their commands that may be called over SSH; a group's name lists its records. */
const groups: ReadonlySet<string> = new Set(['agents', 'abilities', 'installed']);

const verbs: ReadonlySet<string> = new Set(['edit', 'get', 'delete']);

/** The surroundings of a session's code, which tell the session of an error. */
type SessionScope = {
	/** Runs code of the session. An error in it ends the session, and the result is `undefined`. */
	readonly enter: <Result>(action: () => Result) => Result | undefined;
	readonly fail: (error: unknown) => void;
};

const storage = new AsyncLocalStorage<SessionScope>();

/** Returns the scope that the running code belongs to: its timers, streams and promises keep it. */
export function currentScope(): SessionScope | undefined {
	return storage.getStore();
}

export function createScope(fail: (error: unknown) => void): SessionScope {
	const scope: SessionScope = {
		enter(action) {
			try {
				return storage.run(scope, action);
			} catch (error) {
				// Outside of the scope, the session can no longer be determined.
				fail(error);
				return undefined;
			}
		},
		fail,
	};
	return scope;
}

type SessionOptions = SessionPrograms & {
	readonly fingerprint: string;
	readonly person: Person;
	readonly timeZone: TimeZone;
	readonly profileName: string;
	readonly isReadOnly: boolean;
	readonly problem: SwitchboardError | undefined;
	readonly roundTrips: RoundTrips;
	readonly reportFault: (error: unknown) => void;
	readonly onEnd: (ended: {readonly what: string; readonly exitCode: number}) => void;
};

/** Runs the screens or a command on a channel, and closes it when they end. An error in them ends only this session. */
export function runSession({stream, terminal, command, env}: SessionRequest, options: SessionOptions) {
	const controller = new AbortController();
	const {promise: givenUp, resolve: giveUp} = Promise.withResolvers<undefined>();
	const words = command === undefined ? undefined : splitShellWords(command);
	const what = command === undefined ? 'shell' : commandName(words ?? []);
	let fault: SwitchboardError | undefined;
	let isOver = false;

	const end = (reason: SwitchboardError, milliseconds = endingMilliseconds): void => {
		if (!controller.signal.aborted) {
			scope.enter(() => {
				// Queued input has no effect any more.
				stdin.stop();
				controller.abort(reason);
			});
		}

		setTimeout(giveUp, milliseconds, undefined).unref();
	};

	const scope = createScope(error => {
		options.reportFault(error);
		if (isOver || fault !== undefined) {
			return;
		}

		fault = sessionFault(command === undefined ? 'session' : 'command', error);
		end(fault, endingAfterFaultMilliseconds);
	});

	const idleTimer = setTimeout(
		end,
		24 * 60 * 60 * 1000,
		new SwitchboardError('timeout', 'This session was not used for a day.', {nextStep: 'Connect again.'}),
	);
	idleTimer.unref();
	const outputOptions = {
		terminal,
		roundTrips: options.roundTrips,
		onWrite() {
			// The screens draw by themselves.
			if (command !== undefined) {
				idleTimer.refresh();
			}
		},
		onOverflow: () => end(new SwitchboardError('too-large', 'The connection is too slow for the output.'), 0),
		enter: scope.enter,
	};
	const stdout = new ChannelOutput({...outputOptions, target: stream});
	// A terminal has one output.
	const stderr = terminal === undefined ? new ChannelOutput({...outputOptions, target: stream.stderr}) : stdout;
	const stdin = new ChannelInput(stream, {
		isTerminal: terminal !== undefined,
		isRaw: command === undefined,
		onInterrupt: () => end(signalErrors.SIGINT),
	});
	const session: RemoteSession = {
		fingerprint: options.fingerprint,
		person: options.person,
		timeZone: options.timeZone,
		profileName: options.profileName,
		isReadOnly: options.isReadOnly,
		env,
		streams: {stdin, stdout, stderr},
		signal: controller.signal,
	};

	const tell = (error: SwitchboardError): number => {
		stderr.write(linesOf(error));
		return error.exitCode;
	};

	const run = async (): Promise<number> => {
		if (options.problem !== undefined) {
			return tell(options.problem);
		}

		if (command === undefined) {
			return terminal === undefined ? tell(noTerminal) : options.openUi(session);
		}

		return words === undefined ? tell(unclosed) : options.runCommand(session, words);
	};

	/** Resolves with `undefined` if the session had to be given up. */
	const runToItsEnd = async (): Promise<number | undefined> => {
		try {
			return await (scope.enter(run) ?? givenUp);
		} catch (error) {
			scope.fail(error);
			// Nothing is left that could end in order.
			giveUp(undefined);
			return undefined;
		}
	};

	const finish = async (): Promise<void> => {
		const result = await Promise.race([runToItsEnd(), givenUp]);
		isOver = true;
		clearTimeout(idleTimer);
		const reason = controller.signal.aborted ? toSwitchboardError(controller.signal.reason) : undefined;
		if (result === undefined && reason !== undefined) {
			stderr.write(`${command === undefined && env['TERM'] !== 'dumb' ? resetTerminal : ''}${linesOf(reason)}`);
		}

		const exitCode = fault?.exitCode ?? result ?? reason?.exitCode ?? 1;
		await Promise.race([Promise.all([flush(stdout), flush(stderr)]), delay(flushMilliseconds, undefined, {ref: false})]);
		for (const output of [stdout, stderr]) {
			output.drop();
		}

		stream.exit(exitCode);
		stream.end();
		// Drops unread input.
		stream.resume();
		options.onEnd({what: cleanText(what, 60), exitCode});
	};

	void finish();
	return {
		receive(chunk: Buffer): void {
			idleTimer.refresh();
			scope.enter(() => stdin.receive(chunk));
		},
		endInput: (): void => scope.enter(() => stdin.end()),
		resize: (columns: number, rows: number): void => scope.enter(() => stdout.resize(columns, rows)),
		/** Ends the session in order, for a reason that is shown. */
		end: (reason: SwitchboardError): void => end(reason),
		/** Called when the channel is closed, or the connection is cut. */
		hangUp(): void {
			scope.enter(() => {
				stdout.drop();
				stderr.drop();
				stdin.end();
			});
			end(new SwitchboardError('hangup', 'The connection was cut.'));
		},
	};
}

/** Returns the name of a command, without its arguments. */
function commandName([first = '', second = '']: readonly string[]): string {
	if (!/^[a-z][-a-z]{0,30}$/.test(first)) {
		return 'a command';
	}

	return groups.has(first) && verbs.has(second) ? `${first} ${second}` : first;
}

/** Formatted as commands print their errors. */
const linesOf = ({message, nextStep}: SwitchboardError): string =>
	[message, nextStep]
		.filter(Boolean)
		.map(line => `${line}\n`)
		.join('');

export type RunningSession = ReturnType<typeof runSession>;
