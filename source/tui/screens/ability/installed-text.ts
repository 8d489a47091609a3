import {type InstalledAbility} from '../../../interface/records.ts';
import {stateWord} from '../../../interface/state-word.ts';

/** The id and state of an installed ability, such as “301, on”. */
export const installedText = ({id, isEnabled}: InstalledAbility): string => `${id}, ${isEnabled === undefined ? 'state not shown' : stateWord(isEnabled)}`;
