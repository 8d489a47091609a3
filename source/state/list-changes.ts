import {isSameJson, type JsonValue} from '../interface/json.ts';
import {rawName, type Records, type Resource} from '../interface/records.ts';
import {versionInUse} from '../interface/version-in-use.ts';
import {type Change, type ChangeKind} from './change.ts';

/** What the ids of abilities stand for, for the abilities of agents. */
export type AbilityNames = (id: number) => string;

type Field<R extends Resource> = {
	readonly field: Change['field'];
	/** `undefined` if the service does not show it. */
	readonly read: (record: Records[R], nameOf: AbilityNames) => JsonValue | undefined;
};

const isShown = (value: JsonValue | undefined): value is JsonValue => value !== undefined && value !== null;

/** A field that stands in the record as it is. */
const plain = (field: Change['field'], rawField: string = field): Field<Resource> => ({field, read: ({raw}) => isShown(raw[rawField]) ? raw[rawField] : undefined});

const triggers: Field<'abilities' | 'installed'> = {field: 'triggers', read: ({raw, triggerPhrases}) => isShown(raw['trigger_words']) ? triggerPhrases : undefined};

/** An empty one is not shown. */
const version: Field<'abilities'> = {
	field: 'version',
	read(ability) {
		const inUse = versionInUse(ability);
		return inUse === '' ? undefined : inUse;
	},
};

const fields: {readonly [R in Resource]: ReadonlyArray<Field<R>>} = {
	agents: [
		plain('name'),
		plain('prompt', 'description'),
		{field: 'abilities', read: ({abilityIds}, nameOf) => abilityIds?.map(id => nameOf(id)).toSorted()},
	],
	abilities: [plain('name'), plain('category'), plain('description'), triggers, version],
	installed: [plain('name'), {field: 'enabled', read: ({isEnabled}) => isEnabled}, plain('category'), triggers],
};

export const changeKinds: Readonly<Record<Resource, ChangeKind>> = {agents: 'agent', abilities: 'ability', installed: 'installed'};

/**
How a record differs from what it was. A field that one of both does not show is no change. A new name comes first, told of the old one;
what else changed is told of the new one.

@param nameOf - names the abilities of agents, also those that are gone.
*/
export const recordChanges = <R extends Resource>(resource: R, before: Records[R], after: Records[R], nameOf: AbilityNames): readonly Change[] => fields[resource].flatMap(({field, read}) => {
	const from = read(before, nameOf);
	const to = read(after, nameOf);
	return from === undefined || to === undefined || isSameJson(from, to)
		? []
		: [{
			kind: changeKinds[resource], name: rawName(field === 'name' ? before : after), field, from, to,
		}];
});

/** The change of a record that came, or is gone. */
export const presenceChange = <R extends Resource>(resource: R, record: Records[R], isThere: boolean): Change => ({
	kind: changeKinds[resource], name: rawName(record), field: resource === 'installed' ? 'installed' : 'exists', from: !isThere, to: isThere,
});
