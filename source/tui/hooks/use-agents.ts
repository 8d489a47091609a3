import {type Agent} from '../../interface/records.ts';
import {useResource, type ResourceState} from './use-resource.ts';

/** The agents of the account. */
export const useAgents = (): ResourceState<Agent> => useResource('agents');
