import {type Agent} from '../../interface/records.ts';
import {type Preset} from '../../state/preset.ts';
import {type LoggedRequest} from '../hooks/request-log.ts';
import {type TextEditorAction, type TextEditorState, type TextSize} from '../widgets/text-editor/index.ts';
import {type Store} from './store.ts';

/** The default address of a sign-in, and whether only the key is missing. */
export type ProposedSignIn = {readonly baseAddress: string; readonly isKeyMissing?: boolean};

/** A layer above the screen, the newest on top; Escape closes the top one. */
export type Overlay =
	| {readonly kind: 'help' | 'palette' | 'messages' | 'requests' | 'profiles' | 'presets' | 'preset-name' | 'upload'}
	| {readonly kind: 'preset'; readonly preset: Preset}
	| ({readonly kind: 'sign-in'} & ProposedSignIn)
	| {readonly kind: 'profile-name'; readonly name: string}
	| {readonly kind: 'request'; readonly entry: LoggedRequest}
	| {readonly kind: 'agent' | 'agent-name' | 'agent-ties' | 'phrases'; readonly id: number}
	/** The id is that of an ability, or of an installed record. */
	| {readonly kind: 'ability'; readonly resource: 'abilities' | 'installed'; readonly id: number}
	/** The prompt of an agent, edited on the screen. */
	| {
		readonly kind: 'prompt-editor';
		readonly agentId: number;
		readonly agentName: string;
		readonly editor: Store<TextEditorState, TextEditorAction>;
		onSave(): void;
		/** The person wants to leave without saving; `isGone` if the agent was deleted. */
		onLeave(isGone: boolean): void;
		/** The list shows the agent, as it was when the editor was opened or changed since. */
		onSeen(agent: Agent, size: TextSize): void;
	}
	/** Somebody else changed the prompt that the person was editing. */
	| {
		readonly kind: 'prompt-conflict';
		readonly agentName: string;
		/** The prompt on the service now. */
		readonly theirs: string;
		readonly mine: string;
		/** The file that keeps the person's text until they decide. */
		readonly shownPath: string;
		onChoose(choice: 'both' | 'theirs' | 'mine'): void;
	}
	| ({readonly kind: 'confirm'} & Question);

/** Overlays without a line for messages: what is said meanwhile is read when they are closed. */
export const overlaysWithoutMessages: ReadonlySet<Overlay['kind']> = new Set(['help', 'palette', 'messages', 'requests', 'request', 'profiles', 'profile-name', 'sign-in']);

/** A question asked before something that is hard to undo; the answer is No unless the person says Yes. */
export type Question = {
	readonly question: string;
	/** What else it affects, a line each. */
	readonly details: readonly string[];
	/** What the answer Yes does, in a word or two. */
	readonly yes: string;
	/** True for what cannot be undone: it looks different from all others. */
	readonly isFinal?: boolean;
	onYes(): void;
	onNo?(): void;
};
