import {SwitchboardError} from '../interface/errors.ts';
import {hasIdentifier} from '../interface/endpoints.ts';
import {type Ability} from '../interface/records.ts';
import {type ListReader} from './read-list.ts';
import {isUnknown, type Router} from './routes.ts';

/**
Deletes an ability: by the documented path, then as public clients do (`LIVE-SERVICE.md`, Paths).

@throws SwitchboardError `not-found` where no path is known, or the list does not have the ability any more.
*/
export const deleteAbility = async (router: Router, readList: ListReader, ability: Pick<Ability, 'id' | 'name'>): Promise<void> => {
	const {id, name} = ability;
	try {
		await router.call('deleteAbility', id, ({path}) => hasIdentifier(path) ? {} : {json: {capability_ids: [id]}});
	} catch (error) {
		if (!isUnknown(error)) {
			throw error;
		}

		const {records, isComplete} = await readList('abilities');
		const isListed = records.some(record => record.id === id);
		if (!isListed && !isComplete) {
			// What a list that was cut short does not show may be there all the same.
			throw error;
		}

		if (!isListed && error.isOutcomeUnknown) {
			// The first try was cut off, and had deleted it.
			return;
		}

		throw isListed
			? new SwitchboardError('not-found', `The service lists ${name} but does not know how to delete it (HTTP ${error.status}).`, {status: error.status, nextStep: 'Delete it in the dashboard.'})
			: new SwitchboardError('not-found', `${name} is not there any more.`, {status: error.status});
	}
};
