import type {ResourceList} from '../../client/client.ts';
import {SwitchboardError} from '../../interface/errors.ts';
import {foldName} from '../../interface/fold-name.ts';
import type {Ability} from '../../interface/records.ts';

const isNamed = ({raw}: Ability): boolean => typeof raw['name'] === 'string' && raw['name'] !== '';

/**
The ability of this name, in any case; `undefined` if there is none, so that it can be created.

@throws SwitchboardError `ambiguous` if there are several; `not-found` if the list does not tell whether there is one.
*/
export const findAbilityNamed = ({records, isComplete}: ResourceList<Ability>, name: string): Ability | undefined => {
	const [found, ...others] = records.filter(record => foldName(record.name) === foldName(name));
	if (others.length > 0) {
		const ids = [found!, ...others].map(({id}) => id).join(', ');
		throw new SwitchboardError('ambiguous', `Several abilities are named ${name}: ${ids}.`, {
			nextStep: 'Look at them with: switchboard abilities get ID',
		});
	}

	// Creating one that is there already would make two.
	if (found === undefined && !(isComplete && records.every(record => isNamed(record)))) {
		throw new SwitchboardError('not-found', `The service does not show the names of all its abilities, so it is not known whether it has ${name}.`, {
			nextStep: 'If it is new, upload it: switchboard abilities upload FOLDER',
		});
	}

	return found;
};
