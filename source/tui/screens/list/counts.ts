import {type InstalledState} from '../../hooks/use-installed.ts';

/** “12 installed, 9 on”, and how many have an unknown state; empty while unknown. */
export const installedCounts = ({records, enabledCount, hiddenCount}: InstalledState): string =>
	records === undefined ? '' : `${records.length} installed, ${enabledCount} on${hiddenCount === 0 ? '' : `, ${hiddenCount} ?`}`;

/** “4 agents”; empty while unknown. */
export const agentCounts = (agents: readonly unknown[] | undefined): string =>
	agents === undefined ? '' : (agents.length === 1 ? '1 agent' : `${agents.length} agents`);

/** “4 abilities, 3 installed”, the second once it is known; empty while the first is unknown. */
export const abilityCounts = (abilities: readonly unknown[] | undefined, installedCount: number | undefined): string => {
	if (abilities === undefined) {
		return '';
	}

	const all = abilities.length === 1 ? '1 ability' : `${abilities.length} abilities`;
	return installedCount === undefined ? all : `${all}, ${installedCount} installed`;
};
