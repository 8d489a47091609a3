import {cleanLines, cleanText} from '../interface/clean-text.ts';
import type {SwitchboardError} from '../interface/errors.ts';
import {stringifyJson} from '../interface/json.ts';
import type {OutputStream} from '../platform/standard-streams.ts';
import {toAsciiText} from '../tui/terminal/ascii.ts';

/** An error in the form for scripts (`CONTRACT.md`): several problems of a state file are a line each. */
export const toPublicError = ({kind, message, nextStep = ''}: SwitchboardError): {readonly kind: string; readonly message: string} => ({
	kind,
	message: [cleanLines(message, 2000), cleanText(nextStep, 2000)].join(message.includes('\n') ? '\n' : ' ').trim(),
});

/** Prints the error that ends a command to its standard error: a sentence and the next step, or one JSON value. */
export const reportError = (
	error: SwitchboardError,
	{isJson, isDebug, isAscii}: {readonly isJson: boolean; readonly isDebug: boolean; readonly isAscii: boolean},
	stderr: OutputStream,
): void => {
	if (isDebug && error.kind === 'unexpected') {
		// Only the stack: the errors of requests contain their headers, and so the key.
		const {stack = ''} = error.cause instanceof Error ? error.cause : error;
		stderr.write(`${cleanLines(stack)}\n`);
	}

	const text = isJson
		? stringifyJson({error: toPublicError(error)}, 0)
		: cleanLines([error.message, error.nextStep].filter(Boolean).join('\n'));
	stderr.write(`${isAscii && !isJson ? toAsciiText(text) : text}\n`);
};
