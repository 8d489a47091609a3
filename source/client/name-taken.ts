import {type SwitchboardError} from '../interface/errors.ts';
import {indexNames} from '../interface/name-index.ts';
import {type Ability} from '../interface/records.ts';

/**
True if a service refused an upload because it has an ability of that name. Not every service says so by a status of its own.

@param abilities - those that it lists.
*/
export const isNameTaken = ({kind, status, field = 'name'}: SwitchboardError, name: string, abilities: readonly Ability[] = []): boolean =>
	status !== undefined && field === 'name' && (kind === 'conflict' || (kind === 'refused' && indexNames(abilities).find(name).length > 0));
