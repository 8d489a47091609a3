import {useRef} from 'react';
import {SwitchboardError, toSwitchboardError} from '../../../interface/errors.ts';
import {type Agent} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {originalOf} from '../../hooks/agent-changes.ts';
import {accountOf, useServiceSession} from '../../hooks/service-session.ts';
import {useEditAgent} from '../../hooks/use-edit-agent.ts';
import {keyName} from '../../keys/hints.ts';
import {runEditor, type Editor} from '../../terminal/external-editor.ts';
import {hasConflictMarkers} from './conflict-markers.ts';
import {editOnScreen} from './edit-on-screen.ts';
import {failureText} from './failure-text.ts';
import {promptFileOf} from './prompt-file.ts';
import {type StoredOrigin} from './prompt-origin.ts';
import {
	isChanged,
	keepsText,
	readEdited,
	unsavedText,
} from './prompt-text.ts';
import {useSavePrompt, type PromptEdit} from './use-save-prompt.ts';

/**
Edits an agent's prompt in the person's own editor, which gets the terminal, or on the screen if there is none. The text is in a file that is kept if anything
goes wrong, and is edited again the next time. A prompt that was changed elsewhere is overwritten only after the person has
seen the change.
*/
export const useEditPrompt = (): ((agent: Agent) => Promise<void>) => {
	const ui = useUiServices();
	const session = useServiceSession();
	const {isPending} = useEditAgent();
	const isEditing = useRef(false);
	const {save, ask, sayKept} = useSavePrompt((edit, text) => {
		void editFile(edit, text);
	});

	const sayFailed = (agent: Agent, error: SwitchboardError): void => {
		ui.say('error', failureText(`the prompt of ${agent.name}`, error, error.nextStep ?? `${keyName(ui.keymap, 'edit-prompt')} tries again.`), error);
	};

	const askToSave = (question: string, edit: PromptEdit, onYes: () => void): void => {
		const details = [`Otherwise your text stays in ${edit.file.shownPath}; ${keyName(ui.keymap, 'edit-prompt')} edits it again.`];
		ask({
			kind: 'confirm', question, details, yes: 'save it', onYes,
		}, ui.store.getState().overlays, edit, new SwitchboardError('refused', 'It needs your answer.'));
	};

	const openElsewhereText = ({agent: {name}, file}: PromptEdit, {processId}: StoredOrigin): string => ui.isOverSsh
		? `The prompt of ${name} is being edited in another session of yours. Save it or leave it there first; it is also free once that session has ended.`
		: `The prompt of ${name} is being edited in another Switchboard (process ${processId}). Save it or leave it there first; if that process is something else, remove ${file.shownPath}.json`;

	/** An empty text is mostly a slip, or meant to save nothing. */
	const askToEmpty = async (edit: PromptEdit): Promise<void> => {
		const {agent: {name}, file} = edit;
		if (await session.confirm({question: `Empty the prompt of ${name}?`, details: ['The text is empty.'], yes: 'empty it'})) {
			await save(edit, '');
		} else {
			file.remove();
			ui.say('info', `The text is empty: the prompt of ${name} is unchanged.`);
		}
	};

	/** Saves the text in the file; asks first if that may overwrite something unseen. */
	const conclude = (edit: PromptEdit, edited: string, kept: string | undefined): void => {
		const {agent, file, original} = edit;
		const now = originalOf(agent).prompt;
		const subject = `the prompt of ${agent.name}`;
		if (edited.trim() === '' && now !== undefined && now.trim() !== '') {
			void askToEmpty(edit);
			return;
		}

		if (!isChanged(edited, now ?? '')) {
			file.remove();
			ui.say('info', edited === (now ?? '') ? `No changes to ${subject}.` : `The text is empty: ${subject} is unchanged.`);
			return;
		}

		if (hasConflictMarkers(edited)) {
			sayKept(edit, new SwitchboardError('refused', 'The text still has conflict markers.'));
			return;
		}

		const onYes = (): void => {
			void save(edit, edited);
		};

		if (now === undefined) {
			askToSave(`Replace ${subject}? This service doesn't show it.`, edit, onYes);
		} else if (edited === kept && original === now) {
			askToSave(`Save the kept text unchanged as ${subject}?`, edit, onYes);
		} else {
			onYes();
		}
	};

	const editElsewhere = async (editor: Editor, edit: PromptEdit, kept: string | undefined): Promise<void> => {
		const {file, original} = edit;
		await ui.terminal.lend(async ending => runEditor(editor, file.path, ending));
		conclude(edit, readEdited(file, original ?? ''), kept);
	};

	const editHere = async (edit: PromptEdit, text: string): Promise<void> => {
		const {agent, file} = edit;
		const outcome = await ui.whileEditing(async ending => editOnScreen(ui, {
			agent, text, file, ending,
		}));
		if (outcome.kind === 'save') {
			conclude({...edit, agent: outcome.agent, original: outcome.original ?? edit.original}, outcome.text, undefined);
		} else {
			file.remove();
		}
	};

	/** @param kept - the text that is in the file already, and stays there unless there is another `text`. */
	const editFile = async (edit: PromptEdit, text: string | undefined, kept?: string): Promise<void> => {
		const {agent, file, original} = edit;
		const other = file.openElsewhere();
		if (other !== undefined) {
			ui.say('error', openElsewhereText(edit, other));
			return;
		}

		isEditing.current = true;
		try {
			const editor = ui.findEditor();
			if (editor === undefined && file.hasRecovery()) {
				throw new SwitchboardError('usage', `Another editor left a recovery file for ${file.shownPath}`, {nextStep: 'Set EDITOR to that editor to get the text back, or remove the file.'});
			}

			file.open(text, {agentName: agent.name, prompt: original});
			await (editor === undefined ? editHere(edit, text ?? kept ?? '') : editElsewhere(editor, edit, kept));
		} catch (error_) {
			const error = toSwitchboardError(error_);
			if (keepsText(file, original ?? '')) {
				sayKept(edit, error);
			} else if (error.kind !== 'interrupted') {
				sayFailed(agent, error);
			}
		} finally {
			file.close();
			isEditing.current = false;
		}
	};

	return async agent => {
		if (isEditing.current) {
			return;
		}

		if (isPending(agent.id)) {
			ui.say('info', `${agent.name} is still being saved.`);
			return;
		}

		const now = originalOf(agent).prompt;
		const file = promptFileOf({
			account: accountOf(session), agentId: agent.id, configFolder: ui.configFolder, arePathsShown: !ui.isOverSsh,
		});
		try {
			const kept = unsavedText(file, now ?? '');
			// If the origin of a kept text is lost, saving it might overwrite the current prompt unseen: it counts as a conflict.
			const original = kept === undefined || now === undefined ? now : file.origin()?.prompt ?? '';
			// A recovery file is newer than the file, and the editor offers it as long as the file is not rewritten.
			await editFile({agent, file, original}, kept === undefined && !file.hasRecovery() ? now ?? '' : undefined, kept);
		} catch (error) {
			sayFailed(agent, toSwitchboardError(error));
		}
	};
};
