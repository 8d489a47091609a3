import {SwitchboardError} from '../../../interface/errors.ts';
import {type UiServices} from '../../app-context.ts';
import {type Overlay} from '../../state/overlays.ts';
import {createStore} from '../../state/store.ts';
import {
	createTextEditorState,
	isEdited,
	reduceTextEditor,
	toPlainText,
} from '../../widgets/text-editor/index.ts';
import {ask} from '../ask.ts';
import {keepDraft} from './keep-draft.ts';
import {type PromptFile} from './prompt-file.ts';

/** How an edit ended: with a text to save, or with nothing to keep. */
type Outcome = {readonly kind: 'save'; readonly text: string} | {readonly kind: 'discard'};

type EditOnScreenOptions = {
	readonly agentName: string;
	/** The prompt on the service. */
	readonly stored: string;
	/** The text to go on with: that prompt, or what was made of it before. */
	readonly text: string;
	/** Keeps the text while it is edited. */
	readonly file: PromptFile;
	readonly ending: AbortSignal;
};

/**
Lets the person edit a prompt on the screen.

@throws SwitchboardError `interrupted` once `ending` is aborted. The file has the newest text then.
*/
export const editOnScreen = async (ui: UiServices, {
	agentName, stored, text, file, ending,
}: EditOnScreenOptions): Promise<Outcome> => {
	const {store} = ui;
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
		agentName,
		editor,
		onSave() {
			finish({kind: 'save', text: editedText()});
		},
		onLeave() {
			if (!isEdited(editor.getState()) || editedText() === stored) {
				finish({kind: 'discard'});
				return;
			}

			ask(ui, {
				question: `Discard your changes to the prompt of ${agentName}?`,
				details: [],
				yes: 'discard',
				onYes() {
					finish({kind: 'discard'});
				},
			});
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
