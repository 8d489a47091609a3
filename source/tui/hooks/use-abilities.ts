import {type Ability} from '../../interface/records.ts';
import {useResource, type ResourceState} from './use-resource.ts';

/** The abilities of the account; requested only if `isWanted`. */
export const useAbilities = (isWanted = true): ResourceState<Ability> => useResource('abilities', {isWanted});
