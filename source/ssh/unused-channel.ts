import type {Connection, Session} from 'ssh2';

/** What `ssh2` keeps of a channel before anything is asked for on it. */
type OpenSession = {
	readonly _chanInfo: {
		readonly incoming: {readonly id: number};
		readonly outgoing: {readonly id: number};
	};
};

type WithChannels = {
	readonly _protocol: {readonly channelClose: (id: number) => void};
	readonly _chanMgr: {readonly remove: (id: number) => void};
};

/** Closes and forgets a channel on which nothing was asked for. `ssh2` itself neither answers a client that closes one nor forgets it. */
export const closeUnused = (connection: Connection, session: Session): void => {
	const {_chanInfo: {incoming, outgoing}} = session as unknown as OpenSession;
	const {_protocol: protocol, _chanMgr: channels} = connection as unknown as WithChannels;
	protocol.channelClose(outgoing.id);
	channels.remove(incoming.id);
};
