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
};

const version = 1;

const maximumNameLength = 200;

export const encodeOrigin = ({agentName, prompt, processId}: StoredOrigin): string => JSON.stringify({
	version, agentName, prompt, processId,
});

/** The stored origin; `undefined` if it is not valid. */
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

/** True while an editor has the text open, in this process or another one. */
export const isBeingEdited = ({processId}: StoredOrigin): boolean => {
	if (processId === undefined) {
		return false;
	}

	try {
		process.kill(processId, 0);
		return true;
	} catch (error) {
		// The process exists, and belongs to another user.
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
};
