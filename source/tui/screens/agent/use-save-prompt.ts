import {toSwitchboardError, type SwitchboardError} from '../../../interface/errors.ts';
import {type Agent} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {originalOf, withChanges} from '../../hooks/agent-changes.ts';
import {isEditConflict} from '../../hooks/checked-save.ts';
import {seenRecords} from '../../hooks/seen-records.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useEditAgent} from '../../hooks/use-edit-agent.ts';
import {keyName} from '../../keys/hints.ts';
import {type Overlay} from '../../state/overlays.ts';
import {withConflictMarkers} from './conflict-markers.ts';
import {failureText} from './failure-text.ts';
import {type PromptFile} from './prompt-file.ts';

/** An edit of a prompt: the agent as it was seen, and the file with the text. */
export type PromptEdit = {
	readonly agent: Agent;
	readonly file: PromptFile;
	/** The prompt that the text was made from; `undefined` if the service does not show it. */
	readonly original: string | undefined;
};

type SavePrompt = {
	/** Saves a text as the prompt. On a conflict it asks which of the two texts to keep. */
	save(edit: PromptEdit, prompt: string): Promise<void>;
	/** Opens an overlay that asks about the text; if the person is doing something else by now, says that the text is kept. */
	ask(overlay: Overlay, overlaysBefore: readonly Overlay[], edit: PromptEdit, reason: SwitchboardError): void;
	/** Says that the text is kept in its file, why, and which key edits it again. */
	sayKept(edit: PromptEdit, reason: SwitchboardError): void;
};

/**
Saves prompts.

@param editBoth - opens the editor on a text that holds both sides of a conflict.
*/
export const useSavePrompt = (editBoth: (edit: PromptEdit, text: string) => void): SavePrompt => {
	const ui = useUiServices();
	const {store} = ui;
	const session = useServiceSession();
	const {edit: editAgent} = useEditAgent();

	/** The path comes first: a message that has too little room is cut before its last sentence. */
	const keptText = ({file: {shownPath, hasRecovery}}: PromptEdit, {kind, message, isOutcomeUnknown}: SwitchboardError): string => {
		const kept = hasRecovery() ? `What you typed is in your editor's recovery file for ${shownPath}` : `Your text is kept in ${shownPath}`;
		const outcome = isOutcomeUnknown ? 'and it is not known whether it was saved' : 'not saved';
		const nextStep = kind === 'interrupted' ? 'Switchboard reminds you of it at the next start.' : `${keyName(ui.keymap, 'edit-prompt')} edits it again.`;
		// No key edits the text of an agent that was deleted.
		return [`${kept}, ${outcome}:`, message, ...(kind === 'not-found' ? [] : [nextStep])].join(' ');
	};

	const ask: SavePrompt['ask'] = (overlay, overlaysBefore, edit, reason) => {
		const {leaving, overlays, views, screen} = store.getState();
		if (leaving === undefined && overlays === overlaysBefore && !views[screen].isFilterOpen) {
			store.dispatch({type: 'open', overlay});
		} else {
			ui.say('error', keptText(edit, reason));
		}
	};

	const askAboutConflict = (edit: PromptEdit, mine: string, overlaysBefore: readonly Overlay[], reason: SwitchboardError): void => {
		const {agent: {name}, file, original: theirs = ''} = edit;
		ask({
			kind: 'prompt-conflict',
			agentName: name,
			theirs,
			mine,
			shownPath: file.shownPath,
			onChoose(choice) {
				if (choice === 'both') {
					editBoth(edit, withConflictMarkers(theirs, mine));
				} else if (choice === 'mine') {
					void save(edit, mine);
				} else {
					file.remove('saved');
					ui.say('info', `The prompt of ${name} is unchanged; your text is discarded.`);
				}
			},
		}, overlaysBefore, edit, reason);
	};

	const save: SavePrompt['save'] = async (edit, prompt) => {
		const {agent, file, original} = edit;
		const subject = `the prompt of ${agent.name}`;
		const {overlays} = store.getState();
		ui.say('info', `Saving ${subject}…`);
		try {
			await editAgent(original === undefined ? agent : withChanges(agent, {prompt: original}), {prompt});
			file.remove('saved');
			ui.say('info', `Saved: ${subject}.`);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			const newest = seenRecords(session, 'agents')?.find(({id}) => id === agent.id);
			if (isEditConflict(error) && newest !== undefined) {
				askAboutConflict({agent: newest, file, original: originalOf(newest).prompt ?? ''}, prompt, overlays, error);
			} else {
				ui.say('error', prompt === '' ? failureText(subject, error, `${keyName(ui.keymap, 'edit-prompt')} edits it again.`) : keptText(edit, error), error);
			}
		}
	};

	return {
		save,
		ask,
		sayKept(edit, reason) {
			ui.say('error', keptText(edit, reason));
		},
	};
};
