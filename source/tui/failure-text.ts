import {stateWord} from '../interface/state-word.ts';
import {type Intent, type ToggleFailure} from './hooks/intents.ts';
import {isLate} from './hooks/late-change.ts';
import {type SwitchKind} from './hooks/switch-batches.ts';
import {keyName} from './keys/hints.ts';
import {type Keymap} from './keys/keymap.ts';
import {retryText} from './keys/retry-text.ts';

/** Why a change failed, or what is known of it. */
export const outcomeText = (failure: ToggleFailure): string => {
	const {installed: {name, isEnabled}, isWantedEnabled, error: {message}, isOutcomeUnknown} = failure;
	if (isOutcomeUnknown) {
		return `It is not known whether ${name} is ${stateWord(isWantedEnabled)} now: ${message}`;
	}

	if (isEnabled === undefined) {
		return `${name} was not switched ${stateWord(isWantedEnabled)}: ${message}`;
	}

	return isLate(failure)
		? `The list shows ${name} ${stateWord(isEnabled)}, but the change may still arrive: ${message}`
		: `${name} stays ${stateWord(isEnabled)}: ${message}`;
};

/**
Why a change failed, and the key to press next. If many were switched, or the cursor has moved, the change may be on any
row. A change that may still arrive must not be toggled again: the retry key requests the wanted state.
*/
export const failureText = (failure: ToggleFailure, kind: SwitchKind, keymap: Keymap): string => {
	const {installed: {isEnabled}, isOutcomeUnknown, error: {kind: errorKind, nextStep}} = failure;
	if (errorKind === 'key-refused' && nextStep !== undefined) {
		return `${outcomeText(failure)} ${nextStep}`;
	}

	const retry = retryText(keyName(keymap, kind === 'toggle' && isEnabled !== undefined && !isLate(failure) ? 'toggle' : 'retry'), nextStep);
	return `${outcomeText(failure)} ${isOutcomeUnknown && isEnabled !== undefined ? `${keyName(keymap, 'refresh')} reads the list again.` : retry}`;
};

/** What is known about a change that was not confirmed when the program quit. */
export const unansweredText = ({installed: {name}, isWantedEnabled, isSent}: Intent): string => isSent
	? `It is not known whether ${name} is ${stateWord(isWantedEnabled)} now: the service had not answered yet.`
	: `${name} was not switched ${stateWord(isWantedEnabled)}: the request was not sent.`;
