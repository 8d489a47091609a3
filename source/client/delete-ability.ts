import {SwitchboardError} from '../interface/errors.ts';
import {hasIdentifier} from '../interface/endpoints.ts';
import {type Ability} from '../interface/records.ts';
import {type ListReader} from './read-list.ts';
import {isUnknown, type Router} from './routes.ts';

/** What a list that cannot be read, or is cut short, does not show may be there all the same. */
const findPlace = async (readList: ListReader, id: number, signal: AbortSignal | undefined): Promise<'listed' | 'gone' | 'unknown'> => {
	try {
		const {records, isComplete} = await readList('abilities', signal);
		return records.some(record => record.id === id) ? 'listed' : (isComplete ? 'gone' : 'unknown');
	} catch {
		return 'unknown';
	}
};

/**
Deletes an ability: by the documented path, then as public clients do (`LIVE-SERVICE.md`, Paths).

@param signal - cancels it; nothing is sent after that.
@throws SwitchboardError `not-found` where no path is known, or the list does not have the ability any more.
*/
export const deleteAbility = async (router: Router, readList: ListReader, ability: Pick<Ability, 'id' | 'name'>, signal?: AbortSignal): Promise<void> => {
	const {id, name} = ability;
	try {
		await router.call('deleteAbility', id, ({path}) => ({signal, ...(!hasIdentifier(path) && {json: {capability_ids: [id]}})}));
	} catch (error) {
		if (!isUnknown(error)) {
			throw error;
		}

		const {status, isOutcomeUnknown} = error;
		switch (await findPlace(readList, id, signal)) {
			case 'listed': {
				// Where an earlier try was cut off, it may still be deleted.
				throw isOutcomeUnknown ? error : new SwitchboardError('not-found', `The service lists ${name} but does not know how to delete it (HTTP ${status}).`, {status, nextStep: 'Delete it in the dashboard.'});
			}

			case 'gone': {
				if (isOutcomeUnknown) {
					// The first try was cut off, and had deleted it.
					return;
				}

				throw new SwitchboardError('not-found', `${name} is not there any more.`, {status});
			}

			case 'unknown': {
				throw error;
			}
		}
	}
};
