import {useEffect, useSyncExternalStore, type ReactElement} from 'react';
import {useAppState, useUiServices} from '../../app-context.ts';
import {useAgents, isGone} from '../../hooks/use-resource.ts';
import {type KeyAnswer, layers, useKeys} from '../../keys/dispatcher.ts';
import {hintsFor, type Keymap, type Hint} from '../../../words/keymap.ts';
import type {Overlay} from '../../state/app-state.ts';
import {maximumTextLength} from '../../state/text-editor-state.ts';
import {TextEditor, textActionOf} from '../../widgets/text-editor.tsx';
import {lineCountOf} from '../../state/text-rows.ts';
import {dismissError} from '../refuse-change.ts';
import {DetailFrame, detailLayoutOf, useProfileNote} from '../detail-frame.tsx';
import {promptWidth} from './agent-screen.tsx';

const narrowColumns = 60;

/**
Characters that nobody can type: control characters, and the replacement for bytes that are not text. All others are pasted as they are, and
the editor shows their places.
*/
const untypable = /(?![\t\n])\p{Control}|\u{FFFD}/gu;

type PromptEditorProps = Omit<Extract<Overlay, {readonly kind: 'prompt-editor'}>, 'kind'>;

/** Draws the prompt of an agent in an editor on the screen. Its state outlives the screen, because the help may cover it. */
export function PromptEditorScreen({agentId, agentName, editor, onSave, onLeave, onSeen}: PromptEditorProps): ReactElement {
	const ui = useUiServices();
	const state = useAppState();
	const edited = useSyncExternalStore(editor.subscribe, editor.getState);
	const profileNote = useProfileNote();
	const size = {width: promptWidth(state.size.columns), height: detailLayoutOf(state).bodyRows};
	const agents = useAgents();
	const agent = agents.records?.find(({id}) => id === agentId);
	const isDeleted = isGone(agents, agentId);
	useEffect(() => {
		if (agent !== undefined) {
			onSeen(agent, size);
		}
	}, [agent]);

	useKeys(layers.field, {
		onKey(key): KeyAnswer {
			const verb = textActionOf(key, ui.keymap);
			if (verb !== undefined) {
				const before = editor.getState();
				editor.dispatch({...verb, size});
				if (verb.type === 'type' && editor.getState() === before) {
					ui.say('error', 'The text is at its limit of 1 MB.');
				}

				return 'settled';
			}

			const action = ui.keymap.actionOf(key.name, ['text', 'everywhere']);
			if (action === 'help') {
				ui.store.dispatch({type: 'open', overlay: {kind: 'help'}});
			} else if (action === 'text-save') {
				onSave();
			} else if (action === 'text-leave' && !dismissError(ui.store)) {
				onLeave(isDeleted);
			} else if (action !== 'text-leave') {
				return false;
			}

			return 'settle';
		},
		onPaste(_text, isTruncated, raw) {
			const text = raw.replaceAll(untypable, '');
			editor.dispatch({type: 'insert', text, size});
			const isFull = editor.getState().text.length >= maximumTextLength;
			const lacks = [
				isTruncated ? 'Only the first megabyte was pasted.' : isFull ? 'The text is at its limit of 1 MB.' : '',
				text === raw ? '' : 'Control characters in the pasted text were left out.',
			].filter(Boolean);
			if (lacks.length > 0) {
				ui.say('error', lacks.join(' '));
			}

			return true;
		},
	});

	const changed = [edited.text === edited.opened ? '' : 'changed', isDeleted ? 'the agent no longer exists' : '']
		.filter(Boolean)
		.join(' · ');
	const [line, lineCount] = [lineCountOf(edited.text, edited.cursor), lineCountOf(edited.text)];
	const notes = state.size.columns < narrowColumns ? [`${line}/${lineCount}`] : [`line ${line} of ${lineCount}`, profileNote];
	return (
		<DetailFrame
			title={`Prompt of ${agent?.name ?? agentName}`}
			notes={[changed, ...notes]}
			spoken={changed}
			hints={editorHints(ui.keymap)}
		>
			<TextEditor state={edited} size={size} isAscii={ui.isAscii} />
		</DetailFrame>
	);
}

/** Returns the keys of the editor. The key for the help is one that types nothing. */
function editorHints(keymap: Keymap): readonly Hint[] {
	const helpKey = keymap.keysOf('help').find(key => key.length > 1);
	return [...hintsFor(keymap, ['text']), ...(helpKey === undefined ? [] : [{key: helpKey, label: 'keys', isKept: true}])];
}
