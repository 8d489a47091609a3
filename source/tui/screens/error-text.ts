import {type SwitchboardError} from '../../interface/errors.ts';

/** An error in a message: what happened and what to do. */
export const errorText = ({message, nextStep}: SwitchboardError): string => [message, nextStep].filter(Boolean).join(' ');
