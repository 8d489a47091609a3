import {
	createContext,
	useContext,
	useInsertionEffect,
	useLayoutEffect,
	useRef,
} from 'react';
import {type Dispatcher, type KeyHandler} from './dispatcher.ts';

export {layers} from './dispatcher.ts';

export const DispatcherContext = createContext<Dispatcher | undefined>(undefined);

/** Takes keys while the component is mounted (and `isActive`), with the handler of its newest render. */
export const useKeys = (layer: number, handler: KeyHandler, isActive = true): void => {
	const dispatcher = useContext(DispatcherContext);
	if (dispatcher === undefined) {
		throw new TypeError('useKeys needs a dispatcher above it');
	}

	const newest = useRef(handler);
	useInsertionEffect(() => {
		newest.current = handler;
	});
	useLayoutEffect(() => isActive
		? dispatcher.add(layer, {
			onKey: key => newest.current.onKey?.(key) ?? false,
			onAction: name => newest.current.onAction?.(name) ?? false,
			onPaste: (...paste) => newest.current.onPaste?.(...paste) ?? false,
			isOpen: () => newest.current.isOpen?.() ?? true,
		})
		: undefined, [dispatcher, layer, isActive]);
};
