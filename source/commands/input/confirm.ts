import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {isInteractive, type Context} from '../context.ts';
import {askYesOrNo} from './ask.ts';

/**
Refuses a command that has to ask where nobody can answer; call it before anything is sent.

@param isSure - true if `--yes` was given.
@param verb - what the command does, such as `delete`.
@param isInputTaken - true if standard input has the names.
@throws SwitchboardError `usage`
*/
export const refuseUnaskable = (context: Context, isSure: boolean, verb: string, isInputTaken = false): void => {
	if (isSure || (isInteractive(context) && !isInputTaken)) {
		return;
	}

	const reason = isInputTaken ? ': standard input has the names' : ' without a terminal';
	throw new SwitchboardError('usage', `Cannot ask for confirmation${reason}.`, {nextStep: `Use --yes to ${verb} without confirmation.`});
};

/** Asks a question that only `y` or `yes` confirms; the time that a person takes is not counted. */
export const confirm = async (context: Context, question: string): Promise<boolean> =>
	context.waitFor(async () => askYesOrNo(context, question));

/** Ends a command whose question was answered with no: a script must not take that for success. */
export const cancelled = (sentence: string): SwitchboardError => new SwitchboardError('cancelled', sentence);

/**
Prints that nothing was done.

@param isCut - true if the command was cut short at the question: that is for `--json` alone, since a person needs no more than the error.
*/
type Report = (isCut: boolean) => Promise<void>;

type Otherwise = {
	/** A sentence that says what stays as it was. */
	readonly ifNo: string;
	readonly report?: Report | undefined;
};

/**
Ends a command whose question is not answered with yes.

@param askFirst - looks up what the question has to say, and asks it.
@throws SwitchboardError `cancelled` if the answer is no, `interrupted` after Ctrl+C.
*/
export const requireYes = async (context: Context, askFirst: () => Promise<boolean>, {ifNo, report}: Otherwise): Promise<void> => {
	const askAndReport = async (): Promise<void> => {
		let isYes: boolean;
		try {
			isYes = await askFirst();
		} catch (error) {
			if (context.options.isJson && (toSwitchboardError(error).kind === 'interrupted' || context.readSignal.aborted)) {
				await report?.(true);
			}

			throw error;
		}

		if (isYes) {
			return;
		}

		await report?.(false);
		throw cancelled(ifNo);
	};

	// A signal at the question ends the command only when this is printed.
	await context.finishBeforeExit(askAndReport());
};

/**
Asks before a change that scripts make without a question: only on a terminal, without `--yes`, and not in a dry run.

@param ifNo - a sentence that says what stays as it was.
@param printUnchanged - prints the value of `--json` where nothing was done.
@returns true if it was asked and answered with yes; that may have taken long.
@throws SwitchboardError `cancelled` if the answer is no, `interrupted` after Ctrl+C.
*/
export const confirmOnTerminal = async (context: Context, isSure: boolean, question: string, ifNo: string, printUnchanged?: Report): Promise<boolean> => {
	const isAsked = !isSure && !context.isDryRun && isInteractive(context);
	if (isAsked) {
		await requireYes(context, async () => confirm(context, question), {ifNo, report: context.options.isJson ? printUnchanged : undefined});
	}

	return isAsked;
};
