import {type InstalledState} from '../../hooks/use-installed.ts';

/** “12 installed, 9 on”; empty while it is not known. */
export const installedCounts = ({records, enabledCount}: InstalledState): string =>
	records === undefined ? '' : `${records.length} installed, ${enabledCount} on`;
