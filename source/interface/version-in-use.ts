import {type Ability} from './records.ts';

/** The version of an ability that runs, as far as the list shows it. */
export const versionInUse = ({versions}: Pick<Ability, 'versions'>): string | undefined =>
	(versions.find(({isEnabled}) => isEnabled) ?? (versions.length === 1 ? versions[0] : undefined))?.version;
