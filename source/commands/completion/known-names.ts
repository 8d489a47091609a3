import {categoryLabel} from '../../interface/categories.ts';
import {decodeList} from '../../interface/lists.ts';
import type {Resource} from '../../interface/records.ts';
import {openLastSeenOf} from '../../settings/last-seen.ts';
import {presetAccountOf} from '../../settings/preset-account.ts';
import {openPresets} from '../../settings/presets.ts';
import {localProfileName} from '../../settings/profile.ts';
import {peekSettings} from '../../settings/settings.ts';
import {resolveTarget, type Target} from '../../settings/target.ts';
import type {Candidate} from './candidates.ts';

/** The names of the profiles and of the bundled service. */
export const profileNames = (): readonly Candidate[] => [
	...peekSettings().profiles().map(({name, baseAddress}) => ({word: name, meaning: baseAddress})),
	{word: localProfileName, meaning: 'the bundled service on this machine'},
];

export type NamesOptions = {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly profile: string | undefined;
	readonly baseUrl: string | undefined;
	/** The data folder of the bundled service, from `--data`, and its database, from `--database-url`. */
	readonly data: string | undefined;
	readonly databaseUrl: string | undefined;
};

/** The target that a command with these options would use. */
const targetOf = (options: NamesOptions): Target => resolveTarget({
	...options,
	settings: peekSettings(),
	isInsecureHttpAllowed: true,
	isForUi: false,
});

type Named = {readonly id: number; readonly name: string};

/** Each record by its name, or by its id if the name is ambiguous or cannot stand in a list with commas. */
const toCandidates = <Record_ extends Named>(records: readonly Record_[], meaningOf: (record: Record_) => string, isListed = false): readonly Candidate[] => {
	const ids = new Set(records.map(({id}) => String(id)));
	const counts = new Map<string, number>();
	const keyOf = ({name}: Named): string => name.normalize('NFC').toLowerCase();
	for (const record of records) {
		counts.set(keyOf(record), (counts.get(keyOf(record)) ?? 0) + 1);
	}

	return records.map(record => {
		const {id, name} = record;
		// An id beats a name.
		const isClear = counts.get(keyOf(record)) === 1 && !ids.has(name) && !(isListed && name.includes(','));
		return isClear ? {word: name, meaning: meaningOf(record), isAnyCase: true} : {word: String(id), meaning: name};
	});
};

/**
The names in the stored list of the service that a command with these options would use, with ids instead of ambiguous names.
Makes no request; empty if no list is stored.

@param isListed - true if several may be given, separated by commas.
*/
export const lastSeenNames = (resource: Resource, options: NamesOptions, isListed = false): readonly Candidate[] => {
	const records = decodeList(resource, openLastSeenOf(targetOf(options)).load(resource)?.records)?.records ?? [];
	return toCandidates(records, record => 'category' in record ? categoryLabel(record.category) : '', isListed);
};

/** The presets of the service that a command with these options would use. */
export const presetNames = (options: NamesOptions): readonly Candidate[] => {
	const presets = openPresets(presetAccountOf(targetOf(options)), {note() {/* Completion says nothing. */}}).peek();
	return presets.map(({name, on, off}) => ({word: name, meaning: `${on.length} on, ${off.length} off`, isAnyCase: true}));
};

/** The keys of the bundled service; none if it has no database, which is not created. */
export const keyNames = async ({env, data, databaseUrl}: NamesOptions): Promise<readonly Candidate[]> => {
	const [{chooseLocation}, {hasStore}] = await Promise.all([import('../database-option.ts'), import('../../service/store/open-store.ts')]);
	const location = await chooseLocation({data, databaseUrl}, env);
	if (!await hasStore(location)) {
		return [];
	}

	const {openApiKeys} = await import('../../service/api-keys.ts');
	const keys = await openApiKeys(location);
	try {
		return toCandidates(await keys.list(), ({account}) => `account ${account}`);
	} finally {
		await keys.close();
	}
};
