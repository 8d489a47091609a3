import {cleanText} from '../clean-text.ts';
import {SwitchboardError} from '../errors.ts';

/** The upload's field that all refusals of a package name (`LIVE-SERVICE.md`, Upload). */
const field = 'zip_file';

/** A package that breaks a rule. */
export const refusal = (message: string, nextStep?: string, cause?: unknown): SwitchboardError =>
	new SwitchboardError('refused', message, {field, nextStep, cause});

/** A package that is over a limit. */
export const oversize = (message: string, nextStep = 'Leave out what the ability does not need to run.'): SwitchboardError =>
	new SwitchboardError('too-large', message, {field, nextStep});

/** A path from outside as part of a sentence: quoted, short and fit for a terminal. */
export const quotePath = (path: string): string => `“${cleanText(path, 120)}”`;
