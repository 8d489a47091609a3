import {type SwitchboardError} from '../../interface/errors.ts';

/** An error for the person: what happened and, if something helps, what to do. */
export const errorText = ({message, nextStep}: SwitchboardError): string => [message, nextStep].filter(Boolean).join(' ');
