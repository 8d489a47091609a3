import {apiKeyField} from './endpoints.ts';
import type {JsonObject} from './json.ts';

/*
Conversations with agents (`docs/interface.md`, Conversation). The key is part of both addresses: neither may be shown or logged.
*/

/** The beginning of the paths that are WebSockets. */
export const webSocketPaths = '/websocket/';

/** The path of a conversation as a pattern. */
export const voiceStreamPath = `${webSocketPaths}voice-stream/:${apiKeyField}/:agent_id`;

/** The path of the logs of calls, with the key in the query. */
export const callLogsPath = `${webSocketPaths}logs`;

/** Longer frames end the conversation. */
export const maximumFrameBytes = 1024 * 1024;

/** The longest phrase that the bundled service takes. */
export const maximumPhraseLength = 4000;

export type Frame = {readonly type: string; readonly data: JsonObject | string};

export type Role = 'assistant' | 'user';

/** Returns a whole turn. */
export function turnFrame(role: Role, content: string): Frame {
	return {type: 'message', data: {content, role, live: false, final: true}};
}
