import {type AbilityOverrides} from '../../source/bundle/ability-draft.ts';
import {packAbility} from '../../source/bundle/pack-ability.ts';
import {SwitchboardError} from '../../source/interface/errors.ts';

/** The refusal on one line: kind, field, message. Every one has a next step. */
export const refusalOf = async (path: string, overrides?: AbilityOverrides): Promise<string> => {
	try {
		await packAbility(path, overrides);
		return 'taken';
	} catch (error) {
		return (error instanceof SwitchboardError) ? `${error.kind} ${String(error.field)}: ${error.message}${error.nextStep === undefined ? ' (no next step)' : ''}` : `foreign: ${String(error)}`;
	}
};
