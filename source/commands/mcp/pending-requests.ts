import {
	isJSONRPCRequest,
	type JSONRPCMessage,
	type JSONRPCRequest,
	type RequestId,
} from '@modelcontextprotocol/server';

/** Is open until the client ends it: it has no answer that could be waited for. */
const subscription = 'subscriptions/listen';

/** Requests that are not answered yet. One that the client cancels gets no answer. */
export const createPendingRequests = () => {
	const pending = new Map<RequestId, JSONRPCRequest>();
	return {
		isEmpty: () => pending.size === 0,
		noteReceived(message: JSONRPCMessage) {
			if (isJSONRPCRequest(message) && message.method !== subscription) {
				pending.set(message.id, message);
			} else if ('method' in message && message.method === 'notifications/cancelled') {
				const {requestId} = (message.params ?? {}) as {readonly requestId?: RequestId};
				if (requestId !== undefined) {
					pending.delete(requestId);
				}
			}
		},
		/** The request that a message answers. */
		requestOf: (message: JSONRPCMessage): JSONRPCRequest | undefined => 'method' in message || message.id === undefined ? undefined : pending.get(message.id),
		noteSent(message: JSONRPCMessage) {
			if (!('method' in message) && message.id !== undefined) {
				pending.delete(message.id);
			}
		},
	};
};
