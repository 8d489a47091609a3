import {toSwitchboardError, type SwitchboardError} from '../../../interface/errors.ts';
import {type Store} from '../../state/store.ts';
import {toPlainText, type TextEditorAction, type TextEditorState} from '../../widgets/text-editor/index.ts';
import {type PromptFile} from './prompt-file.ts';

/** How long after a change the text is written; a text of megabytes waits longer, so that writing it takes little of the time. */
const delayMilliseconds = (length: number): number => Math.max(500, length / 10_000);

type Draft = {
	/** Writes what was not written yet, and stops. */
	close(): Promise<void>;
	/** Stops without writing. */
	discard(): Promise<void>;
};

/**
Keeps a text that is edited on the screen in a file, soon after each change, so that a cut line or a crash leaves it there.

@param onFailure - called once if it cannot be written, and again after it could.
*/
export const keepDraft = (editor: Store<TextEditorState, TextEditorAction>, file: PromptFile, onFailure: (error: SwitchboardError) => void): Draft => {
	let kept = editor.getState().text;
	let timer: NodeJS.Timeout | undefined;
	let writing: Promise<void> | undefined;
	let hasFailed = false;
	let isClosed = false;

	const write = async (): Promise<void> => {
		const {text} = editor.getState();
		if (text === kept) {
			return;
		}

		try {
			await file.write(toPlainText(text));
			kept = text;
			hasFailed = false;
		} catch (error) {
			if (!hasFailed) {
				hasFailed = true;
				onFailure(toSwitchboardError(error));
			}
		}
	};

	const writeAndGoOn = async (): Promise<void> => {
		await write();
		timer = undefined;
		// It may have changed meanwhile. What could not be written is tried again with the next change.
		if (!hasFailed) {
			writeLater();
		}
	};

	const writeLater = (): void => {
		const {text} = editor.getState();
		if (isClosed || timer !== undefined || text === kept) {
			return;
		}

		timer = setTimeout(() => {
			writing = writeAndGoOn();
		}, delayMilliseconds(text.length));
	};

	const unsubscribe = editor.subscribe(writeLater);

	const discard = async (): Promise<void> => {
		isClosed = true;
		unsubscribe();
		clearTimeout(timer);
		await writing;
	};

	return {
		discard,
		async close() {
			await discard();
			await write();
		},
	};
};
