import type {Command} from 'commander';
import {SwitchboardError} from '../../interface/errors.ts';

/** Parses the value of an option that may be given several times. */
export const collectValues = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];

/**
Lets a command and its subcommands refuse an option that takes one value if it is given twice: Commander drops the first without a
word, which may be one that protects something.
*/
export const refuseRepeatedOptions = (command: Command): void => {
	for (const option of command.options) {
		if (!option.required || option.parseArg === collectValues) {
			continue;
		}

		let isGiven = false;
		command.on(`option:${option.name()}`, () => {
			if (isGiven) {
				throw new SwitchboardError('usage', `${option.long!} is given twice.`, {nextStep: 'Give it once.'});
			}

			isGiven = true;
		});
	}

	for (const subcommand of command.commands) {
		refuseRepeatedOptions(subcommand);
	}
};
