import {decodeList} from '../../interface/lists.ts';
import type {Resource} from '../../interface/records.ts';
import {openLastSeenOf} from '../../settings/last-seen.ts';
import {localProfileName} from '../../settings/profile.ts';
import {peekSettings} from '../../settings/settings.ts';
import {resolveTarget} from '../../settings/target.ts';

/** The names of profiles, and that of the bundled service. */
export const profileNames = (): readonly string[] => [...peekSettings().profiles().map(({name}) => name), localProfileName];

export type NamesOptions = {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly profile: string | undefined;
	readonly baseUrl: string | undefined;
};

/**
The names in the list last seen of the service that a command with these options would use, an id in place of a name that
several have. Nothing is requested; where no list was seen there is none.
*/
export const lastSeenNames = (resource: Resource, options: NamesOptions): readonly string[] => {
	const target = resolveTarget({
		...options,
		settings: peekSettings(),
		isInsecureHttpAllowed: true,
		isForUi: false,
	});
	const records = decodeList(resource, openLastSeenOf(target).load(resource)?.records)?.records ?? [];
	const counts = new Map<string, number>();
	for (const {name} of records) {
		counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
	}

	return records.map(({id, name}) => counts.get(name.toLowerCase()) === 1 ? name : String(id));
};
