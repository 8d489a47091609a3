import {lazy, Suspense, type ComponentType, type ReactElement} from 'react';
import {useServiceSession} from '../hooks/service-session.ts';
import {useHeldKeys} from '../keys/dispatcher.ts';
import type {Overlay} from '../state/app-state.ts';
import {ScreenMemoryContext} from '../widgets/text-scroll.ts';
import {AbilityScreen} from './ability/ability-screen.tsx';
import {EditAbilityScreen} from './ability/edit-ability-screen.tsx';
import {PhrasesScreen} from './ability/phrases-screen.tsx';
import {UploadScreen} from './ability/upload-screen.tsx';
import {AgentScreen} from './agent/agent-screen.tsx';
import {PromptConflictScreen} from './agent/prompt-conflict-screen.tsx';
import {PromptEditorScreen} from './agent/prompt-editor-screen.tsx';
import {AgentTiesScreen} from './agent/ties-screen.tsx';
import {DetailFrame, TitleLine} from './detail-frame.tsx';
import {HelpScreen, TopicScreen} from './help.tsx';
import {MessagesScreen, RequestScreen, RequestsScreen} from './logs.tsx';
import {PaletteScreen} from './palette.tsx';
import {PresetNameScreen} from './preset-name.tsx';
import {PresetScreen, PresetsScreen} from './presets.tsx';
import {ProfileNameScreen, ProfilesScreen} from './profiles.tsx';
import {screenMemoryOf} from './opened-keys.ts';
import {SignInScreen} from './sign-in.tsx';

/** An overlay with a screen of its own: a question lies above another screen. */
type ScreenOverlay = Exclude<Overlay, {readonly kind: 'confirm'}>;

/** Loaded with the first one: most runs show none. */
const LazyHistory = lazy(async () => {
	const {HistoryOverlay} = await import('./later-overlays.ts');
	return {default: HistoryOverlay};
});

const LazyConversation = lazy(async () => {
	const {ConversationOverlay} = await import('./later-overlays.ts');
	return {default: ConversationOverlay};
});

const Loading = ({title}: {readonly title: string}): ReactElement => {
	useHeldKeys();
	return (
		<DetailFrame head={<TitleLine title={title} notes={[]} />} hints={[]}>
			{null}
		</DetailFrame>
	);
};

/** Keys wait until it is loaded. */
const later =
	<Props extends object>(title: string, Lazy: ComponentType<Props>) =>
	(props: Props): ReactElement => (
		<Suspense fallback={<Loading title={title} />}>
			<Lazy {...props} />
		</Suspense>
	);

const historyOf = later('History', LazyHistory);
const conversationOf = later('Conversation', LazyConversation);

type Drawing<Drawn> = (overlay: Drawn) => ReactElement;

const drawings: {readonly [Kind in ScreenOverlay['kind']]: Drawing<ScreenOverlay & {readonly kind: Kind}>} = {
	help: () => <HelpScreen />,
	topic: ({topic}) => <TopicScreen topic={topic} />,
	messages: () => <MessagesScreen />,
	requests: () => <RequestsScreen />,
	history: overlay => historyOf({overlay}),
	'history-entry': overlay => historyOf({overlay}),
	request: ({entry}) => <RequestScreen entry={entry} />,
	palette: () => <PaletteScreen />,
	profiles: () => <ProfilesScreen />,
	presets: () => <PresetsScreen />,
	preset: ({preset}) => <PresetScreen preset={preset} />,
	'preset-name': () => <PresetNameScreen />,
	'sign-in': proposed => <SignInScreen {...proposed} />,
	'profile-name': ({name}) => <ProfileNameScreen name={name} />,
	agent: ({id}) => <AgentScreen key={id} id={id} isNaming={false} />,
	'agent-name': ({id}) => <AgentScreen key={id} isNaming id={id} />,
	'agent-ties': ({id}) => <AgentTiesScreen id={id} />,
	'prompt-editor': editing => <PromptEditorScreen {...editing} />,
	'prompt-conflict': conflict => <PromptConflictScreen {...conflict} />,
	ability: ({resource, id}) => <AbilityScreen key={`${resource} ${id}`} resource={resource} id={id} />,
	conversation: overlay => conversationOf({overlay}),
	'try-ability': overlay => conversationOf({overlay}),
	'edit-ability': ({id}) => <EditAbilityScreen key={id} id={id} />,
	phrases: ({id}) => <PhrasesScreen key={id} id={id} />,
	upload: () => <UploadScreen />,
};

export const OverlayScreen = ({overlay}: {readonly overlay: ScreenOverlay}): ReactElement => (
	<ScreenMemoryContext value={screenMemoryOf(useServiceSession(), overlay)}>
		{(drawings[overlay.kind] as Drawing<ScreenOverlay>)(overlay)}
	</ScreenMemoryContext>
);
