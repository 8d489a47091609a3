import {cleanText} from '../clean-text.ts';
import {SwitchboardError} from '../errors.ts';

/** The field of the upload that contains the package (`LIVE-SERVICE.md`, Upload). */
const field = 'zip_file';

/** The error for a package that breaks a rule. */
export const refusal = (message: string, nextStep?: string, cause?: unknown): SwitchboardError =>
	new SwitchboardError('refused', message, {field, nextStep, cause});

/** The error for a package that is over a limit. */
export const oversize = (message: string, nextStep = 'Leave out files that the ability does not need to run.'): SwitchboardError =>
	new SwitchboardError('too-large', message, {field, nextStep});

/** A path from outside for a message: quoted, short and safe for a terminal. */
export const quotePath = (path: string): string => `“${cleanText(path, 120)}”`;
