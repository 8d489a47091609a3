import type {Command} from 'commander';
import {SwitchboardError} from '../../interface/errors.ts';

/**
Lets a command refuse `--NAME` together with `--no-NAME`. Commander takes both as one option of which the last wins, which
might remove everything by mistake.

@returns what throws a `usage` error if both were given.
*/
export const refuseBoth = (command: Command, name: string): (() => void) => {
	const given = new Set<string>();
	for (const flag of [name, `no-${name}`]) {
		command.on(`option:${flag}`, () => {
			given.add(flag);
		});
	}

	return () => {
		if (given.size > 1) {
			throw new SwitchboardError('usage', `--${name} and --no-${name} cannot be used together.`, {nextStep: 'Use one of them.'});
		}
	};
};
