import {type JsonValue} from '../interface/json.ts';

/** What kinds of record change, in the words of the state file. */
export type ChangeKind = 'agent' | 'ability' | 'installed';

/**
One field of one record that differs: what `plan` and `apply` would change, or what `watch` saw change (`CONTRACT.md`). A field
has the name that it has in the state file; `installed` and `exists` are whether there is such a record at all, from false to
true when it is installed or created. `source` goes from the version on the service (null where there is no such ability, empty
where the service shows none) to the folder. `version` is the one in use; no state file has it.
*/
export type Change = {
	readonly kind: ChangeKind;
	readonly name: string;
	readonly field: 'enabled' | 'triggers' | 'installed' | 'exists' | 'source' | 'name' | 'prompt' | 'abilities' | 'category' | 'description' | 'version';
	/** Null if it is not known. */
	readonly from: JsonValue;
	readonly to: JsonValue;
};
