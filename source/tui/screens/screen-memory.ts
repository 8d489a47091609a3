import {type ServiceSession} from '../hooks/service-session.ts';
import {type MemoryKey} from '../hooks/session-memory.ts';
import {type Overlay} from '../state/overlays.ts';
import {type ScreenMemory} from '../widgets/use-remembered-state.ts';

const memories: MemoryKey<WeakMap<Overlay, ScreenMemory>> = {create: () => new WeakMap()};

/** What the screen of an overlay remembers for as long as the overlay is open, also below another one. */
export const screenMemoryOf = (session: ServiceSession, overlay: Overlay): ScreenMemory => {
	const known = session.memory.get(memories);
	const memory = known.get(overlay) ?? new Map<string, unknown>();
	known.set(overlay, memory);
	return memory;
};
