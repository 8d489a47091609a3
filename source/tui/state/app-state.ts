import {type ListState} from '../widgets/list/list-state.ts';
import {withFilter, withoutFilter, withSettled} from './filtered-list.ts';
import {
	noMessages,
	withMessage,
	withNote,
	withoutEnded,
	withoutInfo,
	withoutMessage,
	withScreen,
	type Message,
	type MessageEnd,
	type Messages,
} from './messages.ts';
import {type Overlay} from './overlays.ts';
import {type SavedView} from './saved-view.ts';
import {
	initialView,
	screenNames,
	type ScreenName,
	type Screens,
	type View,
} from './view.ts';
import {withValues} from './with-values.ts';

export type Size = {readonly columns: number; readonly rows: number};

/** What must end before a key may quit the program. */
export type WaitedFor = {readonly changeCount: number; readonly isEditorOpen: boolean};

export type AppState = Screens & {
	readonly overlays: readonly Overlay[];
	readonly messages: Messages;
	readonly size: Size;
	/** True if the details stand beside the list, if there is room. */
	readonly isPaneOpen: boolean;
	/** The progress of a bulk change or a refresh. */
	readonly progress: string | undefined;
	/** How many of a bulk change are answered, such as “261 of 5,000”. */
	readonly bulkCount: string | undefined;
	/** What the UI waits for after the person asked to quit; `undefined` before. */
	readonly leaving: WaitedFor | undefined;
	/** True after ten minutes without a key: the lists are not polled then. */
	readonly isIdle: boolean;
	/** The time that ages are drawn with, in milliseconds since the epoch: it moves on when one on the screen changes, and with a key. */
	readonly now: number;
};

export type AppAction =
	/** Closes what lies above the screen. */
	| {readonly type: 'show-screen'; readonly screen: ScreenName}
	| {readonly type: 'step-screen'; readonly by: 1 | -1}
	/** The person moved the cursor. */
	| {readonly type: 'change-list'; readonly screen: ScreenName; readonly list: ListState}
	/** The cursor settles on a row that is shown; `isHidden` if the filter hides the record that it was on. */
	| {readonly type: 'settle-list'; readonly screen: ScreenName; readonly list: ListState; readonly isHidden: boolean}
	| {readonly type: 'change-view'; readonly screen: ScreenName; readonly change: Partial<View>}
	| {readonly type: 'toggle-pane'}
	| {readonly type: 'progress'; readonly text: string | undefined; readonly count?: string | undefined}
	| {readonly type: 'open-filter'}
	| {readonly type: 'edit-filter'; readonly filter: string}
	| {readonly type: 'keep-filter'}
	| {readonly type: 'clear-filter'}
	| {readonly type: 'open'; readonly overlay: Overlay}
	/** Replaces the top overlay. */
	| {readonly type: 'replace'; readonly overlay: Overlay}
	| {readonly type: 'close'}
	| {readonly type: 'close-all'}
	| {readonly type: 'say'; readonly level: Message['level']; readonly text: string; readonly at: number; readonly until?: readonly MessageEnd[]}
	/** Adds a message to the history without showing it. */
	| {readonly type: 'note'; readonly text: string; readonly at: number; readonly isQuoting?: boolean | undefined}
	/** Dismisses the messages that this makes untrue. */
	| {readonly type: 'end'; readonly end: MessageEnd}
	/** The person switches something. */
	| {readonly type: 'switch'}
	| {readonly type: 'dismiss'; readonly id?: number}
	| {readonly type: 'resize'; readonly size: Size}
	/** Another service is shown: forgets cursor, filter and marks, and keeps how the lists are sorted. */
	| {readonly type: 'forget-records'}
	/** Shows the screens as they were left. */
	| {readonly type: 'restore'; readonly left: SavedView}
	| {readonly type: 'leave'; readonly waitedFor: WaitedFor}
	/** Cancels quitting. */
	| {readonly type: 'stay'}
	| {readonly type: 'set-idle'; readonly isIdle: boolean}
	| {readonly type: 'set-now'; readonly now: number};

export const createAppState = (screen: ScreenName, size: Size): AppState => ({
	screen,
	views: {agents: initialView, abilities: initialView, installed: initialView},
	overlays: [],
	isPaneOpen: true,
	progress: undefined,
	bulkCount: undefined,
	messages: noMessages,
	size,
	leaving: undefined,
	isIdle: false,
	now: 0,
});

const withView = (state: AppState, screen: ScreenName, change: Partial<View>): AppState =>
	withValues(state, {views: withValues(state.views, {[screen]: withValues(state.views[screen], change)})});

const withCurrentView = (state: AppState, change: Partial<View>): AppState => withView(state, state.screen, change);

const mapViews = (toView: (screen: ScreenName) => View): AppState['views'] =>
	({agents: toView('agents'), abilities: toView('abilities'), installed: toView('installed')});

const withoutOverlays = (state: AppState): AppState => state.overlays.length === 0 ? state : {...state, overlays: []};

/** Another screen; a filter line left open is kept as it is, and the choice of a sort column is cancelled. */
const showScreen = (state: AppState, screen: ScreenName): AppState =>
	screen === state.screen
		? withoutOverlays(state)
		: {...withCurrentView(withoutOverlays(state), {isFilterOpen: false, isSortOpen: false}), screen, messages: withScreen(state.messages, state.screen, screen)};

type Reducer<Action> = (state: AppState, action: Action) => AppState;

const reducers: {readonly [Type in AppAction['type']]: Reducer<Extract<AppAction, {readonly type: Type}>>} = {
	'show-screen': (state, {screen}) => showScreen(state, screen),
	'step-screen': (state, {by}) => showScreen(state, screenNames.at((screenNames.indexOf(state.screen) + by) % screenNames.length)!),
	'change-list': (state, {screen, list}) => state.views[screen].list === list
		? state
		: {...withView(state, screen, {list, idBefore: undefined}), messages: withoutEnded(state.messages, 'move')},
	'settle-list': (state, {screen, list, isHidden}) => withView(state, screen, withSettled(state.views[screen], list, isHidden)),
	'change-view': (state, {screen, change}) => withView(state, screen, change),
	'toggle-pane': state => ({...state, isPaneOpen: !state.isPaneOpen}),
	progress: (state, {text, count}) => withValues(state, {progress: text, bulkCount: count}),
	'open-filter': state => withCurrentView(state, {isFilterOpen: true}),
	'edit-filter': (state, {filter}) => withCurrentView(state, withFilter(state.views[state.screen], filter)),
	'keep-filter': state => withCurrentView(state, {isFilterOpen: false}),
	'clear-filter': state => withCurrentView(state, {...withoutFilter(state.views[state.screen]), isFilterOpen: false}),
	open: (state, {overlay}) => ({...state, overlays: [...state.overlays, overlay]}),
	replace: (state, {overlay}) => ({...state, overlays: [...state.overlays.slice(0, -1), overlay]}),
	close: state => ({...state, overlays: state.overlays.slice(0, -1)}),
	'close-all': withoutOverlays,
	say: (state, message) => ({...state, messages: withMessage(state.messages, message)}),
	note: (state, message) => ({...state, messages: withNote(state.messages, message)}),
	end: (state, {end}) => withValues(state, {messages: withoutEnded(state.messages, end)}),
	switch: state => state,
	dismiss: (state, {id = state.messages.shown?.id}) => withValues(state, {messages: withoutMessage(state.messages, id)}),
	resize: (state, {size}) => withValues(state, {size: withValues(state.size, size)}),
	'forget-records': ({views, messages, ...state}) => ({
		...state,
		views: mapViews(screen => ({...initialView, sort: views[screen].sort})),
		messages: {...noMessages, history: messages.history},
	}),
	restore: (state, {left}) => ({
		...state,
		screen: left.screen ?? state.screen,
		views: mapViews(screen => ({...state.views[screen], ...left.views[screen]})),
	}),
	leave: (state, {waitedFor}) => withValues(state, {leaving: state.leaving === undefined ? waitedFor : withValues(state.leaving, waitedFor)}),
	stay: state => withValues(state, {leaving: undefined}),
	'set-idle': (state, {isIdle}) => withValues(state, {isIdle}),
	'set-now': (state, {now}) => withValues(state, {now}),
};

/** What opens an overlay, and what else a person does next: an `info` speaks of what they did before. */
const opening: ReadonlySet<AppAction['type']> = new Set(['open', 'replace']);
const nextActs: ReadonlySet<AppAction['type']> = new Set([...opening, 'change-view', 'toggle-pane', 'open-filter', 'edit-filter', 'keep-filter', 'clear-filter', 'resize', 'switch']);

/** The reducer of the screens; nothing in it depends on the service's data. An action without effect returns the same state. */
export const reduceApp = (state: AppState, action: AppAction): AppState => {
	const next = (reducers[action.type] as Reducer<AppAction>)(state, action);
	return nextActs.has(action.type) ? withValues(next, {messages: withoutInfo(next.messages, opening.has(action.type))}) : next;
};
