/** Listens to an event. Returns a function that ends it. */
export const listenTo = (emitter: NodeJS.EventEmitter, event: string, listener: () => void): (() => void) => {
	emitter.on(event, listener);
	return () => {
		emitter.off(event, listener);
	};
};
