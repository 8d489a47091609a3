import {type Agent} from '../../interface/records.ts';
import {useUiServices} from '../app-context.ts';
import {useServiceSession} from '../hooks/service-session.ts';
import {seenRecords} from '../hooks/seen-records.ts';
import {type AppState} from '../state/app-state.ts';
import {type Overlay} from '../state/overlays.ts';
import {type ScreenName} from '../state/view.ts';
import {layoutOf} from '../state/layout.ts';
import {atRow, initialListState} from '../widgets/list/index.ts';
import {overlayOfTied, tiedAbilities} from './agent/tied-abilities.ts';
import {rowsLeft} from './list/use-rows.ts';
import {screenMemoryOf} from './screen-memory.ts';

type Opened =
	| {readonly kind: 'agent'; readonly id: number}
	| {readonly kind: 'ability'; readonly resource: 'abilities' | 'installed'; readonly id: number};

const isOpened = (overlay: Overlay | undefined): overlay is Opened => overlay?.kind === 'agent' || overlay?.kind === 'ability';

/** The message at the end of a list. */
export const endText = (by: 1 | -1): string => `This is the ${by === 1 ? 'last' : 'first'} record.`;

/** The list that a record was opened from. */
const screenOf = (opened: Opened): ScreenName => opened.kind === 'agent' ? 'agents' : opened.resource;

/** The records around the opened one, in order. */
type Neighbours = {
	readonly overlays: ReadonlyArray<Opened | undefined>;
	readonly row: number;
	/** Moves the cursor of the list below along. */
	follow(row: number): void;
};

/**
Goes from an opened record to the next or previous one: in the order of the list that it was opened from, filter
included, or of the agent's abilities. Says so at the ends.
*/
export const useStepRecord = (): ((by: 1 | -1) => void) => {
	const {store, say} = useUiServices();
	const session = useServiceSession();

	const inList = (state: AppState, opened: Opened): Neighbours => {
		const screen = screenOf(opened);
		const present = seenRecords(session, screen)?.map(({id}) => id) ?? [];
		const known = new Set(present);
		// Deleted records cannot be shown; the opened one keeps its row.
		const left = rowsLeft(session, screen)?.filter(id => known.has(id) || id === opened.id);
		const ids = left?.includes(opened.id) ? left : present;
		return {
			overlays: ids.map(id => ({...opened, id})),
			row: ids.indexOf(opened.id),
			follow(row) {
				const {list} = state.views[screen];
				store.dispatch({type: 'change-list', screen, list: atRow(list, ids, row, layoutOf(state).listRows)});
			},
		};
	};

	const inAgent = (agent: Agent, owner: Overlay, opened: Opened): Neighbours => {
		const tied = tiedAbilities({
			abilities: seenRecords(session, 'abilities'),
			installed: seenRecords(session, 'installed'),
			intents: session.toggles.getIntents(),
		})(agent) ?? [];
		const ids = tied.map(({id}) => id);
		return {
			overlays: tied.map(each => overlayOfTied(each)),
			row: tied.findIndex(({id, installed}) => opened.kind === 'ability' && opened.id === (opened.resource === 'installed' ? installed?.id : id)),
			follow(row) {
				screenMemoryOf(session, owner).set('list', atRow(initialListState, ids, row, ids.length));
			},
		};
	};

	const neighboursOf = (state: AppState, opened: Opened): Neighbours => {
		const below = state.overlays.at(-2);
		const agent = below?.kind === 'agent' ? seenRecords(session, 'agents')?.find(({id}) => id === below.id) : undefined;
		return agent === undefined ? inList(state, opened) : inAgent(agent, below!, opened);
	};

	return by => {
		const state = store.getState();
		const opened = state.overlays.at(-1);
		if (!isOpened(opened)) {
			return;
		}

		const {overlays, row, follow} = neighboursOf(state, opened);
		let next = row + by;
		while (next >= 0 && next < overlays.length && overlays[next] === undefined) {
			next += by;
		}

		const overlay = overlays[next];
		if (row === -1 || overlay === undefined) {
			say('info', endText(by));
		} else {
			store.dispatch({type: 'replace', overlay});
			follow(next);
		}
	};
};
