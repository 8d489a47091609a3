import {type LoggedRequest} from '../hooks/request-log.ts';
import {initialListState, type ListState} from '../widgets/list/list-state.ts';
import {
	withFilter,
	withoutFilter,
	withSettled,
	type FilteredList,
} from './filtered-list.ts';
import {type SavedView} from './saved-view.ts';
import {
	noMessages,
	withMessage,
	withNote,
	withoutInfo,
	withoutMessage,
	withoutOutage,
	withPlace,
	type Message,
	type Messages,
} from './messages.ts';

export const screenNames = ['agents', 'abilities', 'installed'] as const;

export type ScreenName = typeof screenNames[number];

/** Which address a sign-in offers, and whether the key alone is missing. */
export type ProposedSignIn = {readonly baseAddress: string; readonly isKeyMissing?: boolean};

/** What lies above the screen, the newest on top; Escape takes the top one away. */
export type Overlay =
	| {readonly kind: 'help' | 'palette' | 'messages' | 'requests' | 'profiles' | 'upload'}
	| ({readonly kind: 'sign-in'} & ProposedSignIn)
	| {readonly kind: 'profile-name'; readonly name: string}
	| {readonly kind: 'request'; readonly entry: LoggedRequest}
	| {readonly kind: 'agent' | 'agent-name' | 'agent-ties' | 'phrases'; readonly id: number}
	/** The id is that of an ability, or of an installed record. */
	| {readonly kind: 'ability'; readonly resource: 'abilities' | 'installed'; readonly id: number}
	/** Somebody else has changed the prompt that a text was made from. */
	| {
		readonly kind: 'prompt-conflict';
		readonly agentName: string;
		/** What the prompt is on the service now. */
		readonly theirs: string;
		readonly mine: string;
		/** Where the person's text stays until they decide. */
		readonly shownPath: string;
		onChoose(choice: 'both' | 'theirs' | 'mine'): void;
	}
	| ({readonly kind: 'confirm'} & Question);

/** A question before something that is not done lightly; the answer is No unless the person says otherwise. */
export type Question = {
	readonly question: string;
	/** What goes with it, a line each. */
	readonly details: readonly string[];
	/** What the answer Yes does, in a word or two. */
	readonly yes: string;
	/** True for what nothing brings back: it looks different from all others. */
	readonly isFinal?: boolean;
	onYes(): void;
};

/** Columns that a list can be ordered by; `none` is the service's own order. */
export type SortColumn = 'none' | 'name' | 'state' | 'category' | 'phrases' | 'changed' | 'abilities' | 'id' | 'prompt';

export type Sort = {readonly column: SortColumn; readonly isReversed: boolean};

export type View = FilteredList & {
	/** True while the filter line takes the keys. */
	readonly isFilterOpen: boolean;
	readonly sort: Sort;
	/** True while the number of a column to sort by is waited for. */
	readonly isSortOpen: boolean;
	readonly marks: ReadonlySet<number>;
	/** While a range is marked: where it began, and what was marked before. */
	readonly range: {readonly anchorId: number; readonly marksBefore: ReadonlySet<number>} | undefined;
	/** Counts what asks for the rows to be chosen and ordered anew; switching a row alone does not. */
	readonly generation: number;
};

export type Size = {readonly columns: number; readonly rows: number};

/** What has to be over before the program may be left by a key. */
export type WaitedFor = {readonly changeCount: number; readonly isEditorOpen: boolean};

export type AppState = {
	readonly screen: ScreenName;
	readonly views: Readonly<Record<ScreenName, View>>;
	readonly overlays: readonly Overlay[];
	readonly messages: Messages;
	readonly size: Size;
	/** True where the details stand beside the list, if there is room. */
	readonly isPaneOpen: boolean;
	/** How far a change of many is. */
	readonly progress: string | undefined;
	/** What is waited for once leaving was asked for; `undefined` before. */
	readonly leaving: WaitedFor | undefined;
	/** True after ten minutes without a key: the lists are not polled then. */
	readonly isIdle: boolean;
};

export type AppAction =
	| {readonly type: 'show-screen'; readonly screen: ScreenName}
	| {readonly type: 'step-screen'; readonly by: 1 | -1}
	/** The cursor goes where it was asked to. */
	| {readonly type: 'change-list'; readonly screen: ScreenName; readonly list: ListState}
	/** The cursor settles on a row that is shown; `isHidden` where the filter hides the record that it was on. */
	| {readonly type: 'settle-list'; readonly screen: ScreenName; readonly list: ListState; readonly isHidden: boolean}
	| {readonly type: 'change-view'; readonly screen: ScreenName; readonly change: Partial<View>}
	| {readonly type: 'toggle-pane'}
	| {readonly type: 'progress'; readonly text: string | undefined}
	| {readonly type: 'open-filter'}
	| {readonly type: 'edit-filter'; readonly filter: string}
	| {readonly type: 'keep-filter'}
	| {readonly type: 'clear-filter'}
	| {readonly type: 'open'; readonly overlay: Overlay}
	/** Shows something else in place of what lies on top. */
	| {readonly type: 'replace'; readonly overlay: Overlay}
	| {readonly type: 'close'}
	| {readonly type: 'close-all'}
	/** `isOutage` where it says that the service could not be reached. */
	| {readonly type: 'say'; readonly level: Message['level']; readonly text: string; readonly at: number; readonly isOutage?: boolean}
	/** What is to be read among the messages, and interrupts nobody. */
	| {readonly type: 'note'; readonly text: string; readonly at: number}
	/** The service was reached: what says that it could not be is true no more. */
	| {readonly type: 'reached'}
	| {readonly type: 'dismiss'; readonly id?: number}
	| {readonly type: 'resize'; readonly size: Size}
	/** Another service is shown: cursor, filter and marks were of the one before. How lists are ordered stays. */
	| {readonly type: 'forget-records'}
	/** Takes the screens to where they were left. */
	| {readonly type: 'restore'; readonly left: SavedView}
	| {readonly type: 'leave'; readonly waitedFor: WaitedFor}
	/** Leaving is called off. */
	| {readonly type: 'stay'}
	| {readonly type: 'set-idle'; readonly isIdle: boolean};

const initialView: View = {
	list: initialListState,
	filter: '',
	idBefore: undefined,
	isFilterOpen: false,
	sort: {column: 'none', isReversed: false},
	isSortOpen: false,
	marks: new Set(),
	range: undefined,
	generation: 0,
};

export const createAppState = (screen: ScreenName, size: Size): AppState => ({
	screen,
	views: {agents: initialView, abilities: initialView, installed: initialView},
	overlays: [],
	isPaneOpen: true,
	progress: undefined,
	messages: noMessages,
	size,
	leaving: undefined,
	isIdle: false,
});

const withView = (state: AppState, screen: ScreenName, change: Partial<View>): AppState =>
	({...state, views: {...state.views, [screen]: {...state.views[screen], ...change}}});

const stepped = (screen: ScreenName, by: number): ScreenName =>
	screenNames[(screenNames.indexOf(screen) + by + screenNames.length) % screenNames.length]!;

/** Another screen; a filter line left open is kept as it is, and a column is chosen no more. */
const showScreen = (state: AppState, screen: ScreenName): AppState =>
	screen === state.screen
		? state
		: {...withView(state, state.screen, {isFilterOpen: false, isSortOpen: false}), screen, messages: withPlace(state.messages, state.screen, screen)};

/** The one reducer of what is on the screen; nothing in it depends on the service's data. */
export const reduceApp = (state: AppState, action: AppAction): AppState => {
	switch (action.type) {
		case 'show-screen': {
			return showScreen(state, action.screen);
		}

		case 'step-screen': {
			return showScreen(state, stepped(state.screen, action.by));
		}

		case 'change-list': {
			return state.views[action.screen].list === action.list ? state : withView(state, action.screen, {list: action.list, idBefore: undefined});
		}

		case 'settle-list': {
			const view = state.views[action.screen];
			return view.list === action.list ? state : withView(state, action.screen, withSettled(view, action.list, action.isHidden));
		}

		case 'change-view': {
			return withView(state, action.screen, action.change);
		}

		case 'toggle-pane': {
			return {...state, isPaneOpen: !state.isPaneOpen};
		}

		case 'progress': {
			return {...state, progress: action.text};
		}

		case 'open-filter': {
			return withView(state, state.screen, {isFilterOpen: true});
		}

		case 'edit-filter': {
			return withView(state, state.screen, withFilter(state.views[state.screen], action.filter));
		}

		case 'keep-filter': {
			return withView(state, state.screen, {isFilterOpen: false});
		}

		case 'clear-filter': {
			return withView(state, state.screen, {...withoutFilter(state.views[state.screen]), isFilterOpen: false});
		}

		case 'open': {
			return {...state, overlays: [...state.overlays, action.overlay], messages: withoutInfo(state.messages)};
		}

		case 'replace': {
			return {...state, overlays: [...state.overlays.slice(0, -1), action.overlay], messages: withoutInfo(state.messages)};
		}

		case 'close': {
			return {...state, overlays: state.overlays.slice(0, -1)};
		}

		case 'close-all': {
			return {...state, overlays: []};
		}

		case 'say': {
			return {...state, messages: withMessage(state.messages, action)};
		}

		case 'note': {
			return {...state, messages: withNote(state.messages, action)};
		}

		case 'reached':
		case 'dismiss': {
			const messages = action.type === 'reached' ? withoutOutage(state.messages) : withoutMessage(state.messages, action.id ?? state.messages.shown?.id);
			return messages === state.messages ? state : {...state, messages};
		}

		case 'resize': {
			const {columns, rows} = state.size;
			return columns === action.size.columns && rows === action.size.rows ? state : {...state, size: action.size};
		}

		case 'forget-records': {
			const {views, messages} = state;
			const emptied = (name: ScreenName): View => ({...initialView, sort: views[name].sort});
			return {
				...state,
				views: {agents: emptied('agents'), abilities: emptied('abilities'), installed: emptied('installed')},
				messages: {...noMessages, history: messages.history},
			};
		}

		case 'restore': {
			const {screen, views} = action.left;
			const restored = (name: ScreenName): View => ({...state.views[name], ...views[name]});
			return {
				...state,
				screen: screen ?? state.screen,
				views: {agents: restored('agents'), abilities: restored('abilities'), installed: restored('installed')},
			};
		}

		case 'leave': {
			const {leaving} = state;
			const {changeCount, isEditorOpen} = action.waitedFor;
			return leaving?.changeCount === changeCount && leaving.isEditorOpen === isEditorOpen ? state : {...state, leaving: action.waitedFor};
		}

		case 'stay': {
			return state.leaving === undefined ? state : {...state, leaving: undefined};
		}

		case 'set-idle': {
			return state.isIdle === action.isIdle ? state : {...state, isIdle: action.isIdle};
		}
	}
};
