import process from 'node:process';
import {clearTimeout as stopTimer, setImmediate as afterThisTurn, setTimeout as startTimer} from 'node:timers';
import type {ReactElement} from 'react';
import {render} from 'ink-testing-library';

// The library's terminal has no rows. Without a size from here Ink would start programs to find one for each frame.
process.env['COLUMNS'] ??= '100';
process.env['LINES'] ??= '24';

/** Renders with Ink to the terminal of its testing library. */
export function renderInk(element: ReactElement) {
	const ink = render(element);
	const waiting = new Set<() => void>();
	const {write} = ink.stdout;
	ink.stdout.write = frame => {
		write(frame);
		for (const wake of waiting) {
			wake();
		}

		waiting.clear();
	};

	return {
		...ink,
		/** Waits for the next frame, and whatever is drawn in the same turn, but no longer than this. The runner's clock does not stop it. */
		async nextFrame(milliseconds: number) {
			await new Promise<void>(resolve => {
				const timer = startTimer(() => {
					waiting.delete(wake);
					resolve();
				}, milliseconds);
				const wake = (): void => {
					stopTimer(timer);
					afterThisTurn(resolve);
				};

				waiting.add(wake);
			});
		},
	};
}
