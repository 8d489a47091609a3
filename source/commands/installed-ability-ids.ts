import {abilityLookup} from '../interface/installed-lookup.ts';
import type {InstalledAbility} from '../interface/records.ts';
import type {Context} from './context.ts';
import {readList} from './read-list.ts';
import type {Service} from './with-service.ts';

/**
Finds the id of the ability that an installed record belongs to. Reads the list of abilities if the service connects the two by
name alone.
*/
export const lookUpAbilityIds = async (context: Context, service: Service, installed: readonly InstalledAbility[]): Promise<(record: InstalledAbility) => number | undefined> => {
	if (installed.every(({abilityId}) => abilityId !== undefined)) {
		return ({abilityId}) => abilityId;
	}

	const abilityOf = abilityLookup(await readList(context, service, 'abilities'));
	return record => record.abilityId ?? abilityOf(record)?.id;
};
