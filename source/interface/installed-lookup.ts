import type {Ability, AbilityVersion, InstalledAbility} from './records.ts';

/**
Returns a function that finds the installed record of an ability: by the ability's id if the installed record has it, else by name. Some
services connect the two only by name (`docs/interface.md`, Records).
*/
export function installedLookup(installed: readonly InstalledAbility[]): (ability: Ability) => InstalledAbility | undefined {
	const byAbilityId = new Map<number, InstalledAbility>();
	const byName = new Map<unknown, InstalledAbility>();
	for (const record of installed) {
		if (record.abilityId === undefined) {
			byName.set(record.raw['name'], record);
		} else {
			byAbilityId.set(record.abilityId, record);
		}
	}

	byName.delete(undefined);
	byName.delete(null);
	return ability => byAbilityId.get(ability.id) ?? byName.get(ability.raw['name']);
}

/**
Returns the installed record that still has the former name of an ability, and may be tied to it by that.

@param abilities - as they are listed after the ability was renamed.
*/
export function findLeftBehind(
	installed: readonly InstalledAbility[],
	abilities: readonly Ability[],
	{id, raw}: Ability,
): InstalledAbility | undefined {
	return abilities.some(other => other.raw['name'] === raw['name'])
		? undefined
		: installed.find(record => record.raw['name'] === raw['name'] && (record.abilityId ?? id) === id);
}

/** Returns the reverse: a function that finds the ability of an installed record. */
export function abilityLookup(abilities: readonly Ability[]): (installed: InstalledAbility) => Ability | undefined {
	const byId = new Map(abilities.map(ability => [ability.id, ability]));
	const byName = new Map<unknown, Ability>(abilities.map(ability => [ability.raw['name'], ability]));
	byName.delete(undefined);
	byName.delete(null);
	return ({abilityId, raw}) => (abilityId === undefined ? byName.get(raw['name']) : byId.get(abilityId));
}

/** Returns the newest change of an ability and its installed record; `undefined` if neither shows a time. */
export function newestChange(...records: ReadonlyArray<Pick<Ability, 'changedAt'> | undefined>): number | undefined {
	const times = records.flatMap(record => record?.changedAt ?? []);
	return times.length === 0 ? undefined : Math.max(...times);
}

const isNamed = ({raw}: Ability | InstalledAbility): boolean => raw['name'] !== undefined && raw['name'] !== null;

/**
Returns a test for abilities without an installed record: true if the ability is certainly not installed, because the service says so or
shows the field that would connect the two. If the service shows only the records' own ids, this is unknown.
*/
export function absenceCheck(installed: readonly InstalledAbility[]): (ability: Ability) => boolean {
	const areAllTiedById = installed.every(({abilityId}) => abilityId !== undefined);
	const areAllTied = installed.every(record => record.abilityId !== undefined || isNamed(record));
	return ability => ability.isInstalled === false || areAllTiedById || (areAllTied && isNamed(ability));
}

/** Returns the release of an ability that is in use, as far as the list shows it. */
export function releaseInUse({versions}: Pick<Ability, 'versions'>): AbilityVersion | undefined {
	return versions.find(({isEnabled}) => isEnabled) ?? (versions.length === 1 ? versions[0] : undefined);
}

/** Returns the version of an ability that is in use, as far as the list shows it. */
export function versionInUse(ability: Pick<Ability, 'versions'>): string | undefined {
	return releaseInUse(ability)?.version;
}

/**
Returns the draft of an ability: its newest version that is not committed. Older drafts cannot be edited (`docs/interface.md`, Changes).
*/
export function draftOf({versions}: Pick<Ability, 'versions'>): (AbilityVersion & {readonly id: number}) | undefined {
	return versions
		.filter((version): version is AbilityVersion & {readonly id: number} => version.isCommitted === false && version.id !== undefined)
		.toSorted((first, second) => second.id - first.id)[0];
}

/** Returns the state of an installed ability in a word, for tables and screens; `?` if the service does not show it. */
export function stateWord(isEnabled: boolean | undefined): string {
	return isEnabled === undefined ? '?' : isEnabled ? 'on' : 'off';
}
