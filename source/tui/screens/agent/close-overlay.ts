import {type UiServices} from '../../app-context.ts';
import {type Overlay} from '../../state/overlays.ts';

/** Overlays that show one record. */
type RecordOverlayKind = Extract<Overlay, {readonly id: number}>['kind'];

/** True if this overlay is on top: an answer that arrives later must not touch another one. */
export const isOnTop = ({store}: UiServices, kind: RecordOverlayKind, id: number): boolean => {
	const top = store.getState().overlays.at(-1);
	return top?.kind === kind && 'id' in top && top.id === id;
};

/** Closes the overlay if it is still on top. */
export const closeOverlay = (ui: UiServices, kind: RecordOverlayKind, id: number): void => {
	if (isOnTop(ui, kind, id)) {
		ui.store.dispatch({type: 'close'});
	}
};
