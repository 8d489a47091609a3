/** A figure of the table: of the program alone, or beside a peer in the same run. */
export type Figure = {
	readonly what: string;
	/** The figure that the goal is for: a ratio, or what was measured itself. */
	readonly value: number;
	readonly goal: number;
	/** True if the goal is the least that is to be reached; otherwise it is the most. */
	readonly isGoalLeast?: boolean;
	readonly unit: '×' | 'B' | 'MB' | 'ms' | 's' | 'requests';
	/** What the value was made from, as it is to be read beside it. */
	readonly detail?: string;
};

const rounded = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

/** A ratio of two measured values, both in milliseconds. */
export function ratio(what: string, ours: number, peer: number, peerName: string, goal: number): Figure {
	return {what, value: ours / peer, goal, unit: '×', detail: `${rounded(ours)} ms, ${peerName} ${rounded(peer)} ms`};
}

/** The figures as lines of a table. */
export function tableOf(figures: readonly Figure[]): readonly string[] {
	const rows = [
		['', '', 'to reach', ''],
		...figures.map(({what, value, goal, unit, isGoalLeast = false, detail = ''}) => {
			const isReached = isGoalLeast ? value >= goal : value <= goal;
			return [what, `${rounded(value)} ${unit}`, `${isReached ? ' ' : '!'} ${isGoalLeast ? '≥' : '≤'} ${goal} ${unit}`, detail];
		}),
	];
	const widths = [0, 1, 2].map(column => Math.max(...rows.map(row => row[column]!.length)));
	return rows.map(([what, value, goal, detail]) =>
		`${what!.padEnd(widths[0]!)}  ${value!.padStart(widths[1]!)}  ${goal!.padEnd(widths[2]!)}  ${detail!}`.trimEnd(),
	);
}
