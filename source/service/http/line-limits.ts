const mebibyte = 1024 * 1024;

/** What one client, or one address, can take from the others. Tests make them smaller. */
export const lineLimits = {
	/** A connection on which no byte moves for so long is closed. */
	idleMilliseconds: 30_000,
	/** And one that is slower than this over a minute, while a request or an answer is on its way. */
	leastBytesPerSecond: 500,
	slowMilliseconds: 60_000,
	/** For the whole body of a request without an accepted key. */
	unknownBodyMilliseconds: 10_000,
	handshakeMilliseconds: 10_000,
	connections: 512,
	connectionsPerAddress: 256,
	/** Clients that follow changes; each takes a connection for as long as it stays, and leaves room for requests. */
	streams: 256,
	streamsPerAddress: 128,
	streamsPerKey: 10,
	/** Requests on one connection that are not answered yet. */
	waitingRequests: 32,
	/** How long an address that sent more is not listened to, but for connections that have shown a key. */
	floodMilliseconds: 1000,
	/** Bodies in memory, and the same of one address. The largest form fits. */
	bodyBytes: 84 * mebibyte,
	bodyBytesPerAddress: 42 * mebibyte,
	/** Answers in memory that are not taken yet. The three lists of a huge account fit. */
	answerBytes: 96 * mebibyte,
	answerBytesPerAddress: 48 * mebibyte,
	/** Lists that are being read and written, and the same of one address. */
	listBytes: 32 * mebibyte,
	listBytesPerAddress: 16 * mebibyte,
	/** How long a request waits until there is room for its body or answer. */
	patienceMilliseconds: 20_000,
} as const;

export type LineLimits = {readonly [Name in keyof typeof lineLimits]: number};
