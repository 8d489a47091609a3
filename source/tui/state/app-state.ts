import type {HistoryEntry, HistoryQuery} from '../../interface/history.ts';
import type {Agent} from '../../interface/records.ts';
import type {TimerTime} from '../../interface/timers.ts';
import type {Preset} from '../../settings/presets.ts';
import type {LoggedRequest} from './request-log.ts';
import {type StateStore, withChanges} from '../observable.ts';
import type {ListState} from './list-state.ts';
import type {TextEditorAction, TextEditorState} from './text-editor-state.ts';
import type {TextSize} from './text-rows.ts';
import {
	type Message,
	type MessageEnd,
	type Messages,
	noMessages,
	withMessage,
	withNote,
	withoutEnded,
	withoutInfo,
	withoutMessage,
	withScreen,
} from './messages.ts';
import {
	initialView,
	type LeftScreens,
	type ScreenName,
	screenNames,
	type Screens,
	type View,
	withFilter,
	withoutFilter,
	withSettled,
	shownParts,
	type ShownParts,
} from './view.ts';

/** A topic of the program's help; `text` lays it out for a width. */
export type HelpTopic = {readonly name: string; readonly description: string; text(width: number): Promise<string>};

/** The default address of a sign-in, and whether only the key is missing. */
export type ProposedSignIn = {readonly baseAddress: string; readonly isKeyMissing?: boolean};

/** A layer above the screen, the newest on top; Escape closes the top one. */
export type Overlay =
	| {readonly kind: 'palette'; readonly text?: string}
	| {readonly kind: 'help' | 'messages' | 'requests' | 'profiles' | 'presets' | 'preset-name' | 'upload'}
	| {readonly kind: 'preset'; readonly preset: Preset}
	| {readonly kind: 'topic'; readonly topic: HelpTopic}
	| ({readonly kind: 'sign-in'} & ProposedSignIn)
	| {readonly kind: 'profile-name'; readonly name: string}
	| {readonly kind: 'request'; readonly entry: LoggedRequest}
	/** The history of changes: of a list, or of a record. */
	| {readonly kind: 'history'; readonly title: string; readonly query: HistoryQuery}
	| {readonly kind: 'history-entry' | 'board'; readonly entry: HistoryEntry}
	| {readonly kind: 'agent'; readonly id: number}
	/** What an action edits, under the name of the action. */
	| {readonly kind: 'edit-name' | 'edit-ties' | 'edit-ability' | 'edit-installed'; readonly id: number}
	/** The id belongs to an ability, or to an installed record. */
	| {readonly kind: 'ability'; readonly resource: 'abilities' | 'installed'; readonly id: number}
	/** The conversation with an agent, or with an agent that has a given ability, to say its phrases. */
	| {readonly kind: 'conversation'; readonly agentId: number}
	| {readonly kind: 'try-ability'; readonly resource: 'abilities' | 'installed'; readonly id: number}
	/** The prompt of an agent, edited on the screen. */
	| {
			readonly kind: 'prompt-editor';
			readonly agentId: number;
			readonly agentName: string;
			readonly editor: StateStore<TextEditorState, TextEditorAction>;
			onSave(): void;
			/** Called when the person wants to leave without saving; `isGone` if the agent was deleted. */
			onLeave(isGone: boolean): void;
			/** Called when the list shows the agent, unchanged or changed since the editor was opened. */
			onSeen(agent: Agent, size: TextSize): void;
	  }
	| {
			readonly kind: 'prompt-conflict';
			readonly agentId: number;
			readonly agentName: string;
			readonly theirs: string;
			readonly mine: string;
			/** The file that keeps the person's text until they decide. */
			readonly shownPath: string;
			onChoose(choice: 'both' | 'theirs' | 'mine'): void;
	  }
	/** A field for the time of a timer, above another screen. */
	| {
			readonly kind: 'timer';
			readonly title: string;
			/** The time of the present timer, which the first Backspace clears; empty if there is none. */
			readonly initial: string;
			onTime(time: TimerTime & {readonly note: string}): void;
			/** Called if the field is empty. */
			readonly onCancel?: (() => void) | undefined;
	  }
	/** The id stays when the question is asked with another text. */
	| ({readonly kind: 'confirm'; readonly id?: symbol} & Question);

/** Overlays without a line for messages: messages meanwhile are read when they are closed. */
export const overlaysWithoutMessages: ReadonlySet<Overlay['kind']> = new Set([
	'help',
	'topic',
	'palette',
	'messages',
	'requests',
	'request',
	'profiles',
]);

/** A question before an action that is hard to undo; the answer counts as No unless the person says Yes. */
export type Question = {
	readonly question: string;
	/** The further effects of the action, one a line. */
	readonly details: readonly string[];
	/** The effect of a Yes, in a word or two. */
	readonly yes: string;
	/** True for an action that cannot be undone: it looks different from all others. */
	readonly isFinal?: boolean;
	/** The word to type for Yes, in small letters, if `y` is not enough. */
	readonly word?: string;
	onYes(): void;
	onNo?(): void;
};

export type ScreenSize = {readonly columns: number; readonly rows: number};

export type WaitedFor = {readonly changeCount: number; readonly isEditorOpen: boolean};

export type AppState = Screens & {
	/** A sentence that somebody might say, shown with the abilities that it would start in each list; empty if there is none. */
	readonly sentence: string;
	readonly isSentenceOpen: boolean;
	readonly overlays: readonly Overlay[];
	readonly messages: Messages;
	readonly size: ScreenSize;
	/** The quiet parts below or beside the list, if there is room. */
	readonly parts: ShownParts;
	readonly progress: string | undefined;
	/** The number of answers to a bulk change, such as “261 of 5,000”. */
	readonly bulkCount: string | undefined;
	/** The changes and editors that quitting waits for; `undefined` before the person has asked to quit. */
	readonly leaving: WaitedFor | undefined;
	/** True after ten minutes without a key: the lists are not polled then. */
	readonly isIdle: boolean;
	/** The time for drawing ages, in milliseconds since the epoch: it advances once a minute, for a screen reader only with a key. */
	readonly now: number;
};

export function createAppState(screen: ScreenName, size: ScreenSize): AppState {
	return {
		screen,
		views: {agents: initialView, abilities: initialView, installed: initialView},
		sentence: '',
		isSentenceOpen: false,
		overlays: [],
		parts: 'both',
		progress: undefined,
		bulkCount: undefined,
		messages: noMessages,
		size,
		leaving: undefined,
		isIdle: false,
		now: 0,
	};
}

const withView = (state: AppState, screen: ScreenName, change: Partial<View>): AppState =>
	withChanges(state, {views: withChanges(state.views, {[screen]: withChanges(state.views[screen], change)})});

const withCurrentView = (state: AppState, change: Partial<View>): AppState => withView(state, state.screen, change);

const mapViews = (toView: (screen: ScreenName) => View): AppState['views'] => ({
	agents: toView('agents'),
	abilities: toView('abilities'),
	installed: toView('installed'),
});

const withoutOverlays = (state: AppState): AppState => (state.overlays.length === 0 ? state : {...state, overlays: []});

/** Shows another screen; an open filter line or sentence stays as it is, and the choice of a sort column is cancelled. */
const showScreen = (state: AppState, screen: ScreenName): AppState =>
	screen === state.screen
		? withoutOverlays(state)
		: {
				...withCurrentView(withoutOverlays(state), {isFilterOpen: false, isSortOpen: false}),
				screen,
				isSentenceOpen: false,
				messages: withScreen(state.messages, state.screen, screen),
			};

type OfList = {readonly screen: ScreenName; readonly list: ListState};

type Shown = {readonly overlay: Overlay};

type Said = {readonly text: string; readonly at: number};

/** The effect of each action, by its type; the payloads are the actions' other fields. */
const reducers = {
	/** Closes everything above the screen. */
	'show-screen': (state, {screen}: Pick<OfList, 'screen'>) => showScreen(state, screen),
	'step-screen': (state, {by}: {readonly by: 1 | -1}) =>
		showScreen(state, screenNames.at((screenNames.indexOf(state.screen) + by) % screenNames.length)!),
	/** The person moved the cursor. */
	'change-list': (state, {screen, list}: OfList) =>
		state.views[screen].list === list
			? state
			: {...withView(state, screen, {list, idBefore: undefined}), messages: withoutEnded(state.messages, 'move')},
	/** Moves the cursor to a visible row; `isHidden` if the filter hides its record. */
	'settle-list': (state, {screen, list, isHidden}: OfList & {readonly isHidden: boolean}) =>
		withView(state, screen, withSettled(state.views[screen], list, isHidden)),
	'change-view': (state, {screen, change}: Pick<OfList, 'screen'> & {readonly change: Partial<View>}) => withView(state, screen, change),
	'next-parts': state => ({...state, parts: shownParts[(shownParts.indexOf(state.parts) + 1) % shownParts.length]!}),
	progress: (state, {text, count}: {readonly text: string | undefined; readonly count?: string | undefined}) =>
		withChanges(state, {progress: text, bulkCount: count}),
	'open-filter': state => withCurrentView(state, {isFilterOpen: true}),
	'edit-filter': (state, {filter}: {readonly filter: string}) => withCurrentView(state, withFilter(state.views[state.screen], filter)),
	'keep-filter': state => withCurrentView(state, {isFilterOpen: false}),
	'clear-filter': state => withCurrentView(state, {...withoutFilter(state.views[state.screen]), isFilterOpen: false}),
	'open-sentence': state => ({...state, isSentenceOpen: true}),
	'edit-sentence': (state, {sentence}: {readonly sentence: string}) => withChanges(state, {sentence}),
	'keep-sentence': state => ({...state, isSentenceOpen: false}),
	'clear-sentence': state => withChanges(state, {sentence: '', isSentenceOpen: false}),
	open: (state, {overlay}: Shown) => ({...state, overlays: [...state.overlays, overlay]}),
	replace: (state, {overlay}: Shown) => ({...state, overlays: [...state.overlays.slice(0, -1), overlay]}),
	close: state => ({...state, overlays: state.overlays.slice(0, -1)}),
	'close-all': state => withoutOverlays(state),
	say: (state, said: Said & {readonly level: Message['level']; readonly until?: readonly MessageEnd[]}) => ({
		...state,
		messages: withMessage(state.messages, said),
	}),
	/** Adds a message to the history without showing it. */
	note: (state, note: Said & {readonly isQuoting?: boolean | undefined}) => ({...state, messages: withNote(state.messages, note)}),
	end: (state, {end}: {readonly end: MessageEnd}) => withChanges(state, {messages: withoutEnded(state.messages, end)}),
	switch: state => state,
	dismiss: (state, {id = state.messages.shown?.id}: {readonly id?: number}) =>
		withChanges(state, {messages: withoutMessage(state.messages, id)}),
	resize: (state, {size}: {readonly size: ScreenSize}) => withChanges(state, {size: withChanges(state.size, size)}),
	/** Another service is shown: forgets cursor, filter, marks and the sentence, and keeps the sort order of the lists. */
	'forget-records': ({views, messages, ...state}) => ({
		...state,
		sentence: '',
		isSentenceOpen: false,
		views: mapViews(screen => ({...initialView, sort: views[screen].sort})),
		messages: {...noMessages, history: messages.history, lastId: messages.lastId},
	}),
	restore: (state, {left}: {readonly left: LeftScreens}) => ({
		...state,
		screen: left.screen ?? state.screen,
		parts: left.parts ?? state.parts,
		views: mapViews(screen => ({...state.views[screen], ...left.views[screen]})),
	}),
	leave: (state, {waitedFor}: {readonly waitedFor: WaitedFor}) =>
		withChanges(state, {leaving: state.leaving === undefined ? waitedFor : withChanges(state.leaving, waitedFor)}),
	stay: state => withChanges(state, {leaving: undefined}),
	'set-idle': (state, {isIdle}: {readonly isIdle: boolean}) => withChanges(state, {isIdle}),
	'set-now': (state, {now}: {readonly now: number}) => withChanges(state, {now}),
} as const satisfies Readonly<Record<string, (state: AppState, action: never) => AppState>>;

type Reducers = typeof reducers;

type Payload<Reducer> = Reducer extends (state: AppState, payload: infer Given) => AppState ? Given : never;

export type AppAction = {[Type in keyof Reducers]: {readonly type: Type} & Payload<Reducers[Type]>}[keyof Reducers];

export type FilterLineAction = Extract<AppAction, {readonly type: 'edit-filter' | 'keep-filter' | 'clear-filter'}>;

/** The actions that open an overlay, and other new actions: an `info` is about the action before. */
const opening: ReadonlySet<AppAction['type']> = new Set(['open', 'replace']);
const nextActs: ReadonlySet<AppAction['type']> = new Set([
	...opening,
	'change-view',
	'next-parts',
	'open-filter',
	'edit-filter',
	'keep-filter',
	'clear-filter',
	'open-sentence',
	'keep-sentence',
	'clear-sentence',
	'resize',
	'switch',
]);

/**
Returns the reducer of the screens; nothing in it depends on the service's data. An action without effect returns the unchanged state.
*/
export function reduceApp(state: AppState, action: AppAction): AppState {
	const next = (reducers[action.type] as (state: AppState, action: AppAction) => AppState)(state, action);
	return nextActs.has(action.type) ? withChanges(next, {messages: withoutInfo(next.messages, opening.has(action.type))}) : next;
}

const minuteMilliseconds = 60_000;

/** Advances the time for drawing, unless that was done within the last minute. */
export function moveTimeOn({dispatch, getState}: StateStore<AppState, AppAction>): void {
	if (Math.abs(Date.now() - getState().now) >= minuteMilliseconds) {
		dispatch({type: 'set-now', now: Date.now()});
	}
}

/**
Advances the ages on the screen while nothing else happens; a frame with unchanged ages sends nothing. Returns a function that ends that.
*/
export function keepTimeMoving(store: StateStore<AppState, AppAction>): () => void {
	const timer = setInterval(() => store.dispatch({type: 'set-now', now: Date.now()}), minuteMilliseconds).unref();
	return () => clearInterval(timer);
}
