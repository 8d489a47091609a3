import {type Ability} from '../../interface/records.ts';
import {useResource, type ResourceState} from './use-resource.ts';

/** The abilities of the account; asked for only where that is wanted. */
export const useAbilities = (isWanted = true): ResourceState<Ability> => useResource('abilities', {isWanted});
