import {type Ability} from '../../interface/records.ts';
import {useResource, type ResourceState} from './use-resource.ts';

/** The abilities of the account. */
export const useAbilities = (): ResourceState<Ability> => useResource('abilities');
