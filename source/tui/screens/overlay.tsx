import {type ReactElement} from 'react';
import {useServiceSession} from '../hooks/service-session.ts';
import {type Overlay} from '../state/app-state.ts';
import {ScreenMemoryContext} from '../widgets/use-remembered-state.ts';
import {AbilityScreen} from './ability/ability-screen.tsx';
import {PhrasesScreen} from './ability/phrases-screen.tsx';
import {UploadScreen} from './ability/upload-screen.tsx';
import {AgentScreen} from './agent/agent-screen.tsx';
import {PromptConflictScreen} from './agent/prompt-conflict-screen.tsx';
import {AgentTiesScreen} from './agent/ties-screen.tsx';
import {HelpScreen} from './help.tsx';
import {MessagesScreen} from './messages.tsx';
import {PaletteScreen} from './palette.tsx';
import {ProfileNameScreen} from './profile-name.tsx';
import {ProfilesScreen} from './profiles.tsx';
import {RequestScreen} from './request.tsx';
import {RequestsScreen} from './requests.tsx';
import {screenMemoryOf} from './screen-memory.ts';
import {SignInScreen} from './sign-in.tsx';

/** What has a screen of its own: a question lies above another. */
export type ScreenOverlay = Exclude<Overlay, {readonly kind: 'confirm'}>;

const screenOf = (overlay: ScreenOverlay): ReactElement => {
	switch (overlay.kind) {
		case 'help': {
			return <HelpScreen/>;
		}

		case 'messages': {
			return <MessagesScreen/>;
		}

		case 'requests': {
			return <RequestsScreen/>;
		}

		case 'request': {
			return <RequestScreen entry={overlay.entry}/>;
		}

		case 'palette': {
			return <PaletteScreen/>;
		}

		case 'profiles': {
			return <ProfilesScreen/>;
		}

		case 'sign-in': {
			return <SignInScreen {...overlay}/>;
		}

		case 'profile-name': {
			return <ProfileNameScreen name={overlay.name}/>;
		}

		case 'agent':
		case 'agent-name': {
			return <AgentScreen key={overlay.id} id={overlay.id} isNaming={overlay.kind === 'agent-name'}/>;
		}

		case 'agent-ties': {
			return <AgentTiesScreen id={overlay.id}/>;
		}

		case 'prompt-conflict': {
			return <PromptConflictScreen {...overlay}/>;
		}

		case 'ability': {
			return <AbilityScreen key={`${overlay.resource} ${overlay.id}`} resource={overlay.resource} id={overlay.id}/>;
		}

		case 'phrases': {
			return <PhrasesScreen key={overlay.id} id={overlay.id}/>;
		}

		case 'upload': {
			return <UploadScreen/>;
		}
	}
};

/** Draws what lies on top of the screens. */
export const OverlayScreen = ({overlay}: {readonly overlay: ScreenOverlay}): ReactElement => (
	<ScreenMemoryContext value={screenMemoryOf(useServiceSession(), overlay)}>{screenOf(overlay)}</ScreenMemoryContext>
);
