import {
	useEffect,
	useRef,
	useSyncExternalStore,
	type ReactElement,
} from 'react';
import {Text} from 'ink';
import {
	UiServicesContext,
	useAppState,
	useUiServices,
	type UiServices,
} from './app-context.ts';
import {ServiceSessionContext, useServiceSession, type ServiceSession} from './hooks/service-session.ts';
import {PollingContext} from './hooks/use-resource.ts';
import {runAction} from './keys/action-handlers.ts';
import {type Dispatcher} from './keys/dispatcher.ts';
import {
	keyTable,
	scopesOf,
	type ActionName,
} from './keys/key-table.ts';
import {DispatcherContext, layers, useKeys} from './keys/use-keys.ts';
import {type Key} from './terminal/key.ts';
import {AbilitiesScreen} from './screens/abilities.tsx';
import {AgentsScreen} from './screens/agents.tsx';
import {InstalledScreen} from './screens/installed.tsx';
import {Asked} from './screens/confirm.tsx';
import {LeavingFrame} from './screens/leaving.tsx';
import {explainKey} from './screens/explain-key.ts';
import {OverlayScreen} from './screens/overlay.tsx';
import {screenNames, type ScreenName} from './state/view.ts';
import {smallestSize} from './state/layout.ts';
import {overlaysWithoutMessages, type Overlay} from './state/overlays.ts';

/** The session that the screens show; it changes when the person switches profiles. */
export type SessionSource = {
	getSession(): ServiceSession;
	subscribe(listener: () => void): () => void;
};

const screens: Readonly<Record<ScreenName, () => ReactElement>> = {
	agents: AgentsScreen,
	abilities: AbilitiesScreen,
	installed: InstalledScreen,
};

const carryOut = (action: ActionName | undefined, {store, terminal, proposedSignIn, leave}: UiServices): boolean => {
	const show = (screen: ScreenName) => (): void => {
		store.dispatch({type: 'show-screen', screen});
	};

	const step = (by: 1 | -1) => (): void => {
		store.dispatch({type: 'step-screen', by});
	};

	const open = (overlay: Overlay) => (): void => {
		store.dispatch({type: 'open', overlay});
	};

	return runAction({
		agents: show('agents'),
		abilities: show('abilities'),
		installed: show('installed'),
		'next-screen': step(1),
		'previous-screen': step(-1),
		help: open({kind: 'help'}),
		palette: open({kind: 'palette'}),
		messages: open({kind: 'messages'}),
		requests: open({kind: 'requests'}),
		profiles: open({kind: 'profiles'}),
		presets: open({kind: 'presets'}),
		connect() {
			open({kind: 'sign-in', ...proposedSignIn()})();
		},
		repaint: terminal.repaint,
		suspend: terminal.suspend,
		quit: leave,
	}, action);
};

/** The action of a key that works even under an overlay. A key that types something belongs to the field. */
const programActionOf = ({name, text}: Key, {keymap}: UiServices): ActionName | undefined => {
	const action = keymap.actionOf(name, ['everywhere']);
	return name === 'ctrl+c' || (text === '' && (action === 'repaint' || action === 'suspend')) ? action : undefined;
};

/** The same for one that is not available here. */
const isUnavailableToProgram = ({name, text}: Key, {keymap}: UiServices): boolean => text === '' && keymap.unavailableActionOf(name) === 'suspend';

/** Dismisses an `info` that is on the screen; the key goes on to what it is meant for. */
const takeInfo = ({store}: UiServices): void => {
	const {messages: {shown}, overlays} = store.getState();
	const top = overlays.at(-1);
	if (shown?.level === 'info' && (top === undefined || !overlaysWithoutMessages.has(top.kind))) {
		store.dispatch({type: 'dismiss'});
	}
};

/** While the UI waits for the last answers: quitting again quits at once, Escape stays, and other keys do nothing. */
const actWhileLeaving = ({name}: Key, ui: UiServices): void => {
	if (ui.keymap.keysOf('quit').includes(name)) {
		ui.leave();
	} else if (name === 'escape') {
		ui.stay();
	}
};

/** Goes to the screen where an action chosen by name works, and carries it out there. */
const actElsewhere = (name: ActionName, {store, act, say}: UiServices): boolean => {
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
};

const Root = (): ReactElement => {
	const ui = useUiServices();
	const session = useServiceSession();
	const screen = useAppState(state => state.screen);
	const overlays = useAppState(state => state.overlays);
	const isTooSmall = useAppState(({size}) => size.columns < smallestSize.columns || size.rows < smallestSize.rows);
	const isTyping = useAppState(({views}) => views[screen].isFilterOpen || views[screen].isSortOpen);
	const isIdle = useAppState(state => state.isIdle);
	const intents = useSyncExternalStore(session.toggles.subscribe, session.toggles.getIntents);
	useKeys(layers.program, {
		onKey(key) {
			if (key.name === 'escape') {
				takeInfo(ui);
			}

			if (ui.store.getState().leaving === undefined) {
				return carryOut(programActionOf(key, ui), ui) || (isUnavailableToProgram(key, ui) && explainKey(key.name, ['everywhere'], ui));
			}

			actWhileLeaving(key, ui);
			return true;
		},
		onAction: () => ui.store.getState().leaving !== undefined,
		onPaste: () => ui.store.getState().leaving !== undefined,
	});
	useKeys(layers.application, {
		onKey(key) {
			const action = ui.keymap.actionOf(key.name, ['everywhere']);
			const state = ui.store.getState();
			// On a terminal that is too small for it, what is open cannot take the key; Ctrl+C quits there too.
			if (action === 'quit' && state.overlays.length > 0) {
				return true;
			}

			// What these open takes the next key, even one of the same chunk.
			return carryOut(action, ui) ? 'settle' : explainKey(key.name, scopesOf[state.screen], ui);
		},
		onAction: name => carryOut(name, ui) || actElsewhere(name, ui),
	});
	const top = overlays.at(-1);
	const overlay = overlays.findLast(each => each.kind !== 'confirm');
	const Screen = screens[screen];
	// What is open shows its record as the lists have it: they are read on below it.
	const isBusy = isTyping || intents.size > 0;
	const {changeFeed} = session;
	useEffect(() => {
		changeFeed.setHeld(isBusy);
	}, [changeFeed, isBusy]);
	const wasIdle = useRef(isIdle);
	useEffect(() => {
		if (wasIdle.current && !isIdle) {
			changeFeed.readMissed();
		}

		wasIdle.current = isIdle;
	}, [changeFeed, isIdle]);
	if (isTooSmall) {
		return <Text wrap='truncate-end'>{`Need at least ${smallestSize.columns}×${smallestSize.rows}.`}</Text>;
	}

	return (
		<PollingContext value={!isBusy && !isIdle}>
			<LeavingFrame>
				<Asked asked={top?.kind === 'confirm' ? top : undefined}>
					{overlay === undefined ? <Screen/> : <OverlayScreen overlay={overlay}/>}
				</Asked>
			</LeavingFrame>
		</PollingContext>
	);
};

type AppProps = {
	readonly ui: UiServices;
	readonly sessions: SessionSource;
	readonly dispatcher: Dispatcher;
};

/** The whole UI. */
export const App = ({ui, sessions, dispatcher}: AppProps): ReactElement => {
	const session = useSyncExternalStore(sessions.subscribe, sessions.getSession);
	return (
		<DispatcherContext value={dispatcher}>
			<UiServicesContext value={ui}>
				<ServiceSessionContext key={session.id} value={session}>
					<Root/>
				</ServiceSessionContext>
			</UiServicesContext>
		</DispatcherContext>
	);
};
