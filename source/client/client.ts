import type {TransportOptions} from './call.ts';
import {createConnection, type Connection} from './lists.ts';
import {bindClient, type Client} from './operations.ts';
import {createTransport} from './transport.ts';

export type {AbilityChanges, AbilityUpload, UploadResult} from './abilities.ts';
export type {ListProgress, RequestLogEntry, TransportOptions} from './call.ts';
export type {CallLogEntry, Conversation, ConversationEvent} from './conversation.ts';
export type {AgentChanges} from './edit-agent.ts';
export type {InstalledChanges} from './installed.ts';
export type {Connection, ResourceList} from './lists.ts';
export type {Client} from './operations.ts';

/**
@throws SwitchboardError `usage`, `insecure` or `key-refused` if the address or the key cannot be used at all.
*/
export function connect(options: TransportOptions): Connection {
	return createConnection(createTransport(options));
}

/** Returns a client of one service; throws as `connect` does. */
export function createClient(options: TransportOptions): Client {
	const connection = connect(options);
	return bindClient(connection.transport.baseAddress, async work => work(connection));
}
