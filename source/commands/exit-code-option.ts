import type {Context} from './context.ts';

/** Tells scripts that there is a difference (`CONTRACT.md`). */
export const differenceExitCode = 10;

export type ExitCodeOption = {readonly exitCode?: boolean};

/** The option of commands that show what another would change. */
export const exitCodeOption = ['--exit-code', `exit with ${differenceExitCode} if there is something to change`] as const;

/** Ends a command that shows such changes. */
export const exitWithDifference = ({exitWith}: Context, {exitCode: isWanted = false}: ExitCodeOption, changes: readonly unknown[]): void => {
	if (isWanted && changes.length > 0) {
		exitWith(differenceExitCode);
	}
};
