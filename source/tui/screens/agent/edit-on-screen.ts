import {SwitchboardError} from '../../../interface/errors.ts';
import {goneText} from '../../../interface/lists.ts';
import {type Agent} from '../../../interface/records.ts';
import {type UiServices} from '../../app-context.ts';
import {type Overlay} from '../../state/overlays.ts';
import {createStore} from '../../state/store.ts';
import {
	createTextEditorState,
	isEdited,
	isUntouched,
	reduceTextEditor,
	toPlainText,
} from '../../widgets/text-editor/index.ts';
import {originalOf} from '../../hooks/agent-changes.ts';
import {ask} from '../ask.ts';
import {keepDraft} from './keep-draft.ts';
import {type PromptFile} from './prompt-file.ts';

/** How an edit ended: with a text to save, or with nothing to keep. */
type Outcome =
	| {
		readonly kind: 'save';
		readonly text: string;
		/** The newest that is known of it. */
		readonly agent: Agent;
		/** The prompt that took the place of the first one before anything was typed; `undefined` if none did. */
		readonly original: string | undefined;
	}
	| {readonly kind: 'discard'};

type EditOnScreenOptions = {
	readonly agent: Agent;
	/** The text to go on with: that prompt, or what was made of it before. */
	readonly text: string;
	/** Keeps the text while it is edited. */
	readonly file: PromptFile;
	readonly ending: AbortSignal;
};

/**
Lets the person edit a prompt on the screen. Until something is typed, the text follows the prompt on the service.

@throws SwitchboardError `interrupted` once `ending` is aborted, `not-found` if the person leaves a changed text of an agent that was deleted. The file has the newest text then.
*/
export const editOnScreen = async (ui: UiServices, {
	agent: agentBefore, text, file, ending,
}: EditOnScreenOptions): Promise<Outcome> => {
	const {store} = ui;
	let agent = agentBefore;
	let original: string | undefined;
	let stored = originalOf(agent).prompt ?? '';
	const {promise, resolve, reject} = Promise.withResolvers<Outcome>();
	const editor = createStore(reduceTextEditor, createTextEditorState(stored, text));
	const draft = keepDraft(editor, file, error => {
		ui.say('error', `What you type is not kept until you save it: ${error.message}`, error);
	});
	const editedText = (): string => toPlainText(editor.getState().text);
	/** Closes the editor at once: the next key is for what lies below. */
	const close = (): void => {
		const {overlays} = store.getState();
		if (overlays.includes(overlay)) {
			store.dispatch({type: overlays.at(-1) === overlay ? 'close' : 'close-all'});
		}
	};

	const finish = (outcome: Outcome): void => {
		close();
		resolve(outcome);
	};

	const overlay: Overlay = {
		kind: 'prompt-editor',
		agentId: agent.id,
		agentName: agent.name,
		editor,
		onSave() {
			finish({
				kind: 'save', text: editedText(), agent, original,
			});
		},
		onLeave(isGone) {
			if (!isEdited(editor.getState()) || editedText() === stored) {
				finish({kind: 'discard'});
				return;
			}

			if (isGone) {
				close();
				reject(new SwitchboardError('not-found', goneText('agents', agent.name)));
				return;
			}

			ask(ui, {
				question: `Discard your changes to the prompt of ${agent.name}?`,
				details: [],
				yes: 'discard',
				onYes() {
					finish({kind: 'discard'});
				},
			});
		},
		onSeen(newest, size) {
			const {prompt} = originalOf(newest);
			const isChanged = prompt !== undefined && prompt !== originalOf(agent).prompt;
			agent = newest;
			if (!isChanged) {
				return;
			}

			if (!isUntouched(editor.getState())) {
				ui.say('info', `The prompt of ${agent.name} was changed elsewhere. Saving yours asks first.`);
				return;
			}

			try {
				file.open(prompt, {agentName: agent.name, prompt});
			} catch {
				// The file still says what the text was made from: saving it is a conflict.
				return;
			}

			original = prompt;
			stored = prompt;
			editor.dispatch({type: 'reopen', text: prompt, size});
		},
	};
	const end = (): void => {
		close();
		reject(new SwitchboardError('interrupted', ending.reason === 'SIGINT' ? 'You quit before saving it.' : 'Switchboard ended before you saved it.'));
	};

	ending.addEventListener('abort', end, {once: true});
	store.dispatch({type: 'dismiss'});
	store.dispatch({type: 'open', overlay});
	try {
		const outcome = await promise;
		await (outcome.kind === 'save' ? draft.close() : draft.discard());
		return outcome;
	} catch (error) {
		await draft.close();
		throw error;
	} finally {
		ending.removeEventListener('abort', end);
	}
};
