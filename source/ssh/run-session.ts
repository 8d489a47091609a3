import {setTimeout as delay} from 'node:timers/promises';
import {cleanText} from '../interface/clean-text.ts';
import {SwitchboardError, toSwitchboardError} from '../interface/errors.ts';
import {signalErrors} from '../interface/signal-errors.ts';
import {flush} from '../platform/flush.ts';
import {splitShellWords} from '../platform/split-shell-words.ts';
import {sessionFault} from '../settings/crash-report.ts';
import {type RemoteSession} from '../settings/remote-session.ts';
import {ChannelInput} from './channel-input.ts';
import {ChannelOutput} from './channel-output.ts';
import {commandName} from './command-name.ts';
import {createFlow, type RoundTrips} from './round-trips.ts';
import {type RunningSession, type SessionRequest} from './session-channel.ts';
import {createScope} from './session-scope.ts';

/** What a session can be. Both resolve to its exit code. */
export type SessionPrograms = {
	readonly openUi: (session: RemoteSession) => Promise<number>;
	readonly runCommand: (session: RemoteSession, words: readonly string[]) => Promise<number>;
};

export type SessionOptions = SessionPrograms & {
	readonly fingerprint: string;
	readonly profileName: string;
	readonly isReadOnly: boolean;
	/** Why it cannot start. */
	readonly problem: SwitchboardError | undefined;
	readonly roundTrips: RoundTrips;
	/** Reports an error in the session. */
	readonly reportFault: (error: unknown) => void;
	readonly onEnd: (ended: {readonly what: string; readonly exitCode: number}) => void;
};

/** A terminal shows frames, of which the newest counts; a pipe wants all bytes soon. */
const bytesUnderWay = {terminal: 8 * 1024, pipe: 256 * 1024};

const idleMilliseconds = 24 * 60 * 60 * 1000;

/** How long a session may take to end in order, for instance to look up what became of a change. */
const endingMilliseconds = 30_000;

/** After an error in it, a session can hardly end itself. */
const endingAfterFaultMilliseconds = 2000;

/** How long the last bytes may take. */
const flushMilliseconds = 10_000;

/** Resets all terminal modes that the screens set. */
const resetTerminal = '\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1049l\u{1B}[?25h\u{1B}[0m\r';

const noTerminal = new SwitchboardError('usage', 'The screens need a terminal.', {
	nextStep: 'Use ssh -t, or give a command, as in: ssh HOST installed. To list the commands: ssh HOST help',
});

const unclosed = new SwitchboardError('usage', 'The command has a quotation mark that is not closed, or ends with a backslash.', {nextStep: 'Quote it once more for the shell that runs ssh.'});

/** As commands print their errors. */
const linesOf = ({message, nextStep}: SwitchboardError): string => [message, nextStep].filter(Boolean).map(line => `${line}\n`).join('');

/** Runs the screens or a command on a channel, and closes it when they end. An error in them ends nothing else. */
export const runSession = (request: SessionRequest, options: SessionOptions): RunningSession => {
	const {channel, terminal, command} = request;
	const controller = new AbortController();
	const {promise: givenUp, resolve: giveUp} = Promise.withResolvers<number>();
	const words = command === undefined ? undefined : splitShellWords(command);
	const what = command === undefined ? 'shell' : commandName(words ?? []);
	let fault: SwitchboardError | undefined;
	let isOver = false;

	const end = (reason: SwitchboardError, milliseconds = endingMilliseconds): void => {
		if (!controller.signal.aborted) {
			scope.enter(() => {
				// Whoever was told that the session ends has nothing more done, also by what waits in the queue.
				stdin.stop();
				controller.abort(reason);
			});
		}

		setTimeout(giveUp, milliseconds, reason.exitCode).unref();
	};

	const scope = createScope(error => {
		options.reportFault(error);
		if (isOver || fault !== undefined) {
			return;
		}

		fault = sessionFault(command === undefined ? 'session' : 'command', error);
		end(fault, endingAfterFaultMilliseconds);
	});

	const idleTimer = setTimeout(end, idleMilliseconds, new SwitchboardError('timeout', 'This session was not used for a day.', {nextStep: 'Connect again.'}));
	idleTimer.unref();
	const onActivity = (): void => {
		idleTimer.refresh();
	};

	const outputOptions = {
		terminal,
		onActivity: command === undefined ? () => undefined : onActivity,
		onOverflow() {
			end(new SwitchboardError('too-large', 'The line is too slow for the output.'), 0);
		},
		enter: scope.enter,
	};
	const flow = () => createFlow(options.roundTrips, terminal === undefined ? bytesUnderWay.pipe : bytesUnderWay.terminal);
	const stdout = new ChannelOutput({...outputOptions, target: channel, flow: flow()});
	// A terminal is one output.
	const stderr = terminal === undefined ? new ChannelOutput({...outputOptions, target: channel.stderr, flow: flow()}) : stdout;
	const stdin = new ChannelInput(channel, {
		isTerminal: terminal !== undefined,
		isRaw: command === undefined,
		onInterrupt() {
			end(signalErrors.SIGINT);
		},
	});
	const session: RemoteSession = {
		fingerprint: options.fingerprint,
		profileName: options.profileName,
		isReadOnly: options.isReadOnly,
		env: request.env,
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

	const runToItsEnd = async (): Promise<number> => {
		try {
			return await (scope.enter(run) ?? givenUp);
		} catch (error) {
			scope.fail(error);
			// There is nothing left that could end in order.
			giveUp(1);
			return givenUp;
		}
	};

	const finish = async (): Promise<void> => {
		const startedEnding = Symbol('given up');
		const result = await Promise.race([runToItsEnd(), givenUp.then(() => startedEnding)]);
		isOver = true;
		clearTimeout(idleTimer);
		const reason = controller.signal.aborted ? toSwitchboardError(controller.signal.reason) : undefined;
		if (typeof result === 'symbol' && reason !== undefined) {
			stderr.write(`${command === undefined ? resetTerminal : ''}${linesOf(reason)}`);
		}

		const exitCode = fault?.exitCode ?? (typeof result === 'symbol' ? reason?.exitCode ?? 1 : result);
		await Promise.race([Promise.all([flush(stdout), flush(stderr)]), delay(flushMilliseconds, undefined, {ref: false})]);
		for (const output of [stdout, stderr]) {
			output.drop();
		}

		channel.exit(exitCode);
		channel.end();
		// What was typed and not read.
		channel.resume();
		options.onEnd({what: cleanText(what, 60), exitCode});
	};

	void finish();
	return {
		receive(chunk) {
			onActivity();
			scope.enter(() => {
				stdin.receive(chunk);
			});
		},
		endInput() {
			scope.enter(() => {
				stdin.end();
			});
		},
		resize(columns, rows) {
			scope.enter(() => {
				stdout.resize(columns, rows);
			});
		},
		end(reason) {
			end(reason);
		},
		hangUp() {
			scope.enter(() => {
				stdout.drop();
				stderr.drop();
				stdin.end();
			});
			end(new SwitchboardError('hangup', 'The line was cut.'));
		},
	};
};
