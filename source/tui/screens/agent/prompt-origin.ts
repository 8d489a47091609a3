import process from 'node:process';
import {cleanText} from '../../../interface/clean-text.ts';
import {isJsonObject} from '../../../interface/json.ts';

/** What a text was made from: it is kept with it, as long as the text itself. */
export type PromptOrigin = {
	readonly agentName: string;
	/** The prompt as the service had it; `undefined` where the service does not show it. */
	readonly prompt: string | undefined;
};

export type StoredOrigin = PromptOrigin & {
	/** The process in which an editor is open on the text. */
	readonly processId: number | undefined;
};

const version = 1;

const maximumNameLength = 200;

export const encodeOrigin = ({agentName, prompt, processId}: StoredOrigin): string => JSON.stringify({
	version, agentName, prompt, processId,
});

/** What was stored, as far as it can be believed. */
export const decodeOrigin = (text: string): StoredOrigin | undefined => {
	const value: unknown = JSON.parse(text);
	if (!isJsonObject(value) || value['version'] !== version || typeof value['agentName'] !== 'string') {
		return undefined;
	}

	const {agentName, prompt, processId} = value;
	return {
		agentName: cleanText(agentName, maximumNameLength),
		prompt: typeof prompt === 'string' ? prompt : undefined,
		processId: typeof processId === 'number' && Number.isSafeInteger(processId) && processId > 0 ? processId : undefined,
	};
};

/** True while an editor is open on the text, in this run or in another one. */
export const isBeingEdited = ({processId}: StoredOrigin): boolean => {
	if (processId === undefined) {
		return false;
	}

	try {
		process.kill(processId, 0);
		return true;
	} catch (error) {
		// It is there, and somebody else's.
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
};
