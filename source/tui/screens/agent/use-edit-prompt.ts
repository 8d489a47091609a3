import process from 'node:process';
import {useRef} from 'react';
import {SwitchboardError, toSwitchboardError} from '../../../interface/errors.ts';
import {type Agent} from '../../../interface/records.ts';
import {useProgram} from '../../app-context.ts';
import {originalOf} from '../../hooks/agent-changes.ts';
import {useServiceSession} from '../../hooks/service-session.ts';
import {useEditAgent} from '../../hooks/use-edit-agent.ts';
import {keyName} from '../../keys/hints.ts';
import {findEditor, runEditor} from '../../terminal/external-editor.ts';
import {failureText} from './failure-text.ts';
import {promptFileOf, type PromptFile} from './prompt-file.ts';
import {withoutEditorMarks} from './without-editor-marks.ts';

/** What stands where a program wrote bytes that are no UTF-8, and between the letters of UTF-16. */
const foreign = /[\0\u{FFFD}]/u;

const textIn = (file: PromptFile, original: string): string | undefined => {
	const text = file.read();
	return text === undefined ? undefined : withoutEditorMarks(text, original);
};

const readEdited = (file: PromptFile, original: string): string => {
	const text = textIn(file, original);
	if (text === undefined) {
		throw new SwitchboardError('unexpected', 'The editor left no file that could be read.');
	}

	if (foreign.test(text) && !foreign.test(original)) {
		throw new SwitchboardError('refused', 'It is not in UTF-8.');
	}

	return text;
};

/** True where the file holds something that is neither on the service nor nothing. */
const isWorthKeeping = (text: string | undefined, original: string): text is string =>
	text !== undefined && text.trim() !== '' && text !== original;

/** The path comes first: a message that has too little room loses what stands before its last sentence. */
const keptText = (subject: string, {shownPath}: PromptFile, {message, isOutcomeUnknown}: SwitchboardError, key: string): string =>
	`Your text is kept in ${shownPath}, ${isOutcomeUnknown ? `and it is not known whether ${subject} was saved` : `${subject} stays as it was`}: ${message} ${key} goes on with it.`;

/** Whether the file holds a text of the person's own. One that does not is removed. */
const isKept = (file: PromptFile, original: string): boolean => {
	try {
		const text = textIn(file, original);
		const isWorth = isWorthKeeping(text, original);
		if (text !== undefined && !isWorth) {
			file.remove();
		}

		return isWorth;
	} catch {
		return false;
	}
};

/**
Edits an agent's prompt in the person's own editor, which has the terminal meanwhile. The text lies in a file that stays
where anything goes wrong, and is what is edited the next time.
*/
export const useEditPrompt = (): ((agent: Agent) => Promise<void>) => {
	const program = useProgram();
	const key = keyName(program.keymap, 'edit-prompt');
	const {client, profileName} = useServiceSession();
	const {edit, isPending} = useEditAgent();
	const isEditing = useRef(false);

	const save = async (agent: Agent, prompt: string, file: PromptFile): Promise<void> => {
		const subject = `the prompt of ${agent.name}`;
		program.say('info', `Saving ${subject}…`);
		try {
			await edit(agent, {prompt});
			file.remove();
			program.say('info', `Saved: ${subject}.`);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			program.say('error', keptText(subject, file, error, key), error);
		}
	};

	const ask = (question: string, {shownPath}: PromptFile, onYes: () => void): void => {
		program.store.dispatch({
			type: 'open',
			overlay: {
				kind: 'confirm',
				question,
				details: [`Otherwise your text stays in ${shownPath}`],
				yes: 'save it',
				onYes,
			},
		});
	};

	/** What the person left in the file becomes of it. */
	const conclude = (agent: Agent, edited: string, kept: string | undefined, file: PromptFile): void => {
		const original = originalOf(agent).prompt;
		const subject = `the prompt of ${agent.name}`;
		if (!isWorthKeeping(edited, original ?? '')) {
			file.remove();
			program.say('info', edited === (original ?? '') ? `Nothing was changed in ${subject}.` : `The text was left empty: ${subject} stays as it was.`);
			return;
		}

		const onYes = (): void => {
			void save(agent, edited, file);
		};

		if (edited === kept) {
			ask(`Save the text that was kept, and not changed now, as ${subject}?`, file, onYes);
		} else if (original === undefined) {
			ask(`Replace ${subject}, whatever it is? This service does not show it.`, file, onYes);
		} else {
			onYes();
		}
	};

	return async agent => {
		if (isEditing.current) {
			return;
		}

		if (isPending(agent.id)) {
			program.say('info', `${agent.name} is still being saved.`);
			return;
		}

		isEditing.current = true;
		const original = originalOf(agent).prompt ?? '';
		const file = promptFileOf({account: `${client.baseAddress}\n${profileName}`, agentId: agent.id});
		try {
			const editor = findEditor(process.env, process.platform);
			const found = textIn(file, original);
			const kept = isWorthKeeping(found, original) ? found : undefined;
			file.prepare(kept === undefined ? original : undefined);
			await program.line.lend(async () => runEditor(editor, file.path));
			conclude(agent, readEdited(file, original), kept, file);
		} catch (error_) {
			const error = toSwitchboardError(error_);
			const subject = `the prompt of ${agent.name}`;
			program.say('error', isKept(file, original) ? keptText(subject, file, error, key) : failureText(subject, error, error.nextStep ?? `${key} tries again.`), error);
		} finally {
			isEditing.current = false;
		}
	};
};
