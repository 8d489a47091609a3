import process from 'node:process';
import {cleanText} from '../../../interface/clean-text.ts';
import {isJsonObject} from '../../../interface/json.ts';

/** What a text was made from. It is kept beside the text, for as long. */
export type PromptOrigin = {
	readonly agentName: string;
	/** The prompt on the service at that time; `undefined` if the service doesn't show it. */
	readonly prompt: string | undefined;
};

export type StoredOrigin = PromptOrigin & {
	/** The process whose editor has the text open. */
	readonly processId: number | undefined;
	/** Names the edit that the text is from. */
	readonly editId: string | undefined;
};

/** The edits that are open in this process, which many share over SSH. */
const openEdits = new Set<string>();

/** Notes which edits are open here, as long as they are. */
export const markOpen = (editId: string, isOpen: boolean): void => {
	if (isOpen) {
		openEdits.add(editId);
	} else {
		openEdits.delete(editId);
	}
};

const version = 1;

const maximumNameLength = 200;

export const encodeOrigin = ({agentName, prompt, processId, editId}: StoredOrigin): string => JSON.stringify({
	version, agentName, prompt, processId, editId,
});

/** The stored origin; `undefined` if it is not valid. */
export const decodeOrigin = (text: string): StoredOrigin | undefined => {
	const value: unknown = JSON.parse(text);
	if (!isJsonObject(value) || value['version'] !== version || typeof value['agentName'] !== 'string') {
		return undefined;
	}

	const {agentName, prompt, processId, editId} = value;
	return {
		agentName: cleanText(agentName, maximumNameLength),
		prompt: typeof prompt === 'string' ? prompt : undefined,
		processId: typeof processId === 'number' && Number.isSafeInteger(processId) && processId > 0 ? processId : undefined,
		editId: typeof editId === 'string' ? editId : undefined,
	};
};

/** True while an editor has the text open, in this process or another one. */
export const isBeingEdited = ({processId, editId}: StoredOrigin): boolean => {
	if (processId === undefined) {
		return false;
	}

	// An earlier process may have had the same number.
	if (processId === process.pid) {
		return editId !== undefined && openEdits.has(editId);
	}

	try {
		process.kill(processId, 0);
		return true;
	} catch (error) {
		// The process exists, and belongs to another user.
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
};
