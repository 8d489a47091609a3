const mebibyte = 1024 * 1024;

/** The most that one client can take from the others. Tests make them smaller. */
export const limits = {
	/** For a connection without a request, and for the head of one. */
	idleMilliseconds: 30_000,
	/**
	For a connection on which no byte moves while a request or an answer is under way. A kernel accepts megabytes at once, which a slow
	line needs a minute for.
	*/
	silentMilliseconds: 120_000,
	/** For a whole request: the largest upload on a slow line. */
	requestMilliseconds: 1_800_000,
	/** For a body that has the key in it, and for the rest of a request that is answered already, as one without an accepted key is. */
	restMilliseconds: 10_000,
	handshakeMilliseconds: 10_000,
	connections: 4096,
	/** Clients that follow changes; each holds a connection for as long as it stays, and leaves room for requests. */
	streams: 3072,
	streamsPerKey: 10,
	/** Conversations and readers of the call logs; each holds a connection for as long as it stays. */
	conversations: 2000,
	conversationsPerKey: 20,
	conversationsPerAddress: 128,
	/** An agent speaks first to whoever says nothing for so long. */
	greetingMilliseconds: 1000,
	pingMilliseconds: 20_000,
	/** A conversation whose client has answered no ping for so long is over. */
	pongMilliseconds: 60_000,
	/** Requests on one connection without an answer. */
	waitingRequests: 32,
	/** Bodies in memory, half of it for one key: the largest form fits. */
	bodyBytes: 84 * mebibyte,
	/** A body that finds no room waits for so long before it is refused. */
	bodyPatienceMilliseconds: 20_000,
	/** Answers in memory that their clients have not read yet, half of it for one key: the three lists of a huge account fit. */
	answerBytes: 96 * mebibyte,
} as const;

export type Limits = {readonly [Name in keyof typeof limits]: number};
