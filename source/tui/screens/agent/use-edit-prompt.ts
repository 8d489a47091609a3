import {useRef} from 'react';
import {withValues} from '../../../changes/fields.ts';
import {SwitchboardError, toSwitchboardError} from '../../../interface/errors.ts';
import {goneText} from '../../../interface/lists.ts';
import type {Agent} from '../../../interface/records.ts';
import {useUiServices, type UiServices} from '../../app-context.ts';
import {isEditConflict, originalText, useEditAgent} from '../../hooks/saves.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {keyName} from '../../../words/keymap.ts';
import {createStore, type StateStore} from '../../observable.ts';
import type {Overlay} from '../../state/app-state.ts';
import {
	createTextEditorState,
	isUntouched,
	maximumTextLength,
	reduceTextEditor,
	type TextEditorAction,
	type TextEditorState,
} from '../../state/text-editor-state.ts';
import {askQuestion} from '../confirm.tsx';
import {failureText} from '../save-overlay.ts';
import {hasConflictMarkers, withConflictMarkers} from './prompt-conflict-screen.tsx';
import {isChanged, promptFileOf, type PromptFile} from '../../../settings/prompt-file.ts';

const draftMilliseconds = 500;

type PromptEdit = {
	readonly agent: Agent;
	readonly file: PromptFile;
	/** The prompt that the text was made from; `undefined` if the service does not show it. */
	readonly original: string | undefined;
};

/**
Edits an agent's prompt in the person's own editor, which gets the terminal, or on the screen if there is none. The text is in a file, which
is kept if anything goes wrong and opened again the next time. A prompt that was changed elsewhere is overwritten only after the person has
seen the change.
*/
export function useEditPrompt(): (agent: Agent) => Promise<void> {
	const ui = useUiServices();
	const {store} = ui;
	const session = useServiceSession();
	const {edit: editAgent, isPending} = useEditAgent();
	const isEditing = useRef(false);
	const editKey = keyName(ui.keymap, 'edit-prompt');

	const sayFailed = (agent: Agent, error: SwitchboardError): void =>
		ui.say('error', failureText(`the prompt of ${agent.name}`, error, error.nextStep ?? `${editKey} tries again.`), error);

	/** The path comes first: a message without enough room is cut before its last sentence. */
	const keptText = ({file}: PromptEdit, {kind, message, isOutcomeUnknown}: SwitchboardError): string => {
		const outcome = isOutcomeUnknown ? 'and it is not known whether it was saved' : 'not saved';
		const nextStep = kind === 'interrupted' ? 'Switchboard reminds you of it at the next start.' : `${editKey} edits it again.`;
		// No key opens the text of a deleted agent.
		return [`Your text is kept in ${file.shownPath()}, ${outcome}:`, message, ...(kind === 'not-found' ? [] : [nextStep])].join(' ');
	};

	/** Opens an overlay that asks about the text; if the person is doing something else by now, a message says that the text is kept. */
	const askAbout = (overlay: Overlay, overlaysBefore: readonly Overlay[], edit: PromptEdit, reason: SwitchboardError): void => {
		const {leaving, overlays, views, screen, isSentenceOpen} = store.getState();
		if (leaving === undefined && overlays === overlaysBefore && !isSentenceOpen && !views[screen].isFilterOpen) {
			store.dispatch({type: 'open', overlay});
		} else {
			ui.say('error', keptText(edit, reason));
		}
	};

	const askAboutConflict = (edit: PromptEdit, mine: string, overlaysBefore: readonly Overlay[], reason: SwitchboardError): void => {
		const {
			agent: {id, name},
			file,
			original: theirs = '',
		} = edit;
		askAbout(
			{
				kind: 'prompt-conflict',
				agentId: id,
				agentName: name,
				theirs,
				mine,
				shownPath: file.shownPath(),
				onChoose(choice) {
					if (choice === 'both') {
						void editFile(edit, withConflictMarkers(theirs, mine));
					} else if (choice === 'mine') {
						void save(edit, mine);
					} else {
						file.remove();
						ui.say('info', `The prompt of ${name} is unchanged; your text is discarded.`);
					}
				},
			},
			overlaysBefore,
			edit,
			reason,
		);
	};

	/** Saves a text as the prompt. After a conflict it asks which of the two texts to keep. */
	const save = async (edit: PromptEdit, prompt: string): Promise<void> => {
		const {agent, file, original} = edit;
		const subject = `the prompt of ${agent.name}`;
		const {overlays} = store.getState();
		ui.say('info', `Saving ${subject}…`);
		try {
			await editAgent(original === undefined ? agent : withValues('agents', agent, {prompt: original}), {prompt});
			file.remove();
			ui.say('info', `Saved: ${subject}.`);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			const newest = session.records.seen('agents')?.find(({id}) => id === agent.id);
			if (isEditConflict(error) && newest !== undefined) {
				askAboutConflict({agent: newest, file, original: originalText('agents', newest, 'prompt') ?? ''}, prompt, overlays, error);
			} else {
				ui.say('error', prompt === '' ? failureText(subject, error, `${editKey} edits it again.`) : keptText(edit, error), error);
			}
		}
	};

	/** An empty text is mostly a slip, or an attempt to save nothing. */
	const askToEmpty = async (edit: PromptEdit): Promise<void> => {
		const {
			agent: {name},
			file,
		} = edit;
		if (await session.changes.confirm({question: `Empty the prompt of ${name}?`, details: ['The text is empty.'], yes: 'empty it'})) {
			await save(edit, '');
		} else {
			file.remove();
			ui.say('info', `The text is empty: the prompt of ${name} is unchanged.`);
		}
	};

	/** Saves the text in the file; asks first if that may overwrite unseen changes. */
	const conclude = (edit: PromptEdit, edited: string, kept: string | undefined): void => {
		const {agent, file, original} = edit;
		const now = originalText('agents', agent, 'prompt');
		const subject = `the prompt of ${agent.name}`;
		if (edited.trim() === '' && now !== undefined && now.trim() !== '') {
			void askToEmpty(edit);
		} else if (!isChanged(edited, now ?? '')) {
			file.remove();
			ui.say('info', edited === (now ?? '') ? `No changes to ${subject}.` : `The text is empty: ${subject} is unchanged.`);
		} else if (hasConflictMarkers(edited)) {
			ui.say('error', keptText(edit, new SwitchboardError('refused', 'The text still has conflict markers.')));
		} else if (now === undefined || (edited === kept && original === now)) {
			askAbout(
				{
					kind: 'confirm',
					question: now === undefined ? `Replace ${subject}? This service doesn't show it.` : `Save the kept text unchanged as ${subject}?`,
					details: [`Otherwise your text stays in ${file.shownPath()}; ${editKey} edits it again.`],
					yes: 'save it',
					onYes() {
						void save(edit, edited);
					},
				},
				store.getState().overlays,
				edit,
				new SwitchboardError('refused', 'You must confirm it first.'),
			);
		} else {
			void save(edit, edited);
		}
	};

	const openElsewhereText = ({agent: {name}}: PromptEdit): string =>
		ui.isOverSsh
			? `The prompt of ${name} is being edited in another session of yours. Save or close it there first, or end that session.`
			: `The prompt of ${name} is being edited in another Switchboard. Save or close it there first, or end that program.`;

	/** @param kept - the text that is already in the file, and stays there unless another `text` is given. */
	const editFile = async (edit: PromptEdit, text: string | undefined, kept?: string): Promise<void> => {
		const {agent, file, original} = edit;
		if (!file.lock()) {
			ui.say('error', openElsewhereText(edit));
			return;
		}

		isEditing.current = true;
		try {
			const editor = ui.findEditor();
			const edited = text ?? kept ?? '';
			if (editor === undefined && edited.length > maximumTextLength) {
				throw new SwitchboardError('too-large', 'It is longer than 1 MB, too long to be edited on the screen.', {
					nextStep: ui.isOverSsh ? undefined : 'Set EDITOR to edit it.',
				});
			}

			file.open(text === undefined ? undefined : {text, prompt: original ?? ''});
			if (editor !== undefined) {
				await editor(file.path());
				conclude(edit, file.edited(original ?? ''), kept);
				return;
			}

			const outcome = await ui.whileEditing(async ending => editOnScreen(ui, {agent, text: edited, file, ending}));
			if (outcome === undefined) {
				file.remove();
			} else {
				conclude({...edit, agent: outcome.agent, original: outcome.original ?? original}, outcome.text, undefined);
			}
		} catch (error_) {
			const error = toSwitchboardError(error_);
			if (file.keepsText(original ?? '')) {
				ui.say('error', keptText(edit, error));
			} else if (error.kind !== 'interrupted') {
				sayFailed(agent, error);
			}
		} finally {
			file.unlock();
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

		const now = originalText('agents', agent, 'prompt');
		const file = promptFileOf({
			account: session.account.name,
			agentId: agent.id,
			configFolder: ui.configFolder,
			arePathsShown: !ui.isOverSsh,
		});
		try {
			const kept = file.unsaved(now ?? '');
			// If the origin of a kept text is lost, saving it might overwrite the current prompt unseen, so it counts as a conflict.
			const original = kept === undefined || now === undefined || file.isFrom(now) ? now : '';
			await editFile({agent, file, original}, kept === undefined ? (now ?? '') : undefined, kept);
		} catch (error) {
			sayFailed(agent, toSwitchboardError(error));
		}
	};
}

type EditOnScreenOptions = {
	readonly agent: Agent;
	/** The text to continue with: the prompt, or an edited version of it. */
	readonly text: string;
	readonly file: PromptFile;
	readonly ending: AbortSignal;
};

type Outcome = {
	readonly text: string;
	readonly agent: Agent;
	/** The prompt that replaced the first one before anything was typed; `undefined` if none did. */
	readonly original: string | undefined;
};

/**
Lets the person edit a prompt on the screen. Until something is typed, the text follows the prompt on the service.

@returns `undefined` if there is nothing to keep.
@throws SwitchboardError `interrupted` once `ending` is aborted, `not-found` if the person leaves a changed text of a deleted agent. The
file then has the newest text.
*/
async function editOnScreen(ui: UiServices, options: EditOnScreenOptions): Promise<Outcome | undefined> {
	const {text, file, ending} = options;
	const {store} = ui;
	let {agent} = options;
	let original: string | undefined;
	const {promise, resolve} = Promise.withResolvers<Outcome | SwitchboardError | undefined>();
	const editor = createStore(reduceTextEditor, createTextEditorState(originalText('agents', agent, 'prompt') ?? '', text));
	const endDraft = keepDraft(editor, file, error => ui.say('error', `Your text is not kept until you save it: ${error.message}`, error));

	/** Closes the editor at once, because the next key is for the screen below. */
	const finish = (outcome: Outcome | SwitchboardError | undefined): void => {
		const {overlays} = store.getState();
		if (overlays.includes(overlay)) {
			store.dispatch({type: overlays.at(-1) === overlay ? 'close' : 'close-all'});
		}

		resolve(outcome);
	};

	const overlay: Overlay = {
		kind: 'prompt-editor',
		agentId: agent.id,
		agentName: agent.name,
		editor,
		onSave() {
			finish({text: editor.getState().text, agent, original});
		},
		onLeave(isGone) {
			const {text: edited, opened} = editor.getState();
			if (edited === opened) {
				finish(undefined);
			} else if (isGone) {
				finish(new SwitchboardError('not-found', goneText('agents', agent.name)));
			} else {
				askQuestion(ui, {
					question: `Discard your changes to the prompt of ${agent.name}?`,
					details: [],
					yes: 'discard',
					onYes() {
						finish(undefined);
					},
				});
			}
		},
		onSeen(newest, size) {
			const prompt = originalText('agents', newest, 'prompt');
			const isAsBefore = prompt === undefined || prompt === originalText('agents', agent, 'prompt');
			agent = newest;
			if (isAsBefore) {
				return;
			}

			if (!isUntouched(editor.getState())) {
				ui.say('info', `The prompt of ${agent.name} was changed elsewhere. Switchboard asks before it saves yours.`);
				return;
			}

			try {
				file.open({text: prompt, prompt});
			} catch {
				// The file still names the prompt that the text was made from, so saving it is a conflict.
				return;
			}

			original = prompt;
			editor.dispatch({type: 'reopen', text: prompt, size});
		},
	};
	const end = (): void =>
		finish(
			new SwitchboardError(
				'interrupted',
				ending.reason === 'SIGINT' ? 'You quit before saving it.' : 'Switchboard ended before you saved it.',
			),
		);

	ending.addEventListener('abort', end, {once: true});
	store.dispatch({type: 'dismiss'});
	store.dispatch({type: 'open', overlay});
	const outcome = await promise;
	ending.removeEventListener('abort', end);
	await endDraft(outcome !== undefined);
	if (outcome instanceof SwitchboardError) {
		throw outcome;
	}

	return outcome;
}

/**
Saves a text that is edited on the screen in a file soon after each change, so that it survives a lost connection or a crash.

@param onFailure - called once if the file cannot be written, and again after a success in between.
@returns a function that ends that, after writing the newest text or, if that is not wanted, at once.
*/
function keepDraft(editor: StateStore<TextEditorState, TextEditorAction>, file: PromptFile, onFailure: (error: SwitchboardError) => void) {
	let kept = editor.getState().text;
	let timer: NodeJS.Timeout | undefined;
	let writing = Promise.resolve();
	let hasFailed = false;

	const write = async (): Promise<void> => {
		const {text} = editor.getState();
		if (text === kept) {
			return;
		}

		try {
			await file.write(text);
			kept = text;
			hasFailed = false;
		} catch (error) {
			if (!hasFailed) {
				hasFailed = true;
				onFailure(toSwitchboardError(error));
			}
		}
	};

	const writeNext = async (before: Promise<void>): Promise<void> => {
		await before;
		await write();
	};

	const unsubscribe = editor.subscribe(() => {
		timer ??= setTimeout(() => {
			timer = undefined;
			writing = writeNext(writing);
		}, draftMilliseconds);
	});
	return async (isKept: boolean): Promise<void> => {
		unsubscribe();
		clearTimeout(timer);
		await (isKept ? writeNext(writing) : writing);
	};
}
