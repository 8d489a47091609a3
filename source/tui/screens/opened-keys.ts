import type {Agent} from '../../interface/records.ts';
import {type UiServices, useUiServices} from '../app-context.ts';
import {useServiceSession, type MemoryKey, type ServiceSession} from '../hooks/service-session.ts';
import {layers, useKeys} from '../keys/dispatcher.ts';
import {type ActionName, keyTable, openedScopesOf} from '../../words/key-table.ts';
import {keyLabel, keyName, isBackKey, isOpenKey} from '../../words/keymap.ts';
import type {Overlay} from '../state/app-state.ts';
import {shownListRows} from '../state/layout.ts';
import type {ScreenName} from '../state/view.ts';
import {wheelRows} from '../../terminal/mouse.ts';
import {atRow, initialListState} from '../state/list-state.ts';
import type {ScreenMemory} from '../widgets/text-scroll.ts';
import type {TextSearch} from '../widgets/text-search.ts';
import {overlayOfTied, tiedAbilitiesIn} from './tied-abilities.ts';
import {explainKey} from './explain-key.ts';
import {rowsLeft} from './list/list-rows.ts';
import {dismissError, endText, historyOverlay, refuseChange} from './refuse-change.ts';

const memories: MemoryKey<WeakMap<Overlay, ScreenMemory>> = {create: () => new WeakMap()};

/** Returns the memory of an overlay's screen: it lasts as long as the overlay is open, even below another one. */
export function screenMemoryOf(session: ServiceSession, overlay: Overlay): ScreenMemory {
	const known = session.memory.get(memories);
	const memory = known.get(overlay) ?? new Map<string, unknown>();
	known.set(overlay, memory);
	return memory;
}

type OpenedKeysOptions = {
	/** The list that the record was opened from; its keys also work on the record. */
	readonly screen: ScreenName;
	readonly search: TextSearch;
	/** Carries out an action on the record; returns false for any other. */
	readonly act: (action: ActionName) => boolean;
};

type Opened =
	| {readonly kind: 'agent'; readonly id: number}
	| {readonly kind: 'ability'; readonly resource: 'abilities' | 'installed'; readonly id: number};

/** Handles the keys of an opened record: its own keys, the global ones, and the keys that go back or to another screen. */
export function useOpenedKeys({screen, search, act}: OpenedKeysOptions): void {
	const ui = useUiServices();
	const {store, keymap, say} = ui;
	const session = useServiceSession();

	/** Returns false for an action of the surrounding program. */
	const carryOut = (action: ActionName): boolean => {
		if (keyTable[action].scope === 'everywhere') {
			return false;
		}

		if (action === 'next-record' || action === 'previous-record') {
			stepRecord(ui, session, action === 'next-record' ? 1 : -1);
			return true;
		}

		if (action === 'history') {
			const {id} = store.getState().overlays.at(-1) as Opened;
			const record = session.records.seen(screen)?.find(each => each.id === id);
			store.dispatch({type: 'open', overlay: historyOverlay(screen, record ?? {id, name: `#${id}`, raw: {}})});
			return true;
		}

		return search.act(action) || (keyTable[action].writes === true && refuseChange(ui, action)) || act(action);
	};

	useKeys(layers.overlay, {
		onMouse({kind}) {
			const rows = kind === 'press' ? 0 : wheelRows;
			for (let row = 0; row < rows; row++) {
				carryOut(kind === 'wheel-down' ? 'down' : 'up');
			}

			return true;
		},
		onKey(key) {
			const action = isOpenKey(keymap, key.name) ? 'open' : keymap.actionOf(key.name, openedScopesOf[screen]);
			if (search.takeKey(key)) {
				return 'settle';
			}

			if (isBackKey(keymap, key.name)) {
				if (key.name !== 'escape' || !dismissError(store)) {
					store.dispatch({type: 'close'});
				}
			} else if (keymap.lineOf(key.name) !== undefined) {
				return false;
			} else if (action === undefined) {
				explainKey(key.name, openedScopesOf[screen], ui);
			} else if (keyTable[action].scope === 'everywhere') {
				return false;
			} else if (!carryOut(action)) {
				say(
					'info',
					action === 'next-match' || action === 'previous-match'
						? `Nothing is searched for. ${keyName(keymap, 'filter')} searches the text.`
						: `${keyLabel(key.name)} works on the list, not here.`,
				);
			}

			return 'settle';
		},
		onAction: carryOut,
	});
}

/** The records around an opened one, in order; `follow` moves the cursor of their list to the current one. */
type Neighbours = {readonly overlays: ReadonlyArray<Opened | undefined>; readonly row: number; follow(row: number): void};

/**
Goes from an opened record to the next or previous one: in its list, filter included, or among the agent's abilities. Reports the ends.
*/
function stepRecord({store, say}: UiServices, session: ServiceSession, by: 1 | -1): void {
	const state = store.getState();
	const opened = state.overlays.at(-1);
	if (!isOpened(opened)) {
		return;
	}

	const inList = (): Neighbours => {
		const screen = opened.kind === 'agent' ? 'agents' : opened.resource;
		const present = session.records.seen(screen)?.map(({id}) => id) ?? [];
		const known = new Set(present);
		// Deleted records cannot be shown; the opened one keeps its row.
		const left = rowsLeft(session, screen)?.filter(id => known.has(id) || id === opened.id);
		const ids = left?.includes(opened.id) ? left : present;
		return {
			overlays: ids.map(id => ({...opened, id})),
			row: ids.indexOf(opened.id),
			follow(row) {
				store.dispatch({
					type: 'change-list',
					screen,
					list: atRow(state.views[screen].list, ids, row, shownListRows(state, present.length)),
				});
			},
		};
	};

	const inAgent = (agent: Agent, owner: Overlay): Neighbours => {
		const tied = tiedAbilitiesIn(session)(agent) ?? [];
		const ids = tied.map(({id}) => id);
		return {
			overlays: tied.map(each => overlayOfTied(each)),
			row: tied.findIndex(
				({id, installed}) => opened.kind === 'ability' && opened.id === (opened.resource === 'installed' ? installed?.id : id),
			),
			follow(row) {
				screenMemoryOf(session, owner).set('list', atRow(initialListState, ids, row, ids.length));
			},
		};
	};

	const below = state.overlays.at(-2);
	const agent = below?.kind === 'agent' ? session.records.seen('agents')?.find(({id}) => id === below.id) : undefined;
	const {overlays, row, follow} = agent === undefined ? inList() : inAgent(agent, below!);
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
}

const isOpened = (overlay: Overlay | undefined): overlay is Opened => overlay?.kind === 'agent' || overlay?.kind === 'ability';
