import {SwitchboardError} from '../../interface/errors.ts';
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
	context.waitFor(async () => askYesOrNo(context, question, context.signal));
