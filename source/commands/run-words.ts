import {type Command, CommanderError} from 'commander';
import {SwitchboardError} from '../interface/errors.ts';
import {createRun, type Surroundings} from './command.ts';
import {createCommandLine} from './command-line.ts';
import {isJsonWanted, versionFlags} from './global-option-table.ts';
import {hideKeys} from './hide-keys.ts';
import {reportError} from './report-error.ts';
import {asTypedOverSsh} from './ssh/ssh-words.ts';
import {toUsageError} from './usage-error.ts';

export type Outcome = {
	readonly exitCode: number;
	/** True if part of the command may still be running and the process must not wait for it. */
	readonly isCutShort: boolean;
};

const isHelpOf = (error: unknown): error is CommanderError =>
	error instanceof CommanderError && ['commander.helpDisplayed', 'commander.help', 'commander.version'].includes(error.code);

/** The error with a next step that can be typed without Switchboard. */
const withStepOverSsh = (error: SwitchboardError): SwitchboardError => {
	const {kind, message, nextStep, status, field, isOutcomeUnknown} = error;
	return nextStep === undefined
		? error
		: new SwitchboardError(kind, message, {
			nextStep: asTypedOverSsh(nextStep), status, field, isOutcomeUnknown, cause: error,
		});
};

/** Any command may be given a relative path. */
const isCurrentFolderGone = (error: unknown): boolean => error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';

/** What is no error of ours is a fault of the program, which is rare: most commands never load the code that reports it. */
const explain = async (error: unknown, {session}: Surroundings): Promise<SwitchboardError> => {
	if (error instanceof SwitchboardError) {
		return error;
	}

	if (session !== undefined) {
		const {explainSessionCrash} = await import('../settings/crash-report.ts');
		return explainSessionCrash(error, 'command');
	}

	if (isCurrentFolderGone(error)) {
		return new SwitchboardError('usage', 'The current folder does not exist any more.', {nextStep: 'Change to another folder.', cause: error});
	}

	const {explainCrash} = await import('../settings/crash-report.ts');
	return explainCrash(error);
};

const fail = async (error: unknown, program: Command, words: readonly string[], surroundings: Surroundings): Promise<number> => {
	const {env, streams, session} = surroundings;
	const isMisplaced = error instanceof CommanderError;
	const failure = hideKeys(isMisplaced ? toUsageError(error, program, words) : await explain(error, surroundings), {
		words, env, isMisplaced, isOverSsh: session !== undefined,
	});
	reportError(session === undefined ? failure : withStepOverSsh(failure), {isJson: isJsonWanted(words), isDebug: session === undefined && words.includes('--debug'), isAscii: words.includes('--ascii')}, streams.stderr);
	return failure.exitCode;
};

type WordsSurroundings = Surroundings & {
	/** Adapts the command line before the words are parsed. */
	readonly adapt?: (program: Command) => void;
};

/** Runs the command that the words name, and reports the error that ends it. */
export const runWords = async (given: readonly string[], {adapt, ...surroundings}: WordsSurroundings): Promise<Outcome> => {
	const words = given.length === 2 && given.includes('--json') && given.some(word => versionFlags.has(word)) ? ['version', '--json'] : given;
	let exitCode = 0;
	const program = createCommandLine(createRun(surroundings, code => {
		exitCode = code;
	}), surroundings.streams);
	adapt?.(program);
	try {
		await program.parseAsync([...words], {from: 'user'});
		return {exitCode, isCutShort: false};
	} catch (error) {
		const isHelp = isHelpOf(error);
		if (isHelp && error.exitCode === 0) {
			return {exitCode: 0, isCutShort: false};
		}

		// Commander has printed the usage in place of a missing command.
		if (isHelp && !isJsonWanted(words)) {
			return {exitCode: 2, isCutShort: false};
		}

		const failure = isHelp ? new SwitchboardError('usage', 'No command given.', {nextStep: 'List the commands with: switchboard --help'}) : error;
		// What failed may have left something open that would keep the process.
		return {exitCode: await fail(failure, program, words, surroundings), isCutShort: true};
	}
};
