import {type SwitchboardError} from '../interface/errors.ts';
import {type AbilityDraft, type AbilityOverrides} from './ability-draft.ts';
import {examineAbility} from './examine-ability.ts';

/** What a form shows before an upload. */
export type InspectedAbility = AbilityDraft & {
	/** All files together, without what was left out. */
	readonly sizeBytes: number;
	/** All that keeps it from being uploaded, each naming its field; none means that it is ready. */
	readonly problems: readonly SwitchboardError[];
};

/**
Looks at an ability without packing it: the fields as its `config.json` and the overrides have them, and everything that is
wrong, instead of the first thing. Never throws for what is wrong with the input.
*/
export const inspectAbility = async (path: string, overrides: AbilityOverrides = {}): Promise<InspectedAbility> => {
	const {draft, problems} = await examineAbility(path, overrides);
	return {...draft, sizeBytes: draft.files.reduce((total, {size}) => total + size, 0), problems};
};
