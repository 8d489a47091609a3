import {type ComponentType, lazy, type ReactElement, type ReactNode, Suspense, useEffect, useMemo, useSyncExternalStore} from 'react';
import {Box, Text, useIsScreenReaderEnabled} from 'ink';
import {useAppState, useUiServices, type UiServices, UiServicesContext} from './app-context.ts';
import {ServiceSessionContext, useServiceSession} from './hooks/service-session.ts';
import {type Dispatcher, DispatcherContext, layers, Settling, useHeldKeys, useKeys} from './keys/dispatcher.ts';
import {keyTable, scopesOf, type ActionName} from '../words/key-table.ts';
import {hintOf, keyName, runAction} from '../words/keymap.ts';
import {AbilitiesScreen, InstalledScreen} from './screens/abilities.tsx';
import {AgentsScreen} from './screens/agents.tsx';
import {Asked} from './screens/confirm.tsx';
import {useKeyLines} from './screens/key-lines.ts';
import {explainKey} from './screens/explain-key.ts';
import type {Sessions} from './sessions.ts';
import {type AppAction, type AppState, type Overlay, type WaitedFor, overlaysWithoutMessages, keepTimeMoving} from './state/app-state.ts';
import {smallestSize} from './state/layout.ts';
import {screenNames, type ScreenName} from './state/view.ts';
import type {Key} from '../terminal/key.ts';
import {HintLine, MessageLine} from './widgets/notice.tsx';
import {wrapText} from '../terminal/wrap.ts';
import {AbilityScreen} from './screens/ability/ability-screen.tsx';
import {EditRecordScreen} from './screens/ability/edit-record-screen.tsx';
import {UploadScreen} from './screens/ability/upload-screen.tsx';
import {AgentScreen} from './screens/agent/agent-screen.tsx';
import {PromptConflictScreen} from './screens/agent/prompt-conflict-screen.tsx';
import {PromptEditorScreen} from './screens/agent/prompt-editor-screen.tsx';
import {AgentTiesScreen} from './screens/agent/ties-screen.tsx';
import {DetailFrame} from './screens/detail-frame.tsx';
import {HelpScreen, TopicScreen} from './screens/help.tsx';
import {MessagesScreen, RequestScreen, RequestsScreen} from './screens/logs.tsx';
import {screenMemoryOf} from './screens/opened-keys.ts';
import {PaletteScreen} from './screens/palette.tsx';
import {PresetNameScreen} from './screens/preset-name.tsx';
import {PresetScreen, PresetsScreen} from './screens/presets.tsx';
import {ProfileNameScreen, ProfilesScreen} from './screens/profiles.tsx';
import {SignInScreen} from './screens/sign-in.tsx';
import {TimerField} from './screens/timer-field.tsx';
import {ScreenMemoryContext} from './widgets/text-scroll.ts';

const screens: Readonly<Record<ScreenName, () => ReactElement>> = {
	agents: AgentsScreen,
	abilities: AbilitiesScreen,
	installed: InstalledScreen,
};

const dispatched: Readonly<Partial<Record<ActionName, AppAction>>> = {
	...Object.fromEntries(screenNames.map(screen => [screen, {type: 'show-screen', screen}])),
	'next-screen': {type: 'step-screen', by: 1},
	'previous-screen': {type: 'step-screen', by: -1},
	...Object.fromEntries(
		['help', 'palette', 'messages', 'requests', 'profiles', 'presets'].map(kind => [kind, {type: 'open', overlay: {kind}}]),
	),
};

/** The parts of the surrounding program that the screens need only here. */
type Program = Readonly<Record<'leave' | 'stay' | 'repaint' | 'suspend', () => unknown>>;

type AppProps = {
	readonly ui: UiServices;
	/** The session changes when the person switches profiles. */
	readonly sessions: Pick<Sessions, 'getSession' | 'subscribe'>;
	readonly program: Program;
	readonly dispatcher: Dispatcher;
};

export function App({ui, sessions, program, dispatcher}: AppProps): ReactElement {
	const session = useSyncExternalStore(sessions.subscribe, sessions.getSession);
	const keyLimits = useSyncExternalStore(session.account.keyLimits.subscribe, session.account.keyLimits.get);
	const shownUi = useMemo(
		() => (keyLimits === undefined ? ui : {...ui, keyLimits, isReadOnly: ui.isReadOnly || keyLimits.rights === 'read-only'}),
		[ui, keyLimits],
	);
	return (
		<DispatcherContext value={dispatcher}>
			<UiServicesContext value={shownUi}>
				<ServiceSessionContext key={session.id} value={session}>
					<Root program={program} />
				</ServiceSessionContext>
				<Settling dispatcher={dispatcher} />
			</UiServicesContext>
		</DispatcherContext>
	);
}

function Root({program}: {readonly program: Program}): ReactElement {
	const ui = useUiServices();
	const session = useServiceSession();
	const screen = useAppState(state => state.screen);
	const overlays = useAppState(state => state.overlays);
	const hasNoRoom = useAppState(isTooSmall);
	const isTyping = useAppState(({views}) => views[screen].isFilterOpen || views[screen].isSortOpen);
	const isIdle = useAppState(state => state.isIdle);
	const runKeyLine = useKeyLines();
	const intents = useSyncExternalStore(session.changes.queue.subscribe, () => session.changes.queue.intents('installed', 'enabled'));
	useKeys(layers.program, {
		onKey(key) {
			if (key.name === 'escape') {
				takeInfo(ui);
			}

			if (ui.store.getState().leaving === undefined) {
				return (
					carryOut(programActionOf(key, ui), ui, program) || (isUnavailableToProgram(key, ui) && explainKey(key.name, ['everywhere'], ui))
				);
			}

			actWhileLeaving(key, ui, program);
			return true;
		},
		onAction: () => ui.store.getState().leaving !== undefined,
		onPaste: () => ui.store.getState().leaving !== undefined,
	});
	useKeys(layers.application, {
		onKey(key) {
			if (runKeyLine(key.name)) {
				return 'settle';
			}

			const action = ui.keymap.actionOf(key.name, ['everywhere']);
			const state = ui.store.getState();
			// If the terminal is too small, an open overlay cannot take the key; Ctrl+C quits there too.
			if (action === 'quit' && state.overlays.length > 0) {
				return true;
			}

			// The overlay that these open takes the next key, even a key of the same chunk.
			return carryOut(action, ui, program) ? 'settle' : explainKey(key.name, scopesOf[state.screen], ui);
		},
		onAction: name => carryOut(name, ui, program) || actElsewhere(name, ui),
		onPaste() {
			const isOnList = ui.store.getState().overlays.length === 0;
			ui.say('info', `That looks pasted: nothing was done.${isOnList ? ` ${keyName(ui.keymap, 'filter')} filters.` : ''}`);
			return true;
		},
	});
	const top = overlays.at(-1);
	const overlay = overlays.findLast(each => each.kind !== 'confirm' && each.kind !== 'timer');
	const Screen = screens[screen];
	// An open record is shown as it is in the lists: they are still read below it.
	const isBusy = isTyping || top?.kind === 'timer' || intents.size > 0;
	const {
		records: {changeFeed},
	} = session;
	useEffect(() => changeFeed.pause({isBusy, isIdle}), [changeFeed, isBusy, isIdle]);
	// A screen reader would read the ages that have changed.
	const isScreenReader = useIsScreenReaderEnabled();
	useEffect(() => (isScreenReader ? undefined : keepTimeMoving(ui.store)), [ui, isScreenReader]);
	if (hasNoRoom) {
		return <Text wrap="truncate-end">{`Need at least ${smallestSize.columns}×${smallestSize.rows}.`}</Text>;
	}

	return (
		<LeavingFrame>
			<Asked asked={top?.kind === 'confirm' ? top : undefined}>
				<TimerField asked={top?.kind === 'timer' ? top : undefined}>
					{overlay === undefined ? <Screen /> : <OverlayScreen overlay={overlay} />}
				</TimerField>
			</Asked>
		</LeavingFrame>
	);
}

const isTooSmall = ({size: {columns, rows}}: AppState): boolean => columns < smallestSize.columns || rows < smallestSize.rows;

function takeInfo({store}: UiServices): void {
	const {
		messages: {shown},
		overlays,
	} = store.getState();
	const top = overlays.at(-1);
	if (shown?.level === 'info' && (top === undefined || !overlaysWithoutMessages.has(top.kind))) {
		store.dispatch({type: 'dismiss'});
	}
}

function carryOut(action: ActionName | undefined, {store, profiles}: UiServices, {repaint, suspend, leave}: Program): boolean {
	const dispatch = action && dispatched[action];
	if (dispatch !== undefined) {
		store.dispatch(dispatch);
		return true;
	}

	return runAction(
		{
			connect() {
				store.dispatch({type: 'open', overlay: {kind: 'sign-in', ...profiles.proposedSignIn()}});
			},
			repaint,
			suspend,
			quit: leave,
		},
		action,
	);
}

/** Returns the action of a key that works even under an overlay. A key that types text belongs to the field. */
function programActionOf({name, text}: Key, {keymap}: UiServices): ActionName | undefined {
	const action = keymap.actionOf(name, ['everywhere']);
	return name === 'ctrl+c' || (text === '' && (action === 'repaint' || action === 'suspend')) ? action : undefined;
}

/** True for the key of such an action that is not available here. */
const isUnavailableToProgram = ({name, text}: Key, {keymap}: UiServices): boolean =>
	text === '' && keymap.unavailableActionOf(name) === 'suspend';

function actWhileLeaving({name}: Key, {keymap}: UiServices, {leave, stay}: Program): void {
	if (keymap.keysOf('quit').includes(name)) {
		leave();
	} else if (name === 'escape') {
		stay();
	}
}

/** Goes to the screen where an action chosen by name works, and carries it out there. */
function actElsewhere(name: ActionName, {store, act, say}: UiServices): boolean {
	const {screen, overlays} = store.getState();
	const worksOn = (other: ScreenName): boolean => scopesOf[other].includes(keyTable[name].scope);
	// Actions that switch abilities go to the Installed screen rather than to the Abilities screen.
	const target = worksOn(screen) ? screen : screenNames.findLast(other => worksOn(other))!;
	if (target === screen && overlays.length === 0) {
		say('info', `${name} does nothing here.`);
		return true;
	}

	store.dispatch({type: 'show-screen', screen: target});
	act(name);
	return true;
}

/**
Draws the screen. While the UI waits to quit, the last lines name the reason and the keys that still work; the rest stays, in case the
person cancels quitting.
*/
function LeavingFrame({children}: {readonly children: ReactNode}): ReactElement {
	const {columns, rows} = useAppState(({size}) => size);
	const leaving = useAppState(state => state.leaving);
	const text = leaving === undefined ? '' : leavingText(leaving);
	const textRows = Math.min(rows - 2, wrapText(text, columns - 1).length);
	return (
		<Box flexDirection="column" height={rows}>
			<Box
				flexDirection="column"
				height={leaving === undefined ? rows : rows - textRows - 1}
				flexShrink={0}
				overflow={leaving === undefined ? 'visible' : 'hidden'}
			>
				<Box flexDirection="column" height={rows} flexShrink={0}>
					{children}
				</Box>
			</Box>
			{leaving === undefined ? null : <LeavingLines text={text} textRows={textRows} />}
		</Box>
	);
}

function leavingText({changeCount, isEditorOpen}: WaitedFor): string {
	const parts = [
		...(isEditorOpen ? ['the editor closes'] : []),
		...(changeCount === 0 ? [] : [changeCount === 1 ? '1 change finishes' : `${changeCount} changes finish`]),
	];
	return parts.length === 0 ? 'Quitting…' : `Quitting once ${parts.join(' and ')}.`;
}

function LeavingLines({text, textRows}: {readonly text: string; readonly textRows: number}): ReactElement {
	const {keymap} = useUiServices();
	const {columns} = useAppState().size;
	const hints = [hintOf(keymap, 'quit', 'quit now'), {key: 'esc', label: 'stay'}].filter(hint => hint !== undefined);
	return (
		<>
			<MessageLine width={columns} height={textRows} text={text} level="info" />
			<HintLine width={columns} hints={hints} />
		</>
	);
}

/** An overlay with a separate screen; a question or a field is above another screen. */
type ScreenOverlay = Exclude<Overlay, {readonly kind: 'confirm' | 'timer'}>;

type Drawing<Drawn> = (overlay: Drawn) => ReactElement;

const OverlayScreen = ({overlay}: {readonly overlay: ScreenOverlay}): ReactElement => (
	<ScreenMemoryContext value={screenMemoryOf(useServiceSession(), overlay)}>
		{(drawings[overlay.kind] as Drawing<ScreenOverlay>)(overlay)}
	</ScreenMemoryContext>
);

/** Returns how to draw an overlay that is loaded on first use, because most runs show none. Keys wait until it is loaded. */
function later<Props extends object>(title: string, load: () => Promise<ComponentType<Props>>): Drawing<Props> {
	const Lazy: ComponentType<Props> = lazy(async () => ({default: await load()}));
	return props => (
		<Suspense fallback={<Loading title={title} />}>
			<Lazy {...props} />
		</Suspense>
	);
}

const historyOf = later('History', async () => (await import('./screens/later-overlays.ts')).HistoryOverlay);

const conversationOf = later('Conversation', async () => (await import('./screens/later-overlays.ts')).ConversationOverlay);

const drawings: {readonly [Kind in ScreenOverlay['kind']]: Drawing<ScreenOverlay & {readonly kind: Kind}>} = {
	help: () => <HelpScreen />,
	topic: ({topic}) => <TopicScreen topic={topic} />,
	messages: () => <MessagesScreen />,
	requests: () => <RequestsScreen />,
	history: overlay => historyOf({overlay}),
	'history-entry': overlay => historyOf({overlay}),
	board: overlay => historyOf({overlay}),
	request: ({entry}) => <RequestScreen entry={entry} />,
	palette: ({text}) => <PaletteScreen initialText={text} />,
	profiles: () => <ProfilesScreen />,
	presets: () => <PresetsScreen />,
	preset: ({preset}) => <PresetScreen preset={preset} />,
	'preset-name': () => <PresetNameScreen />,
	'sign-in': proposed => <SignInScreen {...proposed} />,
	'profile-name': ({name}) => <ProfileNameScreen name={name} />,
	agent: ({id}) => <AgentScreen key={id} id={id} />,
	'edit-name': ({id}) => <EditRecordScreen key={id} resource="agents" id={id} />,
	'edit-ties': ({id}) => <AgentTiesScreen id={id} />,
	'prompt-editor': editing => <PromptEditorScreen {...editing} />,
	'prompt-conflict': conflict => <PromptConflictScreen {...conflict} />,
	ability: ({resource, id}) => <AbilityScreen key={`${resource} ${id}`} resource={resource} id={id} />,
	conversation: overlay => conversationOf({overlay}),
	'try-ability': overlay => conversationOf({overlay}),
	'edit-ability': ({id}) => <EditRecordScreen key={id} resource="abilities" id={id} />,
	'edit-installed': ({id}) => <EditRecordScreen key={id} resource="installed" id={id} />,
	upload: () => <UploadScreen />,
};

function Loading({title}: {readonly title: string}): ReactElement {
	useHeldKeys();
	return (
		<DetailFrame title={title} hints={[]}>
			{null}
		</DetailFrame>
	);
}
