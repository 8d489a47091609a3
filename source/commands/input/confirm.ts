import {SwitchboardError, toSwitchboardError} from '../../interface/errors.ts';
import {isInteractive, outputWidth, type Context} from '../context.ts';

/** How a question is refused if nobody can answer it. */
export type Unaskable = {
	/** The use of standard input that prevents an answer, such as `has the names`. */
	readonly taken?: string | undefined;
};

/**
Refuses a question if nobody can answer it. A command without a question, or with unknown names, ends before this.

@throws SwitchboardError `usage`
*/
export function refuseUnaskable(context: Context, {taken}: Unaskable = {}): void {
	if (isInteractive(context) && taken === undefined) {
		return;
	}

	const reason = taken === undefined ? 'there is no terminal to ask on' : `standard input ${taken}`;
	throw new SwitchboardError('usage', `This needs a yes, and ${reason}.`, {nextStep: 'Add --yes.'});
}

/**
Prints that nothing was done.

@param isCut - true if the command was cut short at the question: then only `--json` prints it, because a person needs only the error.
*/
type Report = (isCut: boolean) => Promise<void>;

type Otherwise = {
	/** A sentence that says what stays as it was. */
	readonly ifNo: string;
	readonly report?: Report | undefined;
};

/**
Asks a question that only `y` or `yes` confirms, and otherwise ends the command with an error, which a script cannot take for success. The
time of the answer does not count. Look up first whether there is a question.

@param question - the question, or a function that looks it up.
@throws SwitchboardError `usage` if nobody can answer, `cancelled` after a no, `interrupted` after Ctrl+C.
*/
export async function requireYes(
	context: Context,
	question: string | (() => Promise<string>),
	{ifNo, report, ...unaskable}: Otherwise & Unaskable,
): Promise<void> {
	refuseUnaskable(context, unaskable);
	await askForYes(context, question, {ifNo, report});
}

/** Asks a question that only `y` or `yes` confirms, and ends the command otherwise. */
async function askForYes(context: Context, question: string | (() => Promise<string>), {ifNo, report}: Otherwise): Promise<void> {
	const askAndReport = async (): Promise<void> => {
		let answer: string;
		try {
			const text = typeof question === 'string' ? question : await question();
			const [{ask}, {wrapText}] = await Promise.all([import('./ask.ts'), import('../../terminal/wrap.ts')]);
			// Leaves room for the answer on the last line.
			const width = outputWidth(context.streams.stderr) - 5;
			const lines = `${text} [y/N]`.split('\n').flatMap(line => (line.length <= width ? [line] : wrapText(line, width)));
			answer = await context.waitFor(async () => ask(context, {text: `${lines.join('\n')} `, isFresh: true}));
		} catch (error) {
			if (context.options.isJson && (toSwitchboardError(error).kind === 'interrupted' || context.readSignal.aborted)) {
				await report?.(true);
			}

			throw error;
		}

		if (['y', 'yes'].includes(answer.trim().toLowerCase())) {
			return;
		}

		await report?.(false);
		throw new SwitchboardError('cancelled', ifNo);
	};

	// After a signal at the question, the command ends only when this is printed.
	await context.finishBeforeExit(askAndReport());
}

/**
Asks before a change that scripts make without a question: only on a terminal, without `--yes`, and not in a dry run.

@param ifNo - a sentence that says what stays as it was.
@param printUnchanged - prints the value of `--json` if nothing was done.
@returns true if the question was asked and answered with yes; that may have taken long.
@throws SwitchboardError `cancelled` after a no, `interrupted` after Ctrl+C.
*/
export async function confirmOnTerminal(
	context: Context,
	question: string | (() => Promise<string>),
	ifNo: string,
	printUnchanged?: Report,
): Promise<boolean> {
	const isAsked = !context.isSure && !context.isDryRun && isInteractive(context);
	if (isAsked) {
		await askForYes(context, question, {ifNo, report: context.options.isJson ? printUnchanged : undefined});
	}

	return isAsked;
}
