import xterm from '@xterm/headless';

/** What to wait for: a text or pattern anywhere on the screen (lines joined by `\n`), or a condition on its lines. */
export type ScreenCondition = string | RegExp | ((lines: readonly string[]) => boolean);

/** True if the lines of a screen are what is waited for. */
export function isMet(condition: ScreenCondition, lines: readonly string[]): boolean {
	if (typeof condition === 'function') {
		return condition(lines);
	}

	const text = lines.join('\n');
	return typeof condition === 'string' ? text.includes(condition) : condition.test(text);
}

export const framed = (lines: readonly string[]): string => ['┌──', ...lines.map(line => `│ ${line}`), '└──'].join('\n');

type ScreenOptions = {
	readonly columns: number;
	readonly rows: number;
	readonly scrollback?: number;
	/** True for output that no terminal has made lines of. */
	readonly convertEol?: boolean;
	readonly deadlineMilliseconds?: number;
	/** Returns how the program has ended; `undefined` while it runs. */
	readonly ending?: () => string | undefined;
	/** Called when something did not come in time. */
	readonly onLate?: () => void;
};

/** Opens headless xterm.js as the screen of a program. */
export function createEmulatedScreen({columns, rows, scrollback = 0, convertEol = false, ending, onLate, ...options}: ScreenOptions) {
	const emulator = new xterm.Terminal({cols: columns, rows, allowProposedApi: true, scrollback, convertEol});
	const watchers = new Set<() => void>();

	/** The visible rows, without blanks at their ends. */
	const lines = (): readonly string[] => {
		const {active} = emulator.buffer;
		return Array.from(
			{length: emulator.rows},
			(_, row) =>
				active
					.getLine(active.viewportY + row)
					?.translateToString(false, 0, emulator.cols)
					.trimEnd() ?? '',
		);
	};

	/** Looks again whether what is waited for is there, or the program has ended. */
	const look = (): void => {
		for (const watcher of watchers) {
			watcher();
		}
	};

	return {
		emulator,
		lines,
		look,
		/** Draws bytes, after those before them. */
		async draw(bytes: string | Uint8Array): Promise<void> {
			await new Promise<void>(resolve => {
				emulator.write(bytes, resolve);
			});
			look();
		},
		/** @throws Error with the last screen, when the program has ended or the deadline has passed. */
		async waitFor(
			condition: ScreenCondition,
			{deadlineMilliseconds = options.deadlineMilliseconds ?? 20_000} = {},
		): Promise<readonly string[]> {
			return new Promise((resolve, reject) => {
				const settle = (reason: string | undefined): void => {
					const shown = lines();
					const hasSucceeded = isMet(condition, shown);
					if (!hasSucceeded && reason === undefined) {
						return;
					}

					watchers.delete(watcher);
					clearTimeout(timer);
					if (hasSucceeded) {
						resolve(shown);
					} else {
						reject(new Error(`${String(condition)} was not on the screen ${reason}:\n${framed(shown)}`));
					}
				};

				const watcher = (): void => {
					const how = ending?.();
					settle(how && `before the program ended with ${how}`);
				};

				const timer = setTimeout(() => {
					settle(`within ${deadlineMilliseconds} ms`);
					onLate?.();
				}, deadlineMilliseconds);
				watchers.add(watcher);
				watcher();
			});
		},
	};
}
