import {useSyncExternalStore, type ReactElement} from 'react';
import {Text} from 'ink';
import {
	UiServicesContext,
	useAppState,
	useUiServices,
	type UiServices,
} from './app-context.ts';
import {ServiceSessionContext, useServiceSession, type ServiceSession} from './hooks/service-session.ts';
import {PollingContext} from './hooks/use-resource.ts';
import {type Dispatcher} from './keys/dispatcher.ts';
import {keyLabel} from './keys/key-labels.ts';
import {
	keyTable,
	scopesOf,
	screensOf,
	type ActionName,
} from './keys/key-table.ts';
import {DispatcherContext, layers, useKeys} from './keys/use-keys.ts';
import {type Key} from './terminal/keyboard.ts';
import {AbilitiesScreen} from './screens/abilities.tsx';
import {AgentsScreen} from './screens/agents.tsx';
import {InstalledScreen} from './screens/installed.tsx';
import {Asked} from './screens/confirm.tsx';
import {LeavingFrame} from './screens/leaving.tsx';
import {OverlayScreen} from './screens/overlay.tsx';
import {screenNames, type ScreenName} from './state/view.ts';
import {smallestSize} from './state/layout.ts';

/** Where the session that the screens show can change: when another profile is chosen. */
export type SessionSource = {
	getSession(): ServiceSession;
	subscribe(listener: () => void): () => void;
};

const screens: Readonly<Record<ScreenName, () => ReactElement>> = {
	agents: AgentsScreen,
	abilities: AbilitiesScreen,
	installed: InstalledScreen,
};

const carryOut = (action: ActionName | undefined, ui: UiServices): boolean => {
	const {store} = ui;
	switch (action) {
		case 'agents':
		case 'abilities':
		case 'installed': {
			store.dispatch({type: 'show-screen', screen: action});
			return true;
		}

		case 'next-screen':
		case 'previous-screen': {
			store.dispatch({type: 'step-screen', by: action === 'next-screen' ? 1 : -1});
			return true;
		}

		case 'help':
		case 'palette':
		case 'messages':
		case 'requests':
		case 'profiles': {
			store.dispatch({type: 'open', overlay: {kind: action}});
			return true;
		}

		case 'connect': {
			store.dispatch({type: 'open', overlay: {kind: 'sign-in', ...ui.proposedSignIn()}});
			return true;
		}

		case 'repaint': {
			ui.line.repaint();
			return true;
		}

		case 'suspend': {
			ui.line.stop();
			return true;
		}

		case 'quit': {
			ui.leave();
			return true;
		}

		default: {
			return false;
		}
	}
};

/** What a key does that acts whatever lies above the screen. One that types something is for the field that it is typed into. */
const programActionOf = ({name, text}: Key, {keymap}: UiServices): ActionName | undefined => {
	const action = keymap.actionOf(name, ['everywhere']);
	return name === 'ctrl+c' || (text === '' && (action === 'repaint' || action === 'suspend')) ? action : undefined;
};

/** While the last answers are waited for: what leaves leaves at once, Escape stays, and nothing else is for anybody. */
const actWhileLeaving = ({name}: Key, ui: UiServices): void => {
	if (ui.keymap.keysOf('quit').includes(name)) {
		ui.leave();
	} else if (name === 'escape') {
		ui.stay();
	}
};

/** Says why a key that acts elsewhere does not act here. */
const explain = (keyName: string, {keymap, store, say}: UiServices): boolean => {
	const actions = new Set(screenNames.map(name => keymap.actionOf(keyName, scopesOf[name])).filter(action => action !== undefined));
	if (actions.size === 0 || keymap.actionOf(keyName, scopesOf[store.getState().screen]) !== undefined) {
		return false;
	}

	// Where it does one thing on each of them, it is said which.
	const elsewhere = [...actions].map(action => screensOf(keyTable[action].scope).join(' and ') + (actions.size > 1 ? ` (${keyTable[action].hint})` : ''));
	say('info', `${keyLabel(keyName)} works on ${elsewhere.join(' and ')}, not here.`);
	return true;
};

/** Goes to where an action acts that was asked for by its name, and carries it out there. */
const actElsewhere = (name: ActionName, {store, act, say}: UiServices): boolean => {
	const {screen, overlays} = store.getState();
	const actsOn = (other: ScreenName): boolean => scopesOf[other].includes(keyTable[name].scope);
	// Of the lists with switches, that of what is installed is the one for them.
	const target = actsOn(screen) ? screen : screenNames.findLast(other => actsOn(other))!;
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
	const {screen, overlays, views, size, isIdle} = useAppState();
	const intents = useSyncExternalStore(session.toggles.subscribe, session.toggles.getIntents);
	useKeys(layers.program, {
		onKey(key) {
			if (ui.store.getState().leaving === undefined) {
				return carryOut(programActionOf(key, ui), ui);
			}

			actWhileLeaving(key, ui);
			return true;
		},
		onAction: () => ui.store.getState().leaving !== undefined,
		onPaste: () => ui.store.getState().leaving !== undefined,
	});
	useKeys(layers.application, {
		// What comes of these takes the next key, also one of the same chunk.
		onKey: key => carryOut(ui.keymap.actionOf(key.name, ['everywhere']), ui) ? 'settle' : explain(key.name, ui),
		onAction: name => carryOut(name, ui) || actElsewhere(name, ui),
	});
	const top = overlays.at(-1);
	const overlay = overlays.findLast(each => each.kind !== 'confirm');
	const Screen = screens[screen];
	if (size.columns < smallestSize.columns || size.rows < smallestSize.rows) {
		return <Text wrap='truncate-end'>{`Too small: ${smallestSize.columns}×${smallestSize.rows} is the least.`}</Text>;
	}

	return (
		<PollingContext value={top === undefined && !views[screen].isFilterOpen && !views[screen].isSortOpen && intents.size === 0 && !isIdle}>
			<LeavingFrame>
				<Asked asked={top?.kind === 'confirm' ? top : undefined}>
					{overlay === undefined ? <Screen/> : <OverlayScreen overlay={overlay}/>}
				</Asked>
			</LeavingFrame>
		</PollingContext>
	);
};

export type AppProps = {
	readonly ui: UiServices;
	readonly sessions: SessionSource;
	readonly dispatcher: Dispatcher;
};

/** The whole of the screens. */
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
