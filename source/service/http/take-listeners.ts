import {type EventEmitter} from 'node:events';

/** Removes the listeners of an event, and returns how to call them: what comes before them can keep the event to itself. */
export const takeListeners = (emitter: EventEmitter, event: string): ((...values: readonly unknown[]) => void) => {
	const listeners = emitter.listeners(event);
	emitter.removeAllListeners(event);
	return (...values) => {
		for (const listener of listeners) {
			Reflect.apply(listener, emitter, values);
		}
	};
};
