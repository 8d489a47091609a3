import {type ActionName} from './key-table.ts';

/** What some of the actions do. */
type ActionHandlers = Readonly<Partial<Record<ActionName, () => void>>>;

/** Carries out an action; returns false if no handler is for it. */
export const runAction = (handlers: ActionHandlers, action: ActionName | undefined): boolean => {
	const handle = action && handlers[action];
	handle?.();
	return handle !== undefined;
};
