import {type Program} from '../../app-context.ts';
import {type Overlay} from '../../state/app-state.ts';

/** Overlays that show one record. */
type RecordOverlayKind = Extract<Overlay, {readonly id: number}>['kind'];

/** True where this overlay lies on top: what is done once an answer is there must touch no other. */
export const isOnTop = ({store}: Program, kind: RecordOverlayKind, id: number): boolean => {
	const top = store.getState().overlays.at(-1);
	return top?.kind === kind && 'id' in top && top.id === id;
};

/** Closes the overlay where it is still the one on top. */
export const closeOverlay = (program: Program, kind: RecordOverlayKind, id: number): void => {
	if (isOnTop(program, kind, id)) {
		program.store.dispatch({type: 'close'});
	}
};
