import type {ResourceList} from '../../client/client.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {indexNames} from '../../interface/name-index.ts';
import type {Ability} from '../../interface/records.ts';
import {showsAllNames} from '../../state/list-index.ts';

/**
The ability of this name, in any case; `undefined` if there is none, so that it can be created.

@throws SwitchboardError `ambiguous` if there are several; `not-found` if the list does not tell whether there is one.
*/
export const findAbilityNamed = (abilities: ResourceList<Ability>, name: string): Ability | undefined => {
	const [found, ...others] = indexNames(abilities.records).find(name);
	if (others.length > 0) {
		const ids = [found!, ...others].map(({id}) => id).join(', ');
		throw new SwitchboardError('ambiguous', `Several abilities are named ${name}: ${ids}.`, {
			nextStep: 'Look at them with: switchboard abilities get ID',
		});
	}

	if (found === undefined && !showsAllNames(abilities)) {
		throw new SwitchboardError('not-found', `The service does not show the names of all its abilities, so it is not known whether it has ${name}.`, {
			nextStep: 'If it is new, upload it: switchboard abilities upload FOLDER',
		});
	}

	return found;
};
