import {type ReactElement} from 'react';
import {useServiceSession} from '../hooks/service-session.ts';
import {type Overlay} from '../state/overlays.ts';
import {ScreenMemoryContext} from '../widgets/use-remembered-state.ts';
import {AbilityScreen} from './ability/ability-screen.tsx';
import {PhrasesScreen} from './ability/phrases-screen.tsx';
import {UploadScreen} from './ability/upload-screen.tsx';
import {AgentScreen} from './agent/agent-screen.tsx';
import {PromptConflictScreen} from './agent/prompt-conflict-screen.tsx';
import {PromptEditorScreen} from './agent/prompt-editor-screen.tsx';
import {AgentTiesScreen} from './agent/ties-screen.tsx';
import {HelpScreen} from './help.tsx';
import {MessagesScreen} from './messages.tsx';
import {PaletteScreen} from './palette.tsx';
import {PresetNameScreen} from './preset/preset-name-screen.tsx';
import {PresetScreen} from './preset/preset-screen.tsx';
import {PresetsScreen} from './preset/presets-screen.tsx';
import {ProfileNameScreen} from './profile-name.tsx';
import {ProfilesScreen} from './profiles.tsx';
import {RequestScreen} from './request.tsx';
import {RequestsScreen} from './requests.tsx';
import {screenMemoryOf} from './screen-memory.ts';
import {SignInScreen} from './sign-in.tsx';

/** An overlay with a screen of its own: a question lies above another screen. */
type ScreenOverlay = Exclude<Overlay, {readonly kind: 'confirm'}>;

type Drawing<Drawn> = (overlay: Drawn) => ReactElement;

const drawings: {readonly [Kind in ScreenOverlay['kind']]: Drawing<ScreenOverlay & {readonly kind: Kind}>} = {
	help: () => <HelpScreen/>,
	messages: () => <MessagesScreen/>,
	requests: () => <RequestsScreen/>,
	request: ({entry}) => <RequestScreen entry={entry}/>,
	palette: () => <PaletteScreen/>,
	profiles: () => <ProfilesScreen/>,
	presets: () => <PresetsScreen/>,
	preset: ({preset}) => <PresetScreen preset={preset}/>,
	'preset-name': () => <PresetNameScreen/>,
	'sign-in': proposed => <SignInScreen {...proposed}/>,
	'profile-name': ({name}) => <ProfileNameScreen name={name}/>,
	agent: ({id}) => <AgentScreen key={id} id={id} isNaming={false}/>,
	'agent-name': ({id}) => <AgentScreen key={id} isNaming id={id}/>,
	'agent-ties': ({id}) => <AgentTiesScreen id={id}/>,
	'prompt-editor': editing => <PromptEditorScreen {...editing}/>,
	'prompt-conflict': conflict => <PromptConflictScreen {...conflict}/>,
	ability: ({resource, id}) => <AbilityScreen key={`${resource} ${id}`} resource={resource} id={id}/>,
	phrases: ({id}) => <PhrasesScreen key={id} id={id}/>,
	upload: () => <UploadScreen/>,
};

/** Draws the top overlay. */
export const OverlayScreen = ({overlay}: {readonly overlay: ScreenOverlay}): ReactElement => (
	<ScreenMemoryContext value={screenMemoryOf(useServiceSession(), overlay)}>{(drawings[overlay.kind] as Drawing<ScreenOverlay>)(overlay)}</ScreenMemoryContext>
);
