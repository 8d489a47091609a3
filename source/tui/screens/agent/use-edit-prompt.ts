import process from 'node:process';
import {useRef} from 'react';
import {SwitchboardError, toSwitchboardError} from '../../../interface/errors.ts';
import {type Agent} from '../../../interface/records.ts';
import {useUiServices} from '../../app-context.ts';
import {originalOf, withChanges} from '../../hooks/agent-changes.ts';
import {seenRecords} from '../../hooks/seen-records.ts';
import {accountOf, useServiceSession} from '../../hooks/service-session.ts';
import {useEditAgent} from '../../hooks/use-edit-agent.ts';
import {keyName} from '../../keys/hints.ts';
import {type Overlay} from '../../state/overlays.ts';
import {findEditor, runEditor} from '../../terminal/external-editor.ts';
import {holdsBoth, joinBoth} from './both-texts.ts';
import {failureText} from './failure-text.ts';
import {promptFileOf, type PromptFile} from './prompt-file.ts';
import {
	isKept,
	isWorthKeeping,
	readEdited,
	textIn,
} from './prompt-text.ts';

/** The path comes first: a message that has too little room loses what stands before its last sentence. */
const keptText = (subject: string, {shownPath, hasRecovery}: PromptFile, {kind, message, isOutcomeUnknown}: SwitchboardError, key: string): string => [
	`${hasRecovery() ? `What you typed is in your editor's recovery file for ${shownPath}` : `Your text is kept in ${shownPath}`}, ${isOutcomeUnknown ? `and it is not known whether ${subject} was saved` : `${subject} stays as it was`}: ${message}`,
	kind === 'interrupted' ? 'The next start offers it.' : `${key} goes on with it.`,
].join(' ');

/** What is edited: an agent as it was seen, and the file with the text. */
type Editing = {
	readonly agent: Agent;
	readonly file: PromptFile;
	/** The prompt that the text was made from; `undefined` where the service does not show it. */
	readonly original: string | undefined;
};

/**
Edits an agent's prompt in the person's own editor, which has the terminal meanwhile. The text lies in a file that stays
where anything goes wrong, and is what is edited the next time. What somebody else has made of the prompt meanwhile is
written over only by who was shown it.
*/
export const useEditPrompt = (): ((agent: Agent) => Promise<void>) => {
	const ui = useUiServices();
	const {store} = ui;
	const key = keyName(ui.keymap, 'edit-prompt');
	const session = useServiceSession();
	const {edit, isPending} = useEditAgent();
	const isEditing = useRef(false);

	/** Asks, unless the person is at something else by now: then the text waits for the key that goes on with it. */
	const askOrKeep = (overlay: Overlay, overlaysBefore: readonly Overlay[], kept: string): void => {
		const {leaving, overlays, views, screen} = store.getState();
		if (leaving === undefined && overlays === overlaysBefore && !views[screen].isFilterOpen) {
			store.dispatch({type: 'open', overlay});
		} else {
			ui.say('error', kept);
		}
	};

	const resolveConflict = (theirs: Agent, mine: string, file: PromptFile, overlaysBefore: readonly Overlay[], error: SwitchboardError): void => {
		const subject = `the prompt of ${theirs.name}`;
		const original = originalOf(theirs).prompt ?? '';
		askOrKeep({
			kind: 'prompt-conflict',
			agentName: theirs.name,
			theirs: original,
			mine,
			shownPath: file.shownPath,
			onChoose(choice) {
				switch (choice) {
					case 'both': {
						void editFile({agent: theirs, file, original}, joinBoth(original, mine));
						break;
					}

					case 'theirs': {
						file.remove('saved');
						ui.say('info', `${subject[0]!.toUpperCase()}${subject.slice(1)} stays as it is on the service.`);
						break;
					}

					case 'mine': {
						void save({agent: theirs, file, original}, mine);
						break;
					}
				}
			},
		}, overlaysBefore, keptText(subject, file, error, key));
	};

	const newestOf = (id: number): Agent | undefined =>
		seenRecords(session, 'agents')?.find(record => record.id === id);

	const save = async ({agent, file, original}: Editing, prompt: string): Promise<void> => {
		const subject = `the prompt of ${agent.name}`;
		const {overlays} = store.getState();
		ui.say('info', `Saving ${subject}…`);
		try {
			await edit(original === undefined ? agent : withChanges(agent, {prompt: original}), {prompt});
			file.remove('saved');
			ui.say('info', `Saved: ${subject}.`);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			const newest = newestOf(agent.id);
			// One that the service itself speaks of is about something else.
			if (error.kind === 'conflict' && error.status === undefined && newest !== undefined) {
				resolveConflict(newest, prompt, file, overlays, error);
			} else {
				ui.say('error', keptText(subject, file, error, key), error);
			}
		}
	};

	const ask = (question: string, {agent, file}: Editing, onYes: () => void): void => {
		const {shownPath} = file;
		askOrKeep(
			{
				kind: 'confirm', question, details: [`Otherwise your text stays in ${shownPath}`], yes: 'save it', onYes,
			},
			store.getState().overlays,
			keptText(`the prompt of ${agent.name}`, file, new SwitchboardError('refused', 'It waits for your answer.'), key),
		);
	};

	/** What the person left in the file becomes of it. */
	const conclude = (editing: Editing, edited: string, kept: string | undefined): void => {
		const {agent, file, original} = editing;
		const now = originalOf(agent).prompt;
		const subject = `the prompt of ${agent.name}`;
		if (!isWorthKeeping(edited, now ?? '')) {
			file.remove();
			ui.say('info', edited === (now ?? '') ? `Nothing was changed in ${subject}.` : `The text was left empty: ${subject} stays as it was.`);
			return;
		}

		if (holdsBoth(edited)) {
			ui.say('error', keptText(subject, file, new SwitchboardError('refused', 'It still holds both texts.'), key));
			return;
		}

		const onYes = (): void => {
			void save(editing, edited);
		};

		if (now === undefined) {
			ask(`Replace ${subject}, whatever it is? This service does not show it.`, editing, onYes);
		} else if (edited === kept && original === now) {
			ask(`Save the text that was kept, and not changed now, as ${subject}?`, editing, onYes);
		} else {
			onYes();
		}
	};

	const editFile = async (editing: Editing, text: string | undefined, kept?: string): Promise<void> => {
		const {agent, file, original} = editing;
		const subject = `the prompt of ${agent.name}`;
		isEditing.current = true;
		try {
			const editor = findEditor(process.env, process.platform);
			file.open(text, {agentName: agent.name, prompt: original});
			await ui.line.lend(async ending => runEditor(editor, file.path, ending));
			conclude(editing, readEdited(file, original ?? ''), kept);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			if (isKept(file, original ?? '')) {
				ui.say('error', keptText(subject, file, error, key));
			} else if (error.kind !== 'interrupted') {
				ui.say('error', failureText(subject, error, error.nextStep ?? `${key} tries again.`));
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
		const file = promptFileOf({account: accountOf(session), agentId: agent.id});
		try {
			const found = textIn(file, now ?? '');
			const kept = isWorthKeeping(found, now ?? '') ? found : undefined;
			// Of a text whose origin nobody knows any more, the prompt of now may be what it would write over unseen.
			const original = kept === undefined || now === undefined ? now : file.origin()?.prompt ?? '';
			// What an editor has recovered is newer than the file, and says so as long as nobody writes the file anew.
			await editFile({agent, file, original}, kept === undefined && !file.hasRecovery() ? now ?? '' : undefined, kept);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			ui.say('error', failureText(`the prompt of ${agent.name}`, error, error.nextStep ?? `${key} tries again.`), error);
		}
	};
};
